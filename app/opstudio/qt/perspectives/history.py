"""Looking back: how the sources of two builds differ, and what that changed."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.qt.difference_page import DifferencePage
from opstudio.qt.perspective import PerspectiveManifest

PERSPECTIVE = PerspectiveManifest(
    id="history",
    title=str(QT_TRANSLATE_NOOP("Perspective", "History")),
    icon="history",
    order=90,
    create=DifferencePage,
)
