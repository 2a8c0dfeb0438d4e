"""Contracts that can be read, and say what nobody means."""
