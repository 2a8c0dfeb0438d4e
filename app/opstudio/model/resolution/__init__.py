"""Who implements each node of a model: the runtime, a library, a function of the file, or nobody, and then why."""
