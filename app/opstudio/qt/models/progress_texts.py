"""What a check waits for, in the words of the window: in two or three of them, and as a sentence."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from opstudio.workflows.support_builds import BUILDING_HOSTS, WAITING_FOR_HOSTS

_WORDS = {
    BUILDING_HOSTS: QT_TRANSLATE_NOOP("Progress", "building the hosts…"),
    WAITING_FOR_HOSTS: QT_TRANSLATE_NOOP("Progress", "waiting for the hosts…"),
}
_SENTENCES = {
    BUILDING_HOSTS: QT_TRANSLATE_NOOP(
        "Progress", "Building the hosts of PyTorch and ONNX Runtime, once for all workspaces"
    ),
    WAITING_FOR_HOSTS: QT_TRANSLATE_NOOP(
        "Progress", "Waiting for the hosts of PyTorch and ONNX Runtime, whose build an earlier check began"
    ),
}


def progress_word(label: str) -> str:
    """Return a few words; what has none stays as the loop tells it."""
    return QCoreApplication.translate("Progress", str(_WORDS[label])) if label in _WORDS else label


def progress_sentence(label: str) -> str:
    """Return a sentence; what has none stays as the loop tells it."""
    return QCoreApplication.translate("Progress", str(_SENTENCES[label])) if label in _SENTENCES else label
