"""Evidence as widgets."""
