"""Long work: typed events, cancellation, lanes, and the one door to other processes."""
