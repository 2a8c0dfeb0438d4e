"""Two models held against each other by structure: what was added, removed and changed."""
