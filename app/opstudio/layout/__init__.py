"""Layered drawings of graphs: where boxes stand and where lines run. Knows numbers and names, not models or windows."""
