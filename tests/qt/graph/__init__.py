"""The picture of a model, and the page that shows it."""
