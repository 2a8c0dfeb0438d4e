"""What people read in place of the id of a stage. Stages that are not listed here are called by their id."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

_TITLES = {
    "contract": QT_TRANSLATE_NOOP("Stage", "contract"),
    "build": QT_TRANSLATE_NOOP("Stage", "build"),
    "reference": QT_TRANSLATE_NOOP("Stage", "reference"),
    "register": QT_TRANSLATE_NOOP("Stage", "register"),
    "meta": QT_TRANSLATE_NOOP("Stage", "meta"),
    "value": QT_TRANSLATE_NOOP("Stage", "value"),
    "layout": QT_TRANSLATE_NOOP("Stage", "layout"),
    "extreme": QT_TRANSLATE_NOOP("Stage", "extreme"),
    "alias": QT_TRANSLATE_NOOP("Stage", "alias"),
    "gradient": QT_TRANSLATE_NOOP("Stage", "gradient"),
    "load": QT_TRANSLATE_NOOP("Stage", "load"),
    "parity": QT_TRANSLATE_NOOP("Stage", "parity"),
    "export": QT_TRANSLATE_NOOP("Stage", "export"),
    "opcheck": QT_TRANSLATE_NOOP("Stage", "opcheck"),
    "optimization": QT_TRANSLATE_NOOP("Stage", "optimization"),
    "concurrency": QT_TRANSLATE_NOOP("Stage", "concurrency"),
    "sanitizer": QT_TRANSLATE_NOOP("Stage", "sanitizer"),
    "cuda": QT_TRANSLATE_NOOP("Stage", "cuda"),
    "speed": QT_TRANSLATE_NOOP("Stage", "speed"),
}
_DESCRIPTIONS = {
    "contract": QT_TRANSLATE_NOOP("Stage", "Contract: readable, and breaks nothing that is published"),
    "build": QT_TRANSLATE_NOOP("Stage", "Build: the kernel compiles"),
    "reference": QT_TRANSLATE_NOOP("Stage", "Reference: what is right, computed in float64"),
    "register": QT_TRANSLATE_NOOP("Stage", "Register: PyTorch and ONNX Runtime know the operator as the contract says"),
    "meta": QT_TRANSLATE_NOOP("Stage", "Meta: predicted shapes are the real ones"),
    "value": QT_TRANSLATE_NOOP("Stage", "Value: the kernel computes what the reference computes"),
    "layout": QT_TRANSLATE_NOOP("Stage", "Layout: sliced, stepped, transposed, expanded and empty inputs"),
    "extreme": QT_TRANSLATE_NOOP("Stage", "Extreme values: zero, infinities, NaN, denormals, the largest"),
    "alias": QT_TRANSLATE_NOOP("Stage", "Alias: no memory is shared or changed that should not be"),
    "gradient": QT_TRANSLATE_NOOP("Stage", "Gradient: the derivative of the reference"),
    "load": QT_TRANSLATE_NOOP("Stage", "Load: ONNX Runtime takes the operator in every type"),
    "parity": QT_TRANSLATE_NOOP("Stage", "Parity: reference, PyTorch and ONNX Runtime agree"),
    "export": QT_TRANSLATE_NOOP("Stage", "Export: the file holds what was asked for"),
    "opcheck": QT_TRANSLATE_NOOP("Stage", "Opcheck: PyTorch's own tests"),
    "optimization": QT_TRANSLATE_NOOP("Stage", "Optimisation levels: every level of ONNX Runtime gives the same"),
    "concurrency": QT_TRANSLATE_NOOP("Stage", "Concurrency: calls at the same time give what calls in turn give"),
    "sanitizer": QT_TRANSLATE_NOOP("Stage", "Sanitizers: addresses, undefined behaviour, threads"),
    "cuda": QT_TRANSLATE_NOOP("Stage", "CUDA: the CUDA source compiles"),
    "speed": QT_TRANSLATE_NOOP("Stage", "Speed: beside PyTorch, standard nodes and a plain copy"),
}


def stage_title(stage: str) -> str:
    """Return the short title of a stage, as it stands on chips."""
    return QCoreApplication.translate("Stage", str(_TITLES.get(stage, stage)))


def stage_description(stage: str) -> str:
    """Return what a stage finds out."""
    return QCoreApplication.translate("Stage", str(_DESCRIPTIONS.get(stage, stage)))
