"""From evidence to findings: rules see records, never the code that made them."""
