"""The operator contract and its languages: one file states an operator once, for every side."""
