"""One file for each way to build something; each holds a ``BACKEND`` manifest and is found by discovery."""
