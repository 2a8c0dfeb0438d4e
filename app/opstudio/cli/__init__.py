"""The command line: every verb of the studio without a display."""
