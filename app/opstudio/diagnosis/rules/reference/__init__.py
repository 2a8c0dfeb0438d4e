"""The reference itself."""
