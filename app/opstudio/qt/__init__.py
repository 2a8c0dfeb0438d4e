"""The window: a thin shell over the same workflows as the command line. Nothing else in the studio knows Qt."""
