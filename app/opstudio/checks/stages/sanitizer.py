"""The kernel runs by itself under the compiler's sanitizers: memory errors, undefined behaviour, data races.

An instrumented kernel in a worker would take the worker down with it, so that a small program without Python runs it.
"""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.checks.check import Check, Pace, Part
from opstudio.contract.operator import KernelKind, OperatorContract


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvent:
    """Where memory was allocated or freed: the function of the C or C++ library, and the frames that led to it."""

    function: str
    frames: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SanitizerReport:
    """One report. ``frames`` are (function, file, line), innermost first; ``call`` is the case that was running.

    ``function`` is the function of a library in which the error showed, such as ``free``; ``allocated`` and ``freed``
    tell the life of the memory, where it is memory of the heap.
    """

    tool: str
    kind: str
    detail: str
    call: str
    frames: tuple[tuple[str, str, int], ...]
    function: str = ""
    allocated: MemoryEvent | None = None
    freed: MemoryEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SanitizerRun:
    """One program. ``missing`` says why it could not run here; ``output`` is kept where it ended badly.

    ``refused`` of the calls ended with an error of the kernel's own; ``has_reached_limit`` says that the program was
    ended for its time or memory. ``commands`` are those that built the program, and the one that ran it last.
    """

    tool: str
    calls: int
    reports: tuple[SanitizerReport, ...] = ()
    missing: str = ""
    output: str = ""
    commands: tuple[str, ...] = ()
    refused: int = 0
    has_reached_limit: bool = False

    @property
    def calls_text(self) -> str:
        """How many calls were made, and how many of them the kernel refused."""
        return f"{self.calls} calls clean" + (f", {self.refused} of them refused" if self.refused else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SanitizerEvidence:
    """All programs."""

    runs: tuple[SanitizerRun, ...]

    @property
    def good(self) -> bool:
        """Whether no sanitizer had anything to report."""
        return not any(run.reports for run in self.runs)

    @property
    def summary(self) -> str:
        """One line for people."""
        return "; ".join(
            f"{run.tool}: {run.missing}" if run.missing else f"{run.tool}: {run.calls_text}" for run in self.runs
        )


def applies(contract: OperatorContract) -> str:
    """Only native kernels run without a framework."""
    return "" if contract.kernel.kind is KernelKind.NATIVE else "only native kernels run without a framework"


CHECK = Check(
    id="sanitizer",
    title="Sanitizers",
    order=160,
    pace=Pace.SLOW,
    evidence=SanitizerEvidence,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.REFERENCE}),
    needs=("value",),
    uses=("reference",),
    applies=applies,
    explains_crashes=True,
)
