"""What a perspective is: what stands in the middle, and which panels stand around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opstudio.base.discovery import discover
from opstudio.qt.panel import Panel, PanelContext


@dataclass(frozen=True, slots=True, kw_only=True)
class PerspectiveManifest:
    """The manifest of a perspective. Panels say themselves in which they stand.

    ``title`` is the English text, marked with ``QT_TRANSLATE_NOOP("Perspective", …)``; ``create`` makes what stands in
    the middle, or is ``None`` for the editor.
    """

    id: str
    title: str
    icon: str
    order: int
    create: Callable[[PanelContext], Panel] | None = None


def find_perspectives() -> tuple[PerspectiveManifest, ...]:
    """Return all perspectives in their order."""
    found = discover("opstudio.qt.perspectives", "PERSPECTIVE", PerspectiveManifest)
    assert not found.broken, found.broken
    return tuple(sorted(found.manifests, key=lambda perspective: perspective.order))
