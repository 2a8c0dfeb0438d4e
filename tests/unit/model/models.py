"""Model files and export records, made by hand."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from onnx import TensorProto, helper, save_model  # noqa: TID253 - models are what this is about

from opstudio.model.export_request import (
    DynamicAxis,
    EagerRun,
    Exporter,
    ExportRecord,
    ExportRequest,
    OperatorCall,
    Route,
)
from opstudio.model.summary import summarize_model

STANDARD = ("", 18)
CUSTOM = ("myops", 1)

CALL = OperatorCall(
    domain="myops",
    operator="myops::swish",
    onnx_type="Swish",
    version=1,
    tensor_inputs=1,
    attributes={"beta": "0.5"},
    kinds={"beta": "FLOAT"},
)


def a_tensor(name: str, *shape: int | str) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))


def swish(inputs: list[str] | None = None, output: str = "y", **attributes: Any) -> Any:
    """Return a node of the operator that :data:`CALL` calls."""
    given = {name: value for name, value in {"beta": 0.5, **attributes}.items() if value is not None}
    return helper.make_node("Swish", inputs or ["x"], [output], domain="myops", name="swish", **given)


def a_model(
    *nodes: Any,
    imports: tuple[tuple[str, int], ...] = (STANDARD, CUSTOM),
    inputs: tuple[Any, ...] = (a_tensor("x", "batch", 4),),
    outputs: tuple[Any, ...] = (a_tensor("y", "batch", 4),),
    **more: Any,
) -> Any:
    """Return a model; ``initializer`` and ``functions`` may be given as well."""
    graph = helper.make_graph(list(nodes), "graph", list(inputs), list(outputs), more.pop("initializer", None))
    identifiers = [helper.make_opsetid(domain, version) for domain, version in imports]
    return helper.make_model(graph, opset_imports=identifiers, ir_version=10, **more)


def a_record(
    folder: Path,
    model: Any,
    *,
    calls: tuple[OperatorCall, ...] = (CALL,),
    route: Route = Route.CUSTOM,
    dynamic: tuple[DynamicAxis, ...] = (),
    **more: Any,
) -> ExportRecord:
    """Return the record of an export at opset 18 that wrote this model."""
    path = folder / "model.onnx"
    save_model(model, str(path))
    request = ExportRequest(exporter=Exporter.DYNAMO, route=route, opset=18, dynamic=dynamic)
    return ExportRecord(
        request=request,
        inputs=("x",),
        eager=EagerRun(calls=calls, inputs=((2, 4),), outputs=((2, 4),)),
        file=str(path),
        summary=summarize_model(path),
        **more,
    )


def calls_of(*betas: str, **more: Any) -> tuple[OperatorCall, ...]:
    """Return a call for each value of the attribute."""
    return tuple(dataclasses.replace(CALL, attributes={"beta": beta}, **more) for beta in betas)
