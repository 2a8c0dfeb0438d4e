"""Types and shapes of a model's values, asked of the runtime node by node, and what it refuses on the way."""
