"""Rules about model files as they are."""
