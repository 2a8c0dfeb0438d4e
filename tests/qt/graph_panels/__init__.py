"""The panels around the picture of a model."""
