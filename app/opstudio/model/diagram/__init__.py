"""Pictures of models: boxes and lines of one graph, placed, searched and drawn without a window."""
