"""OpStudio: one loop from a saved kernel to one verdict."""

__version__ = "0.1.0"
