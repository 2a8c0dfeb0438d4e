"""PyTorch's dispatcher: schema, kernels, gradients, memory, threads."""
