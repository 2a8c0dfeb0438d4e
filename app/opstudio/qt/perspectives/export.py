"""Debugging an export: the model's code in the middle, and below it what both exporters made of it."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.qt.perspective import PerspectiveManifest

PERSPECTIVE = PerspectiveManifest(
    id="export",
    title=str(QT_TRANSLATE_NOOP("Perspective", "Export")),
    icon="export",
    order=30,
)
