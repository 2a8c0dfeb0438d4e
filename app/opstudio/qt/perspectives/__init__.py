"""The perspectives of the window, one file each."""
