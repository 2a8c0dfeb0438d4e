"""Benchmarks: ``python -m tests.bench [ID…]`` prints a table and writes JSON.

They are no tests: figures belong to a machine. A test runs them at a small size, so that they keep working.
"""
