"""The text editor: files, their pages, and the tabs of the selected operator."""
