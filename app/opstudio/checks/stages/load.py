"""ONNX Runtime loads the operator library, accepts a node of the operator in every type, and infers its shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opstudio.base.data_type import DataType
from opstudio.checks.check import Check, Pace
from opstudio.checks.node_model import one_node_model, open_session
from opstudio.checks.results import plain_message
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.contract.shape_evaluation import infer_output_shapes


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadResult:
    """One session. Shapes are those of the outputs; a dimension that varies is a name."""

    types: Mapping[str, DataType]
    sample: str
    error: str = ""
    inferred: tuple[tuple[int | str, ...], ...] = ()
    expected: tuple[tuple[int | str, ...], ...] = ()

    @property
    def good(self) -> bool:
        """Whether the session was made and infers no wrong shape; none at all is worth a warning only."""
        return not self.error and (self.inferred == self.expected or self.is_unknown)

    @property
    def is_unknown(self) -> bool:
        """Whether the runtime infers no shape where there is one."""
        return not any(self.inferred) and any(self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadEvidence:
    """All sessions."""

    sessions: tuple[LoadResult, ...]
    library: str
    providers: tuple[str, ...] = ()
    """What the sessions run on."""

    @property
    def good(self) -> bool:
        """Whether every session was made."""
        return all(session.good for session in self.sessions)

    @property
    def summary(self) -> str:
        """One line for people."""
        shapes = "no shapes inferred" if any(item.is_unknown for item in self.sessions) else "shapes inferred right"
        return f"{len(self.sessions)} sessions, {shapes}"


def run(subject: Subject) -> LoadEvidence:
    """Make a session for every type with the sizes of a sample, and one for every sample in the first type."""
    contract = subject.contract
    results: list[LoadResult] = []
    providers: dict[str, None] = {}
    combinations = list(contract.type_combinations())
    for sample in contract.samples:
        for types in combinations if sample is contract.samples[0] else combinations[:1]:
            subject.progress("load", f"{sample.name} ({', '.join(kind.value for kind in types.values())})")
            attributes = contract.complete_attributes(sample.attributes)
            shapes = infer_output_shapes(contract, sample.shapes, attributes)
            expected = tuple(shapes[output.name] for output in contract.outputs)
            try:
                model = one_node_model(contract, types, sample.shapes, attributes)
                session = open_session(model, subject.library)
                providers |= dict.fromkeys(session.get_providers())
                inferred = tuple(tuple(output.shape) for output in session.get_outputs())
                results.append(LoadResult(types=types, sample=sample.name, inferred=inferred, expected=expected))
            except Exception as error:  # noqa: BLE001 - what the runtime says is evidence
                results.append(
                    LoadResult(types=types, sample=sample.name, error=plain_message(error), expected=expected)
                )
    return LoadEvidence(sessions=tuple(results), library=subject.library or "", providers=tuple(providers))


def applies(contract: OperatorContract) -> str:
    """A raw operator without ONNX Runtime sources has nothing to load."""
    if contract.kernel.kind.value == "raw" and not contract.kernel.onnxruntime:
        return "the contract names no ONNX Runtime sources"
    return ""


CHECK = Check(
    id="load",
    title="Load",
    order=100,
    pace=Pace.FAST,
    evidence=LoadEvidence,
    run=run,
    needs=("meta",),
    applies=applies,
)
