"""The operator's model is exported by both exporters on both routes; the file is compared with what was asked.

Exporters fail in silence: a symbolic that is not found, an attribute that is dropped, an opset that is not honoured, a
dimension that is fixed. So the file itself is read and held against the calls that the eager model makes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.checks.cases import arguments_of, cut_shapes, make_case, round_attributes
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.entries import load_entry
from opstudio.checks.stages.load import applies
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.model.expectation import differences
from opstudio.model.export import Exportable, export_model
from opstudio.model.export_request import Exporter, ExportRecord, ExportRequest, Route

_EXAMPLE_ELEMENTS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportEvidence:
    """All exports. ``generated`` says that the model was made from the contract, for want of one in the workspace.

    ``composite`` is the operator alone, as standard nodes; absent where one export was asked for.
    """

    exports: tuple[ExportRecord, ...]
    composite: ExportRecord | None
    generated: bool
    registration: str

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
        return f"{len(self.exports)} files as asked; {nodes} standard nodes compose the operator"

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
        generated=contract.model is None,
        registration=contract.export.registration or "",
    )


def model_of(subject: Subject) -> Exportable:
    """Return the person's model, or a module that calls the operator and nothing else."""
    contract = subject.contract
    model = contract.model
    if model is None:
        return one_operator(subject)
    file = model.partition(":")[0]
    inputs = load_entry(subject.folder, f"{file}:example_inputs")()
    return Exportable(
        lambda: load_entry(subject.folder, model, fresh=True)(),  # noqa: PLW0108 - the file is imported at each call
        tuple(inputs),
        (contract,),
        {contract.qualified_name: subject.load_reference()},
        registrations=registrations_of(subject),
    )


def one_operator(subject: Subject, *, cut: bool = True) -> Exportable:
    """Return a module that calls the operator with the attributes of the largest sample, whole or cut."""
    contract = subject.contract
    sample = max(contract.samples, key=lambda item: item.element_count)
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
    return Exportable(
        lambda: _module(call, names),
        tuple(tensor for group in case.inputs.values() for tensor in group),
        (contract,),
        {contract.qualified_name: subject.load_reference()},
        registrations=registrations_of(subject),
    )


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


def dynamic_axes(contract: OperatorContract) -> dict[str, dict[int, str]]:
    """Return the axes that the contract wants to vary, by input and axis."""
    return {name: {int(axis): text for axis, text in axes.items()} for name, axes in contract.export.dynamic.items()}


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
