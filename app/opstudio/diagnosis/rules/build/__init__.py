"""Compiling and linking."""
