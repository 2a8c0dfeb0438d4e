"""Why an export came out as it did: what each node was in PyTorch, what went missing, and the cause of a failure.

Torch, onnx and onnxscript are imported inside functions: the exporters run in workers.
"""
