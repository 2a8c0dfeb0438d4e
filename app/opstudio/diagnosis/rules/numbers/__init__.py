"""Values that differ."""
