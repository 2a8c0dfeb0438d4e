"""What the window shows, as records and Qt models. They hold no truth of their own: all of it comes from events."""
