"""Describers, one file for each family of stages; found by discovery."""
