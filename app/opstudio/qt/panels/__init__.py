"""One file for each panel; each holds a ``PANEL`` manifest and is found by discovery."""
