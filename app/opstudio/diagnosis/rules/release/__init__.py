"""Rules about releases."""
