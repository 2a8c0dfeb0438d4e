"""A model as data: graphs, functions, nodes and attributes.

Weights stay in their files. Values are known by name; :mod:`opstudio.model.graph.value_index` says who makes and who
uses one. Domains are normalised: the standard domain, which files call ``ai.onnx`` or nothing at all, has no name.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from opstudio.model.graph.tensor_records import (
    SparseTensorRecord,
    TensorRecord,
)
from opstudio.model.graph.value_types import (
    ValueRecord,
    ValueType,
)


class FileFormat(enum.StrEnum):
    """How a model is written."""

    ONNX = "onnx"
    ORT = "ort"
    """ONNX Runtime's own format. Its nodes may have been fused and given to execution providers."""


class AttributeKind(enum.IntEnum):
    """The kinds of attributes, with ONNX's numbers."""

    UNDEFINED = 0
    FLOAT = 1
    INT = 2
    STRING = 3
    TENSOR = 4
    GRAPH = 5
    FLOATS = 6
    INTS = 7
    STRINGS = 8
    TENSORS = 9
    GRAPHS = 10
    SPARSE_TENSOR = 11
    SPARSE_TENSORS = 12
    TYPE = 13
    TYPES = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkValue:
    """A long value of an attribute that was left in the file; see ``attribute_values.read_attribute_value``.

    ``offset`` and ``length`` are those of the whole attribute.
    """

    offset: int
    length: int


AttributeItem: TypeAlias = "float | int | str | bytes | TensorRecord | SparseTensorRecord | GraphRecord | ValueType"
AttributeValue: TypeAlias = "AttributeItem | tuple[AttributeItem, ...] | BulkValue | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeRecord:
    """An attribute of a node. Strings that are not UTF-8 stay bytes.

    Inside of a function, ``reference`` names the function's own attribute that gives the value, which is then ``None``.
    """

    name: str
    kind: AttributeKind
    value: AttributeValue
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRecord:
    """A node. Empty names among inputs and outputs are optional ones left out.

    ``offset`` and ``length`` say where the node stands in the file; its documentation and metadata, where exporters
    keep stack traces, are read from there when asked for: ``node_notes.read_notes``. In ORT format, ``length`` is 0
    and ``provider`` names the execution provider that the node was given to.
    """

    name: str
    domain: str
    type: str
    overload: str = ""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[AttributeRecord, ...]
    offset: int
    length: int
    provider: str = ""

    @property
    def subgraphs(self) -> Iterator[tuple[str, GraphRecord]]:
        """The graphs among the attributes, each with the attribute's name."""
        for attribute in self.attributes:
            values = attribute.value if isinstance(attribute.value, tuple) else (attribute.value,)
            for value in values:
                if isinstance(value, GraphRecord):
                    yield attribute.name, value


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRecord:
    """A graph: of the model, or nested in a node.

    ``quantization`` says for the name of a value which other values hold its scale and zero point.
    """

    name: str
    nodes: tuple[NodeRecord, ...]
    inputs: tuple[ValueRecord, ...]
    outputs: tuple[ValueRecord, ...]
    value_infos: tuple[ValueRecord, ...]
    initializers: tuple[TensorRecord, ...]
    sparse_initializers: tuple[SparseTensorRecord, ...] = ()
    doc_string: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    quantization: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def true_inputs(self) -> tuple[ValueRecord, ...]:
        """The inputs that a caller must give: files before IR version 4 list initializers among them."""
        given = {tensor.name for tensor in self.initializers} | {tensor.name for tensor in self.sparse_initializers}
        return tuple(value for value in self.inputs if value.name not in given)


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionRecord:
    """A local function. It sees its own inputs only, and has operator sets of its own.

    ``attributes`` must be given by a caller, ``defaults`` may be left out. ``spells_standard`` says that its import of
    the standard domain is written ``ai.onnx``, and none without a name.
    """

    domain: str
    name: str
    overload: str = ""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[str, ...]
    defaults: tuple[AttributeRecord, ...]
    nodes: tuple[NodeRecord, ...]
    value_infos: tuple[ValueRecord, ...]
    opsets: Mapping[str, int]
    doc_string: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    spells_standard: bool = False

    @property
    def title(self) -> str:
        """The domain and the name, and which overload it is."""
        overload = f" ({self.overload})" if self.overload else ""
        return f"{self.domain}:{self.name}{overload}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileIdentity:
    """What tells whether a file is still the one that was read: size in bytes, inode, time of change."""

    size: int
    device: int
    inode: int
    modified_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """A model file.

    ``opsets`` has the version of each imported operator set by domain. ``ir_version`` is 0 where the file says none.
    ``runtime_version`` is that of ONNX Runtime's own format, empty for ONNX. ``training_graphs`` counts graphs for
    training, which are not read.
    """

    path: Path
    identity: FileIdentity
    format: FileFormat
    ir_version: int
    producer: str
    producer_version: str
    domain: str
    model_version: int
    doc_string: str
    opsets: Mapping[str, int]
    metadata: Mapping[str, str]
    graph: GraphRecord
    functions: tuple[FunctionRecord, ...] = ()
    training_graphs: int = 0
    runtime_version: str = ""
