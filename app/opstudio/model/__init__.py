"""ONNX models as data, and how they come from PyTorch.

Torch, onnx and onnxscript are imported inside functions: this package is used by workers.
"""
