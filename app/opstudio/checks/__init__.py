"""The checks of an operator: what each looks at, what it finds, and the process in which they run."""
