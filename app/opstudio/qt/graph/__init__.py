"""The graph of a model in the window: what is open, the canvas, and what panels share."""
