"""What the person keeps: the workspace folder, its settings, its artifacts and its results."""
