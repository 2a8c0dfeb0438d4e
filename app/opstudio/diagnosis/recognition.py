"""What several rules must agree on, so that each fault is told by one of them only."""

from __future__ import annotations

import re

from opstudio.build.records import Diagnostic
from opstudio.checks.loading import LOADING, UNDEFINED_SYMBOL
from opstudio.checks.stages.parity import ParityEvidence
from opstudio.checks.stages.value import ValueEvidence
from opstudio.parity.axis_order import SearchOutcome
from opstudio.worker.outcome import Ending, Outcome

GUARD_MARK = "opstudio: the kernel changed memory"
"""What the host's guarded memory prints before it aborts: RUN008's, not RUN006's."""

TYPE_REFUSAL = re.compile(
    r"not implemented for '(\w+)'|has no code for (\w+)|expected scalar type \w+ but found (\w+)|only (\w+) supported"
    r"|the kernel reads \w+ where the tensor holds (\w+)"
)
"""How kernels refuse an element type: REG020's, not RUN007's."""

LINK_ERROR = re.compile(
    r"undefined reference to [`'](?P<missing>[^'`]+)'|undefined symbol: (?P<symbol>.+)"
    r"|multiple definition of [`'](?P<double>[^'`]+)'|duplicate symbol: (?P<duplicate>.+)"
    r"|cannot find -l(?P<library>\S+)"
)
"""How linkers refuse: BLD012's, not BLD009's."""


def undefined_symbol(outcome: Outcome) -> str | None:
    """Return the symbol for which the loader refused an operator library: BLD012's, not RUN010's."""
    if outcome.ending is not Ending.FAILED or outcome.label != LOADING:
        return None
    found = re.search(rf"{UNDEFINED_SYMBOL}(\S+)", outcome.error)
    return found[1] if found else None


def is_link_error(item: Diagnostic) -> bool:
    """Whether a message is the linker's."""
    return LINK_ERROR.search(item.message) is not None


def is_axis_order(evidence: ValueEvidence | ParityEvidence) -> bool:
    """Whether another order of axes explains all that differs: ORT008's, not NUM012's, NUM013's or REG010's."""
    search = evidence.axis_orders
    return search is not None and search.outcome is SearchOutcome.EXPLAINED


def is_shape_dependent(evidence: ValueEvidence) -> bool:
    """Whether the largest sample is right and another one is not: REG010's, not NUM012's."""
    if is_axis_order(evidence):
        return False
    wrong = {case.sample for case in evidence.cases if not case.good}
    sizes = {case.sample: sum(comparison.count for comparison in case.comparisons) for case in evidence.cases}
    largest = max(sizes, key=lambda name: sizes[name], default="")
    return bool(wrong) and largest not in wrong
