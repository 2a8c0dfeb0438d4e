"""The CUDA sources compile. Without a device they are compiled, not run."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.build.records import BuildRecord
from opstudio.checks.check import Check, Pace, Part
from opstudio.contract.operator import OperatorContract


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaEvidence:
    """The build of the CUDA kernel, or why there is none on this machine."""

    record: BuildRecord | None
    missing: str = ""

    @property
    def good(self) -> bool:
        """Whether nvcc accepted the sources, where there is one."""
        return self.record is None or self.record.succeeded

    @property
    def summary(self) -> str:
        """One line for people."""
        return "compiled, not run: no device is used" if self.record else f"not compiled: {self.missing}"


def applies(contract: OperatorContract) -> str:
    """Only operators with CUDA sources have something to compile."""
    return "" if contract.kernel.cuda else "the contract names no CUDA sources"


CHECK = Check(
    id="cuda",
    title="CUDA",
    order=125,
    pace=Pace.SLOW,
    evidence=CudaEvidence,
    depends=frozenset({Part.CONTRACT, Part.CUDA}),
    applies=applies,
)
