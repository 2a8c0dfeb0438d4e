"""From PyTorch to ONNX: what exporters refuse, drop or change in silence."""
