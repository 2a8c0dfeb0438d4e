"""What a worker is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from opstudio.worker.monitor import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Something for a worker to do."""

    entry: str
    payload: Any
    limits: Limits
    fault_recorder: str | None = None
