"""Code to paste, written from an operator's own schema: one kind of stub in each file."""
