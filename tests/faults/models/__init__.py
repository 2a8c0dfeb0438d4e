"""Faults of model files, seeded in small good ones."""
