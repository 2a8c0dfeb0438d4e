"""ONNX Runtime: loading operator libraries and models."""
