"""What a person can choose to be done about a model: what is offered, and fixes that nobody asks for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opstudio.base.errors import StudioError
from opstudio.base.finding import Finding
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer
from opstudio.model.fixes.registry import all_fixes, edits_of, find_offers
from opstudio.model.graph.records import FileFormat
from opstudio.model.graph.value_types import TensorType
from opstudio.workflows.graph import GraphReport

_LOWEST_OPSET = 2
"""Below it there is nothing to lower."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixChoice:
    """A fix with its parameters, which the person may change; ``offer`` is what was offered, with other ones perhaps.

    ``key`` stays the same while the parameters change.
    """

    key: str
    fix: Fix
    parameters: str
    offer: Offer | None = None

    @property
    def id(self) -> str:
        """The fix's own id with the parameters behind a colon."""
        return _joined(self.fix, self.parameters)

    @property
    def is_as_offered(self) -> bool:
        """Whether it does what was offered."""
        return self.offer is not None and self.offer.id == self.id

    @property
    def title(self) -> str:
        """What happens, in words."""
        if self.offer is not None and self.is_as_offered:
            return self.offer.title
        return f"{self.fix.title}: {self.parameters}" if self.parameters else self.fix.title

    @property
    def solves(self) -> tuple[Finding, ...]:
        """The findings that are gone afterwards."""
        return self.offer.solves if self.offer is not None and self.is_as_offered else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before."""
        return self.offer.notes if self.offer is not None and self.is_as_offered else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FixPreview:
    """What a choice changes, or why it does not fit the model."""

    choice: FixChoice
    edits: tuple[Edit, ...] = ()
    failure: tuple[Finding, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before, of the fix and of its changes."""
        noted = (note for edit in self.edits for note in edit.notes)
        return tuple(dict.fromkeys((*self.choice.notes, *noted)))


def choices_of(report: GraphReport) -> tuple[FixChoice, ...]:
    """Return what can be done: what solves findings first, then what is offered besides, then what nobody asks for."""
    if report.model.format is not FileFormat.ONNX:
        return ()
    offers = find_offers(_target(report))
    offered = [_offered(offer) for offer in offers]
    return (*offered, *_unasked(report, offers))


def with_parameters(choice: FixChoice, parameters: str) -> FixChoice:
    """Return a choice with other parameters."""
    return dataclasses.replace(choice, parameters=parameters)


def preview_of(report: GraphReport, choice: FixChoice) -> FixPreview:
    """Return what a choice changes in the model, which is read for it; a fix that does not fit says why."""
    try:
        return FixPreview(choice=choice, edits=edits_of(_target(report), choice.id))
    except StudioError as error:
        return FixPreview(choice=choice, failure=error.findings)


def _offered(offer: Offer) -> FixChoice:
    name, _, parameters = offer.id.partition(":")
    return FixChoice(key=offer.id, fix=all_fixes()[name], parameters=parameters, offer=offer)


def _unasked(report: GraphReport, offers: Sequence[Offer]) -> Iterator[FixChoice]:
    """Yield fixes that a person may want although nothing is wrong, each with parameters to begin with."""
    taken = {offer.id.partition(":")[0] for offer in offers}
    for name, parameters in _first_parameters(report):
        if name not in taken:
            fix = all_fixes()[name]
            yield FixChoice(key=_joined(fix, parameters), fix=fix, parameters=parameters)


def _first_parameters(report: GraphReport) -> Iterator[tuple[str, str]]:
    model = report.model
    opset = model.opsets.get("", 0)
    if opset >= _LOWEST_OPSET:
        yield "lower-opset", str(opset - 1)
    sizes = [
        (f"{value.name}[{axis}]", size)
        for value in model.graph.true_inputs
        if isinstance(value.type, TensorType)
        for axis, size in enumerate(value.type.shape or ())
    ]
    for name, is_wanted, value in (("make-dynamic", int, "batch"), ("make-fixed", str, "1")):
        place = next((place for place, size in sizes if isinstance(size, is_wanted)), None)
        if place is not None:
            yield name, f"{place}={value}"


def _joined(fix: Fix, parameters: str) -> str:
    return f"{fix.id}:{parameters}" if parameters else fix.id


def _target(report: GraphReport) -> FixTarget:
    return FixTarget(evidence=report.evidence, findings=report.findings)
