"""The verbs of the studio, the same for the command line and the window."""
