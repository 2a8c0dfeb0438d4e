"""The kernel compiles and links."""

from __future__ import annotations

from opstudio.build.records import BuildRecord
from opstudio.checks.check import Check, Pace, Part

CHECK = Check(
    id="build",
    title="Build",
    order=10,
    pace=Pace.FAST,
    evidence=BuildRecord,
    depends=frozenset({Part.CONTRACT, Part.KERNEL}),
)
