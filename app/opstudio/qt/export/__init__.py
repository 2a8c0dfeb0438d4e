"""Why an export came out as it did, in the window: what is explained, and the parts that show it."""
