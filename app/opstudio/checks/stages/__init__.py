"""One file for each stage; each holds a ``CHECK`` manifest and is found by discovery."""
