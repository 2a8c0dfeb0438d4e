"""The panel that explains exports."""
