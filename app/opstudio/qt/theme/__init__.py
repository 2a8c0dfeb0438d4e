"""How the window looks: colours, fonts, icons."""
