"""What the operator should return: the reference, run once for every case and kept as array files.

The reference computes in float64 wherever the inputs are floating, and its result is rounded to the type of the output
once. That is the truth which every type of the kernel is held against.
"""

from __future__ import annotations

import enum
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.data_type import DataType
from opstudio.checks.cases import (
    Accepts,
    Case,
    Shapes,
    can_infer,
    cut_shapes,
    make_case,
)
from opstudio.checks.entries import load_entry
from opstudio.checks.reference_call import acceptance, run_reference
from opstudio.checks.special_values import special_tensor
from opstudio.contract.operator import AttributeValue, OperatorContract, Sample
from opstudio.worker.arrays import ArrayFile, ArrayFolder, ArrayReference
from opstudio.worker.context import WorkerContext

STAGE = "reference"


class CaseKind(enum.StrEnum):
    """What a case is for."""

    SAMPLE = "sample"
    SPECIAL = "special"
    """Values at which formulas break."""
    DYNAMIC = "dynamic"
    """A sample with sizes changed, for models whose sizes vary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCase:
    """A case and what the reference made of it; ``error`` where it refused."""

    kind: CaseKind
    name: str
    sample: str
    types: Mapping[str, DataType]
    attributes: Mapping[str, AttributeValue]
    inputs: Mapping[str, tuple[ArrayReference, ...]]
    outputs: tuple[ArrayReference, ...] = ()
    error: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceEvidence:
    """All cases."""

    cases: tuple[ExpectedCase, ...]

    @property
    def array_files(self) -> frozenset[str]:
        """The files that hold the arrays."""
        return frozenset(array.file for case in self.cases for group in case.inputs.values() for array in group)

    @property
    def good(self) -> bool:
        """Whether the reference accepted every case."""
        return not any(case.error for case in self.cases)

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{len(self.cases)} cases"


class Expected:
    """The expected results, read back in the process that checks the kernel."""

    def __init__(self, evidence: ReferenceEvidence, arrays: ArrayFolder) -> None:
        self._evidence = evidence
        self._arrays = arrays

    def cases(self, kind: CaseKind) -> Iterator[tuple[Case, tuple[Any, ...]]]:
        """Yield the cases of a kind with the expected outputs."""
        for item in self._evidence.cases:
            if item.kind is kind and not item.error:
                inputs = {name: tuple(map(self._arrays.tensor, group)) for name, group in item.inputs.items()}
                outputs = tuple(map(self._arrays.tensor, item.outputs))
                yield Case(item.name, item.sample, item.types, inputs, item.attributes), outputs


def run(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Worker entry point: run the reference on every case and write what it returns.

    ``payload``: ``contract``, ``folder`` of the operator, ``arrays`` (folder) and ``file`` (name of the array file).
    """
    import torch

    torch.set_num_threads(int(payload.get("threads", 1)))
    contract = from_json(OperatorContract, payload["contract"])
    folder = Path(payload["folder"])
    reference = load_entry(folder, contract.reference)
    writer = ArrayFile(Path(payload["arrays"]), payload["file"])
    cases: list[ExpectedCase] = []
    for kind, case in _all_cases(contract, acceptance(contract, reference)):
        context.progress(f"{STAGE}: {case.name}")
        cases.append(_expected_case(contract, kind, case, reference, folder, writer))
    writer.finish()
    context.emit("evidence", stage=STAGE, data=ReferenceEvidence(cases=tuple(cases)))


def _all_cases(contract: OperatorContract, accepts: Accepts) -> Iterator[tuple[CaseKind, Case]]:
    """Yield all cases: samples whole in the first type and cut in the others, then special values, then other sizes."""
    for sample in contract.samples:
        for index, types in enumerate(contract.type_combinations()):
            shapes = sample.shapes if index == 0 else cut_shapes(contract, sample, accepts)
            yield CaseKind.SAMPLE, make_case(contract, sample, shapes, types)
    roomy = max(contract.samples, key=lambda sample: sample.element_count)
    for types in contract.type_combinations():
        yield from _special_cases(contract, roomy, types, accepts)
    for name, shapes in varied_shapes(contract, roomy, accepts):
        case = make_case(contract, roomy, shapes, next(contract.type_combinations()))
        yield CaseKind.DYNAMIC, Case(f"{name} ({case.name})", case.sample, case.types, case.inputs, case.attributes)


def _special_cases(
    contract: OperatorContract, sample: Sample, types: Mapping[str, DataType], accepts: Accepts
) -> Iterator[tuple[CaseKind, Case]]:
    floating = [item for item in contract.inputs if types[item.name].is_floating]
    if not floating:
        return
    base = make_case(contract, sample, cut_shapes(contract, sample, accepts), types)
    for form in ("dense", "sparse"):
        inputs: dict[str, tuple[Any, ...]] = dict(base.inputs)
        for position, item in enumerate(floating):
            fill = _dense if form == "dense" else _sparse
            inputs[item.name] = tuple(fill(tensor, types[item.name], position) for tensor in base.inputs[item.name])
        label = types[floating[0].name].value
        name = "special values" if form == "dense" else "one special value a row"
        yield CaseKind.SPECIAL, Case(f"{name} ({label})", sample.name, base.types, inputs, base.attributes)


def _dense(tensor: Any, data_type: DataType, position: int) -> Any:
    # Another start for each input, so that different special values meet.
    return special_tensor(tuple(tensor.shape), data_type, shift=5 * position)


def _sparse(tensor: Any, data_type: DataType, position: int) -> Any:
    import torch

    if tensor.dim() == 0 or tensor.numel() == 0:
        return _dense(tensor, data_type, position)
    result = tensor.clone()
    rows = result.view(-1, result.shape[-1])
    columns = (torch.arange(rows.shape[0]) * 7 + position) % rows.shape[1]
    rows[torch.arange(rows.shape[0]), columns] = special_tensor((rows.shape[0],), data_type, shift=position)
    return result


def varied_shapes(contract: OperatorContract, sample: Sample, accepts: Accepts) -> Iterator[tuple[str, Shapes]]:
    """Yield the shapes of a sample, cut, with one size after another raised by one."""
    shapes = cut_shapes(contract, sample, accepts)
    attributes = contract.complete_attributes(sample.attributes)
    for size in sorted({size for group in shapes.values() for shape in group for size in shape}):
        raised = {
            name: tuple(tuple(other + (other == size) for other in shape) for shape in group)
            for name, group in shapes.items()
        }
        if can_infer(contract, raised, attributes) and accepts(sample, raised):
            yield f"{size} → {size + 1}", raised


def _expected_case(
    contract: OperatorContract, kind: CaseKind, case: Case, reference: Any, folder: Path, writer: ArrayFile
) -> ExpectedCase:
    error, line, outputs = "", None, ()
    try:
        outputs = run_reference(contract, reference, case)
    except Exception as problem:  # noqa: BLE001 - whatever the person's reference raises is told with its place
        error = f"{type(problem).__name__}: {problem}"
        here = [frame for frame in traceback.extract_tb(problem.__traceback__) if Path(frame.filename).parent == folder]
        line = here[-1].lineno if here else None
    return ExpectedCase(
        kind=kind,
        name=case.name,
        sample=case.sample,
        types=case.types,
        attributes=case.attributes,
        inputs={name: tuple(map(writer.add, group)) for name, group in case.inputs.items()},
        outputs=tuple(map(writer.add, outputs)),
        error=error,
        line=line,
    )
