"""What a fix is: offered by what is known of a model, described before it is made, made as changes of bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.contract.operator import OperatorContract
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.splices import Splice
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import ResolvedNode, Unresolved

STAGE = "fix"
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something that can be done about a model. ``id`` is the fix's own id with its parameters behind a colon.

    ``solves`` are the findings that are gone afterwards, as far as files and tables tell; ``notes`` are what a person
    should know before.
    """

    id: str
    title: str
    solves: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change. ``part`` names the part of the file, ``before`` and ``after`` are its text; none of it: no lines.

    ``notes`` are what a person should know of this change. ``adds`` has, for each node that is new, a value that it
    makes and that nothing of the model made before.
    """

    part: str
    words: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    splices: tuple[Splice, ...]
    notes: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FixTarget:
    """A model that is looked at for fixes: what was found out, and what was told of it.

    What walks over nodes or findings looks at ``cancel``: a damaged model may have thousands that all differ.
    """

    evidence: GraphEvidence
    findings: tuple[Finding, ...]
    cancel: CancelToken = field(default_factory=CancelToken, compare=False)
    original: Path | None = None
    """The file beside which weights lie, where the model is a changed one that stands elsewhere."""

    _answers: dict[Callable[[ModelRecord], object], object] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def once(self, ask: Callable[[ModelRecord], Answer]) -> Answer:
        """Return what a function says of the model, which is asked once for all fixes: a file may have many of each."""
        if ask not in self._answers:
            self._answers[ask] = ask(self.model)
        return cast(Answer, self._answers[ask])

    @property
    def weights_beside(self) -> Path:
        """The file beside which weights lie."""
        return self.original or self.model.path

    @property
    def model(self) -> ModelRecord:
        """The model."""
        return self.evidence.model

    @property
    def catalogue(self) -> Catalogue:
        """What the model was held against."""
        return self.evidence.catalogue

    def contract(self, domain: str, operator: str) -> OperatorContract | None:
        """Return the contract of an operator, where the workspace has one."""
        known = self.catalogue.contract(domain, operator)
        return known.contract if known is not None else None

    def contract_versions(self, domain: str) -> set[int]:
        """Return the versions that contracts of the workspace state for operators of the model."""
        self.cancel.check()
        stated = [known.contract for known in self.catalogue.contracts_of(domain)]
        used = {item.node.type for item in self.nodes_of(domain)} if stated else set()
        return {contract.version for contract in stated if contract.onnx_type in used}

    def nodes_of(self, domain: str) -> Iterator[ResolvedNode]:
        """Yield the nodes of a domain, in functions and nested graphs too."""
        return (item for item in self.evidence.nodes if item.node.domain == domain)

    def findings_of(self, domain: str, operator: str, fault: Unresolved) -> tuple[Finding, ...]:
        """Return the findings about nodes of an operator that have this fault."""
        self.cancel.check()
        wanted = {"domain": domain, "type": operator, "step": fault.step.value, "reason": fault.reason}.items()
        return tuple(
            finding for finding in self.findings if all(finding.evidence.get(key) == value for key, value in wanted)
        )

    def findings_that_say(self, reason: str) -> tuple[Finding, ...]:
        """Return the findings with exactly this cause."""
        self.cancel.check()
        return tuple(finding for finding in self.findings if finding.cause == reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """The manifest of a fix.

    ``form`` says how its parameters are written. ``offers`` looks for what can be done; ``edits`` makes the changes for
    parameters, also for ones that were not offered, and raises :class:`InputError` where they do not fit the model.
    """

    id: str
    title: str
    form: str
    offers: Callable[[FixTarget], Iterable[Offer]]
    edits: Callable[[FixTarget, str], Iterable[Edit]]


def refused(title: str, *, cause: str, fix: str) -> InputError:
    """Return the error of a fix that does not fit the model."""
    return InputError.of(title, cause=cause, fix=fix, stage=STAGE)


def wrong_parameters(fix_id: str, parameters: str, form: str) -> InputError:
    """Return the error of parameters that cannot be understood."""
    return refused(
        f"The parameters of {fix_id} are wrong",
        cause=f"{parameters!r} is not {form}" if parameters else "there are none",
        fix=f"Write {fix_id}:{form}",
    )
