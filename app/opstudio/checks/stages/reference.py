"""The reference runs on every case; what it returns is the truth that later stages compare with."""

from __future__ import annotations

from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.expected import ReferenceEvidence

CHECK = Check(
    id="reference",
    title="Reference",
    order=20,
    pace=Pace.FAST,
    evidence=ReferenceEvidence,
    depends=frozenset({Part.CONTRACT, Part.REFERENCE, Part.FRAMEWORKS}),
    needs=("build",),
    quiet_seconds=20.0,
)
