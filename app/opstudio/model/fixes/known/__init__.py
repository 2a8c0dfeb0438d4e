"""The fixes, one file each with a manifest ``FIX``."""
