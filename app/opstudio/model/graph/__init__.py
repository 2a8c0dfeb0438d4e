"""ONNX files of any origin as plain records, without onnx, protobuf or the weights.

Nothing here trusts a file: sizes, counts and depth are bounded, and whatever the bytes are, the only exceptions that
leave this package are ``StudioError`` and its subclasses.
"""
