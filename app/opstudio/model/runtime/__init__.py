"""What a runtime can run: operators and kernels as the runtime itself lists them, and those of operator libraries."""
