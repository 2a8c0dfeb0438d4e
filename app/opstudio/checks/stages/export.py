"""The operator's model is exported by both exporters on both routes; the file is compared with what was asked.

Exporters fail in silence: a symbolic that is not found, an attribute that is dropped, an opset that is not honoured, a
dimension that is fixed. So the file itself is read and held against the calls that the eager model makes.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.checks.cases import arguments_of, cut_shapes, make_case, round_attributes
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.entries import load_entry
from opstudio.checks.stages.load import applies
from opstudio.checks.subject import Subject
from opstudio.checks.user_model import example_inputs, make_module
from opstudio.contract.operator import OperatorContract, Sample
from opstudio.model.expectation import differences
from opstudio.model.export import export_model
from opstudio.model.export_request import DynamicAxis, Exporter, ExportRecord, ExportRequest, Route
from opstudio.model.exportable import Exportable

_EXAMPLE_ELEMENTS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportEvidence:
    """All exports. ``composite`` is the operator alone, as standard nodes; absent where one export was asked for.

    ``model`` is the file of the model, empty where the operator was exported for want of one; ``registration`` is the
    person's own registration with the exporters. Both are relative to the operator's folder. ``delivered`` says that
    the file is what was asked for, and not only a check.
    """

    exports: tuple[ExportRecord, ...]
    composite: ExportRecord | None
    model: str
    registration: str
    delivered: bool = False

    @property
    def good(self) -> bool:
        """Whether every file holds what was asked for."""
        return not any(record.error or differences(record) for record in self.records)

    @property
    def summary(self) -> str:
        """One line for people."""
        if self.composite is None or self.composite.summary is None:
            return "the file is as asked"
        nodes = sum(self.composite.summary.standard_types.values())
        parts = "1 standard node composes" if nodes == 1 else f"{nodes} standard nodes compose"
        return f"{len(self.exports)} files as asked; {parts} the operator"

    @property
    def records(self) -> tuple[ExportRecord, ...]:
        """All exports, the operator alone last."""
        return self.exports if self.composite is None else (*self.exports, self.composite)


def run(subject: Subject) -> ExportEvidence:
    """Export four times, and the operator alone once."""
    contract = subject.contract
    folder = Path(subject.options["exports"])
    folder.mkdir(parents=True, exist_ok=True)
    subject.set_guards(False, False)
    try:
        model = model_of(subject)
        records = []
        for exporter in Exporter:
            for route in Route:
                subject.progress("export", f"{exporter.value}, {route.value}")
                request = ExportRequest(
                    exporter=exporter, route=route, opset=contract.export.opset, dynamic=dynamic_axes(contract)
                )
                path = folder / f"{exporter.value}-{route.value}.onnx"
                records.append(export_model(model, request, path, subject.folder))
        subject.progress("export", "the operator alone")
        alone = one_operator(subject, cut=False)
        request = ExportRequest(exporter=Exporter.DYNAMO, route=Route.STANDARD, opset=contract.export.opset)
        composite = export_model(alone, request, folder / "operator-standard.onnx", subject.folder)
    finally:
        subject.set_guards(True, False)
    return ExportEvidence(
        exports=tuple(records),
        composite=composite,
        model=(contract.model or "").partition(":")[0],
        registration=contract.export.registration or "",
    )


def model_of(subject: Subject, *, cut: bool = True) -> Exportable:
    """Return the person's model, or a module that calls the operator and nothing else, on a sample whole or cut.

    Raises:
        InputError: the model or its example inputs cannot be made.
    """
    if subject.contract.model is None:
        return one_operator(subject, cut=cut)
    return calling(model_of_file(subject.folder, subject.contract.model), [subject])


def model_of_file(folder: Path, entry: str) -> Exportable:
    """Return what ``FILE.py:NAME`` makes, as if it called no custom operator.

    Raises:
        InputError: the module or its example inputs cannot be made.
    """
    inputs, named = example_inputs(folder, entry.partition(":")[0], make_module(folder, entry))
    return Exportable(make=lambda: make_module(folder, entry), inputs=inputs, named=named, contracts=(), references={})


def calling(exportable: Exportable, subjects: Sequence[Subject]) -> Exportable:
    """Return the same with the operators that it calls.

    Raises:
        InputError: a reference or a registration cannot be imported.
    """
    return dataclasses.replace(
        exportable,
        contracts=tuple(subject.contract for subject in subjects),
        references={subject.contract.qualified_name: subject.load_reference() for subject in subjects},
        registrations={name: register for subject in subjects for name, register in registrations_of(subject).items()},
    )


def example_sample(contract: OperatorContract) -> Sample:
    """Return the sample that an operator without a model is exported with: the largest."""
    return max(contract.samples, key=lambda item: item.element_count)


def one_operator(subject: Subject, *, cut: bool = True) -> Exportable:
    """Return a module that calls the operator with the attributes of the largest sample, whole or cut."""
    contract = subject.contract
    sample = example_sample(contract)
    shapes = cut_shapes(contract, sample, subject.accepts, elements=_EXAMPLE_ELEMENTS) if cut else sample.shapes
    case = make_case(contract, sample, shapes, next(contract.type_combinations()))
    attributes = round_attributes(contract, case.attributes)
    counts = {item.name: len(case.inputs[item.name]) for item in contract.inputs}

    def call(*tensors: Any) -> Any:
        import torch

        rest = list(tensors)
        groups = {name: tuple(rest.pop(0) for _ in range(count)) for name, count in counts.items()}
        operator = getattr(getattr(torch.ops, contract.domain), contract.name)
        return operator(*arguments_of(contract, groups, attributes))

    names = [name if count == 1 else f"{name}_{index}" for name, count in counts.items() for index in range(count)]
    alone = Exportable(
        make=lambda: _module(call, names),
        inputs=tuple(tensor for group in case.inputs.values() for tensor in group),
        contracts=(),
        references={},
        outputs=tuple(item.name for item in contract.outputs),
    )
    return calling(alone, [subject])


def _module(call: Callable[..., Any], names: list[str]) -> Any:
    """Return a module whose forward has named arguments, which the exporters read from its signature."""
    import torch

    class Alone(torch.nn.Module):  # type: ignore[misc]  # PyTorch's class has no static type
        def forward(self, *tensors: Any) -> Any:
            return call(*tensors)

    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", *names)]
    Alone.forward.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return Alone()


def registrations_of(subject: Subject) -> dict[str, Callable[[], Mapping[Any, Any] | None]]:
    """Return the person's own registration with the exporters by the operator's qualified name, if there is one."""
    name = subject.contract.export.registration
    return {} if name is None else {subject.contract.qualified_name: load_entry(subject.folder, f"{name}:register")}


def dynamic_axes(contract: OperatorContract) -> tuple[DynamicAxis, ...]:
    """Return the axes that the contract wants to vary."""
    return tuple(
        DynamicAxis(input=name, axis=int(axis), name=text)
        for name, axes in contract.export.dynamic.items()
        for axis, text in axes.items()
    )


CHECK = Check(
    id="export",
    title="Export",
    order=120,
    pace=Pace.SLOW,
    evidence=ExportEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.BINDING, Part.REFERENCE, Part.MODEL, Part.FRAMEWORKS}),
    needs=("meta",),
    applies=applies,
    quiet_seconds=90.0,
)
