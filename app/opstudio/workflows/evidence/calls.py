"""Calls of other kinds: inputs left alone, PyTorch's own tests, and calls at the same time."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.checks.stages.alias import AliasEvidence
from opstudio.checks.stages.concurrency import ConcurrencyEvidence
from opstudio.checks.stages.opcheck import OpcheckEvidence
from opstudio.workflows.evidence_sections import Describer, EvidenceContext, Section, Table, table


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show a row for each call, test or caller."""
    match context.evidence:
        case AliasEvidence():
            yield Section(title="Calls", content=_alias(context.evidence))
        case OpcheckEvidence():
            yield Section(title="Tests", content=_opcheck(context.evidence))
        case ConcurrencyEvidence():
            title = f"{context.evidence.threads} threads, sample {context.evidence.sample}"
            yield Section(title=title, content=_concurrency(context.evidence))
        case _:
            pass


def _alias(evidence: AliasEvidence) -> Table:
    rows = [
        (
            case.name,
            ", ".join(f"{output} is {name}" for output, name in case.shared) or "none",
            ", ".join(case.changed) or "none",
            "" if case.error is None else case.error.message,
        )
        for case in evidence.cases
    ]
    bad = [index for index, case in enumerate(evidence.cases) if not case.good]
    return table(("case", "shared memory", "changed inputs", "error"), rows, bad=bad)


def _opcheck(evidence: OpcheckEvidence) -> Table:
    rows = [(sample.name, name, text or "passed") for sample in evidence.samples for name, text in sample.tests.items()]
    bad = [index for index, (_, _, text) in enumerate(rows) if text != "passed"]
    return table(("sample", "test", "outcome"), rows, bad=bad)


def _concurrency(evidence: ConcurrencyEvidence) -> Table:
    rows = [
        (item.caller, str(item.calls), str(item.mismatches), "" if item.error is None else item.error.message)
        for item in evidence.callers
    ]
    bad = [index for index, item in enumerate(evidence.callers) if not item.good]
    return table(("caller", "calls", "differ", "error"), rows, numbers=("calls", "differ"), bad=bad)


DESCRIBER = Describer(stages=("alias", "opcheck", "concurrency"), describe=describe)
