"""Every operator that the runtime lists, with every type of its first input: as sessions take or refuse it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from onnx import ValueInfoProto, helper  # noqa: TID253

from opstudio.model.graph.reader import read_model
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import examine_model
from opstudio.model.runtime.element_types import element_type_number
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.runtime.records import Arity, OperatorSchema
from opstudio.model.shapes.model_walk import walk_model
from opstudio.model.shapes.node_asking import NodeAsker
from tests.support.session_oracle import session_refusal


def nodes_of(catalogue: Catalogue, version: int) -> Iterator[tuple[OperatorSchema, tuple[int, ...]]]:
    """Yield operators with the element types of their inputs, all as the first where they may."""
    names = {
        (schema.domain, schema.type) for schema in catalogue.tables.schemas if schema.domain in ("", "com.microsoft")
    }
    for domain, name in sorted(names):
        schema = catalogue.schema(domain, name, 1 if domain else version)
        if schema is None or any(attribute.required for attribute in schema.attributes):
            continue
        inputs = [item for item in schema.inputs if item.arity is Arity.SINGLE]
        if not inputs or any(item.arity is Arity.VARIADIC for item in schema.inputs):
            continue
        for first in schema.types.get(inputs[0].type, (inputs[0].type,)):
            bound = {inputs[0].type: first}
            for item in inputs:
                allowed = schema.types.get(item.type, (item.type,))
                bound.setdefault(item.type, first if first in allowed else allowed[0])
            numbers = tuple(element_type_number(bound[item.type]) for item in inputs)
            if all(numbers):
                yield schema, numbers


@pytest.mark.parametrize("version", [7, 13, 17, 25])
def test_that_the_answer_is_the_sessions(version: int, tmp_path: Path) -> None:
    # Kernels that ask for attributes which the definition leaves open are among them, and what the runtime writes as
    # other operators, differently from opset to opset.
    catalogue, asker = Catalogue(read_runtime_tables()), NodeAsker()
    path, compared, wrong = tmp_path / "one.onnx", {True: 0, False: 0}, []
    for schema, numbers in nodes_of(catalogue, version):
        names = [f"x{slot}" for slot in range(len(numbers))]
        values = [helper.make_tensor_value_info(name, kind, None) for name, kind in zip(names, numbers, strict=True)]
        made = [f"y{slot}" for slot in range(max(schema.least_outputs, 1))]
        node = helper.make_node(schema.type, names, made, domain=schema.domain)
        graph = helper.make_graph([node], "one", values, [ValueInfoProto(name=name) for name in made])
        imports = [helper.make_opsetid("", version), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=8)
        path.write_bytes(model.SerializeToString())

        refusal, record = session_refusal(path, optimizes=False), read_model(path)
        with SourceFile(path, expected=record.identity) as file:
            evidence = examine_model(record, catalogue, walk_model(record, file, asker))

        compared[not refusal] += 1
        if evidence.good == bool(refusal):
            wrong.append((schema.domain, schema.type, numbers, refusal[:200]))
    assert wrong == []
    assert min(compared.values()) > 250
