"""Mechanical fixes of the open model in the window: what can be done, what it changes, and a new file with it."""
