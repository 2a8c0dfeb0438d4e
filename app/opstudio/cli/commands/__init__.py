"""One file for each verb; each holds a ``COMMAND`` manifest and is found by discovery."""
