"""How far two results are apart, and where."""
