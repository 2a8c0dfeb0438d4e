"""ONNX Runtime's own format: the graph as it was when the runtime saved it, with its optimisations.

Nodes say of which version of their operator set they are and which execution provider they were given to; local
functions are gone. Source: ``onnxruntime/core/flatbuffers/schema/ort.fbs``, format version 6.
"""

from __future__ import annotations

import sys

from opstudio.model.graph.element_types import STRING
from opstudio.model.graph.flatbuffer import FlatBuffer, Table
from opstudio.model.graph.read_graphs import normalised_domain
from opstudio.model.graph.read_tensors import MOST_DIMENSIONS
from opstudio.model.graph.records import (
    AttributeKind,
    AttributeRecord,
    AttributeValue,
    FileFormat,
    GraphRecord,
    ModelRecord,
    NodeRecord,
)
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.tensor_records import (
    ExternalBytes,
    ExternalProblem,
    RawBytes,
    SparseTensorRecord,
    TensorData,
    TensorRecord,
)
from opstudio.model.graph.value_types import (
    Dimension,
    MapType,
    SequenceType,
    TensorType,
    ValueRecord,
    ValueType,
)
from opstudio.model.graph.wire import BrokenModelError

_MOST_NUMBERS = 1_000_000
_SIZE_IS_NUMBER, _SIZE_IS_NAME = 1, 2


def read_ort_model(file: SourceFile) -> ModelRecord:
    """Read a file in ONNX Runtime's format.

    Raises:
        BrokenModelError: a reference leads out of the file, or there is no model.
    """
    session = FlatBuffer(file).root()
    model = session.table(1)
    graph = model.table(7) if model else None
    if model is None or graph is None:
        raise BrokenModelError(session.position, "there is no graph")
    return ModelRecord(
        path=file.path,
        identity=file.identity,
        format=FileFormat.ORT,
        runtime_version=session.text(0),
        ir_version=model.number(0),
        producer=model.text(2),
        producer_version=model.text(3),
        domain=model.text(4),
        model_version=model.number(5),
        doc_string=model.text(6),
        opsets={normalised_domain(item.text(0)): item.number(1) for item in model.tables(1)},
        metadata={item.text(0): item.text(1) for item in model.tables(9)},
        graph=_graph(graph, model.text(8)),
    )


def _graph(table: Table, doc_string: str = "") -> GraphRecord:
    types = {value.name: value for value in map(_value, table.tables(1))}
    inputs, outputs = table.texts(5), table.texts(6)
    ends = {*inputs, *outputs}
    return GraphRecord(
        name="",
        nodes=tuple(_node(node) for node in table.tables(2)),
        inputs=tuple(types.get(name, ValueRecord(name=name, type=None)) for name in inputs),
        outputs=tuple(types.get(name, ValueRecord(name=name, type=None)) for name in outputs),
        value_infos=tuple(value for name, value in types.items() if name not in ends and value.type is not None),
        initializers=tuple(_tensor(tensor) for tensor in table.tables(0)),
        sparse_initializers=tuple(_sparse(tensor) for tensor in table.tables(7)),
        doc_string=doc_string,
    )


def _node(table: Table) -> NodeRecord:
    return NodeRecord(
        name=table.text(0),
        domain=normalised_domain(sys.intern(table.text(2))),
        type=sys.intern(table.text(5)),
        inputs=tuple(sys.intern(name) for name in table.texts(8)),
        outputs=tuple(sys.intern(name) for name in table.texts(9)),
        attributes=tuple(_attribute(item) for item in table.tables(10)),
        offset=table.position,
        length=0,
        provider=sys.intern(table.text(7)),
    )


def _attribute(table: Table) -> AttributeRecord:
    number = table.number(2, "<i")
    kind = AttributeKind(number) if 0 <= number <= AttributeKind.GRAPHS else AttributeKind.UNDEFINED
    return AttributeRecord(name=sys.intern(table.text(0)), kind=kind, value=_attribute_value(table, kind))


def _attribute_value(table: Table, kind: AttributeKind) -> AttributeValue:  # noqa: PLR0911 - one line for each kind
    match kind:
        case AttributeKind.FLOAT:
            return table.real(3)
        case AttributeKind.INT:
            return table.number(4)
        case AttributeKind.STRING:
            return table.text(5)
        case AttributeKind.TENSOR:
            tensor = table.table(6)
            return _tensor(tensor) if tensor else None
        case AttributeKind.GRAPH:
            graph = table.table(7)
            return _graph(graph) if graph else None
        case AttributeKind.FLOATS:
            return table.numbers(8, "f", most=_MOST_NUMBERS)
        case AttributeKind.INTS:
            return table.numbers(9, "q", most=_MOST_NUMBERS)
        case AttributeKind.STRINGS:
            return tuple(table.texts(10))
        case AttributeKind.TENSORS:
            return tuple(_tensor(item) for item in table.tables(11))
        case AttributeKind.GRAPHS:
            return tuple(_graph(item) for item in table.tables(12))
    return None


def _tensor(table: Table) -> TensorRecord:
    code = table.number(3, "<i")
    shape = tuple(int(size) for size in table.numbers(2, "q", most=MOST_DIMENSIONS))
    raw = table.vector(4, 1)
    external = table.number(6) if code != STRING else -1
    data: TensorData | None = RawBytes(offset=raw[0], length=raw[1]) if raw else None
    if raw is None and external > 0:
        data = ExternalBytes(
            location="",
            offset=external,
            length=0,
            path=None,
            problem=ExternalProblem.BAD_LOCATION,
            detail="its weights lie in a second file, which files in ONNX Runtime's format do not name",
        )
    return TensorRecord(name=sys.intern(table.text(0)), element_type=code, shape=shape, data=data)


def _sparse(table: Table) -> SparseTensorRecord:
    values, indices = table.table(0), table.table(1)
    if values is None:
        raise BrokenModelError(table.position, "a sparse tensor has no values")
    return SparseTensorRecord(
        values=_tensor(values),
        indices=_tensor(indices) if indices else None,
        shape=tuple(int(size) for size in table.numbers(2, "q", most=MOST_DIMENSIONS)),
    )


def _value(table: Table) -> ValueRecord:
    kind = table.table(2)
    return ValueRecord(name=sys.intern(table.text(0)), type=_type(kind) if kind else None)


def _type(table: Table) -> ValueType | None:
    """Read a ``TypeInfo``: field 1 says what field 2 holds."""
    value = table.table(2)
    if value is None:
        return None
    match table.number(1, "<B"):
        case 1:
            shape = value.table(1)
            sizes = tuple(_dimension(item) for item in shape.tables(0)) if shape else None
            return TensorType(element_type=value.number(0, "<i"), shape=sizes)
        case 2:
            element = value.table(0)
            return SequenceType(element=_type(element) if element else None)
        case 3:
            item = value.table(1)
            return MapType(key_type=value.number(0, "<i"), value=_type(item) if item else None)
    return None


def _dimension(table: Table) -> Dimension:
    value = table.table(0)
    if value is None:
        return None
    kind = value.number(0, "<b")
    if kind == _SIZE_IS_NUMBER:
        return value.number(1)
    return value.text(2) or None if kind == _SIZE_IS_NAME else None
