"""Mechanical fixes of model files: offered by what was found, made along the wire format, everything else untouched."""
