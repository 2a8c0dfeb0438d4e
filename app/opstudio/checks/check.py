"""What a check is."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opstudio.base.discovery import discover
from opstudio.contract.operator import OperatorContract

if TYPE_CHECKING:
    from opstudio.checks.subject import Subject


class Part(enum.StrEnum):
    """What a result depends on; a change of it makes the stage run again."""

    CONTRACT = "contract"
    KERNEL = "kernel"
    BINDING = "binding"
    """The sources that register the operator: its own for a raw operator; a native one is bound by its contract."""
    CUDA = "cuda"
    REFERENCE = "reference"
    MODEL = "model"
    REGISTRATION = "registration"
    FRAMEWORKS = "frameworks"
    """The interpreter and the releases of torch, onnx and onnxruntime."""


class Pace(enum.StrEnum):
    """When a stage runs."""

    FAST = "fast"
    """Before the verdict."""
    SLOW = "slow"
    """Right behind the verdict, which it may amend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The manifest of a check: one stage of the loop.

    ``evidence`` is the class of the record that ``run`` returns. ``applies`` returns an empty text, or why the stage is
    skipped for an operator. ``needs`` names stages that must be good before, where they run; without the evidence of
    those that it ``uses`` it cannot run at all. ``quiet_seconds`` says how long the stage
    may be silent before it is taken for hung, beyond the workspace's setting. A stage without ``run`` belongs to the
    workflow itself: it does not run inside a worker's check session. One that ``explains_crashes`` also runs where a
    signal ended the worker in an earlier stage, whatever that left undone: it can say more of it.
    """

    id: str
    title: str
    order: int
    pace: Pace
    evidence: type[Any]
    run: Callable[[Subject], Any] | None = None
    depends: frozenset[Part] = frozenset({Part.CONTRACT, Part.KERNEL, Part.FRAMEWORKS})
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    applies: Callable[[OperatorContract], str] = field(default=lambda _contract: "")
    quiet_seconds: float = 0.0
    explains_crashes: bool = False


def all_checks() -> tuple[Check, ...]:
    """Return every check in the order in which they run."""
    found = discover("opstudio.checks.stages", "CHECK", Check)
    assert not found.broken, found.broken
    return tuple(sorted(found.manifests, key=lambda check: check.order))
