"""Writing a kernel: the editor in the middle, operators, findings and logs around it."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.qt.perspective import PerspectiveManifest

PERSPECTIVE = PerspectiveManifest(
    id="kernels",
    title=str(QT_TRANSLATE_NOOP("Perspective", "Kernels")),
    icon="kernels",
    order=10,
)
