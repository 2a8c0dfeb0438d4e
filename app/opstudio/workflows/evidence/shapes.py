"""Shapes side by side: what the reference was given and returned, and what Meta kernel and real kernel return."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opstudio.checks.expected import ReferenceEvidence
from opstudio.checks.results import CallError
from opstudio.checks.stages.meta import MetaEvidence, TensorForm
from opstudio.workflows.comparisons import render_shapes
from opstudio.workflows.evidence_sections import Describer, EvidenceContext, Section, table


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show a row for each case."""
    match context.evidence:
        case ReferenceEvidence(cases=cases):
            rows = [
                (
                    item.kind.value,
                    item.name,
                    render_shapes({name: [array.shape for array in group] for name, group in item.inputs.items()}),
                    item.error or " ".join(f"{list(array.shape)} {array.type.value}" for array in item.outputs),
                )
                for item in cases
            ]
            bad = [index for index, item in enumerate(cases) if item.error]
            yield Section(title="Cases", content=table(("kind", "case", "inputs", "reference"), rows, bad=bad))
        case MetaEvidence(cases=results):
            sides = [
                (
                    item.name,
                    _forms(item.inputs),
                    _side(item.meta, item.meta_error),
                    _side(item.real, item.real_error),
                    _forms(item.reference),
                )
                for item in results
            ]
            bad = [index for index, item in enumerate(results) if not item.good]
            columns = ("case", "inputs", "Meta", "real", "reference")
            yield Section(title="Shapes side by side", content=table(columns, sides, bad=bad))
        case _:
            pass


def _side(forms: Sequence[TensorForm], error: CallError | None) -> str:
    return _forms(forms) if error is None else error.message


def _forms(forms: Sequence[TensorForm]) -> str:
    return ", ".join(f"{list(form.shape)} {form.type}" for form in forms)


DESCRIBER = Describer(stages=("reference", "meta"), describe=describe)
