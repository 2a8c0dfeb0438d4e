"""The field that finds everything: files, operators, problems, commands. A source a file."""
