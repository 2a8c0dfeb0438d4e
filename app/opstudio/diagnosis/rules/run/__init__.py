"""Kernels that misbehave while they run."""
