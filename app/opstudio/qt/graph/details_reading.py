"""What is read from the file for one node or one tensor, beside the window's thread; a little of it, however large."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Place
from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.attribute_values import read_attribute_value
from opstudio.model.graph.element_types import ELEMENT_TYPES, STRING
from opstudio.model.graph.node_notes import NodeNotes, read_notes
from opstudio.model.graph.records import AttributeValue, BulkValue, FileFormat, ModelRecord, NodeRecord
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.tensor_statistics import TensorStatistics, tensor_statistics
from opstudio.model.graph.tensor_values import read_values
from opstudio.qt.graph.details_numbers import element_text

_MOST_ITEMS = 10_000
_PREVIEWED = 16
_WHOLE = frozenset(code for code, kind in ELEMENT_TYPES.items() if kind.name.startswith(("int", "uint", "bool")))
"""Element types whose values are whole numbers."""
_MOST_PREVIEWS = 12
_MOST_SOURCES = 8
_FRAME = re.compile(
    r'File "(?P<file>[^"\n]+)", line (?P<line>\d{1,7})|^(?P<file2>[^\n]+\.py)\((?P<line2>\d{1,7})\): ', re.MULTILINE
)
"""As Python writes frames of a traceback, and as the TorchScript exporter does."""
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_TRACE = "pkg.torch.onnx.stack_trace"
_SCOPES = "pkg.torch.onnx.name_scopes"
_NAMESPACE = "namespace"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReading:
    """What the file says of a node beyond its record.

    ``values`` has long attributes, ``previews`` the first values of tensors among the attributes. ``module`` is the
    path of the module that the exporter took the node from, ``sources`` the lines of the program, the innermost last;
    only those whose files are there are ``found``. ``problem`` says why something could not be read.
    """

    values: Mapping[str, AttributeValue] = field(default_factory=dict)
    previews: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: NodeNotes = field(default_factory=NodeNotes)
    module: str = ""
    sources: tuple[Place, ...] = ()
    found: frozenset[Place] = frozenset()
    problem: Finding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorReading:
    """Values of a tensor and what they are like; ``statistics`` is ``None`` for strings and where nobody asked.

    ``is_whole`` says that the parts of the histogram are whole numbers, one each.
    """

    values: tuple[str, ...] = ()
    statistics: TensorStatistics | None = None
    is_whole: bool = False
    problem: Finding | None = None


def read_node(model: ModelRecord, node: NodeRecord) -> NodeReading:
    """Read what the file says of a node. Errors of the file are told in the result."""
    values: dict[str, AttributeValue] = {}
    previews: dict[str, tuple[str, ...]] = {}
    notes = NodeNotes()
    problem: Finding | None = None
    try:
        if model.format is FileFormat.ONNX:
            notes = next(iter(read_notes(model, [node])), notes)
        for attribute in node.attributes:
            if isinstance(attribute.value, BulkValue):
                values[attribute.name] = read_attribute_value(model, attribute, most=_MOST_ITEMS)
            else:
                items = attribute.value if isinstance(attribute.value, tuple) else (attribute.value,)
                if texts := tuple(_previews(model, items)):
                    previews[attribute.name] = texts
    except InputError as error:
        problem = error.findings[0]
    sources = tuple(_sources(notes))
    return NodeReading(
        values=values,
        previews=previews,
        notes=notes,
        module=_module(notes.metadata),
        sources=sources,
        found=frozenset(place for place in sources if _is_there(place)),
        problem=problem,
    )


def read_tensor(
    model: ModelRecord, tensor: TensorRecord, *, count: int, with_statistics: bool, cancel: CancelToken
) -> TensorReading:
    """Read the first values of a tensor, and the statistics of all of them.

    Raises:
        CancelledError: ``cancel`` was set.
    """
    try:
        values = tuple(element_text(value) for value in read_values(model, tensor, count=count))
        is_counted = with_statistics and tensor.element_type != STRING and tensor.element_count > 0
        statistics = tensor_statistics(model, tensor, cancel=cancel) if is_counted else None
    except InputError as error:
        return TensorReading(problem=error.findings[0])
    if statistics is not None and tensor.element_type in _WHOLE:
        by_number = _by_number(statistics)
        return TensorReading(values=values, statistics=by_number or statistics, is_whole=by_number is not None)
    return TensorReading(values=values, statistics=statistics)


def _by_number(found: TensorStatistics) -> TensorStatistics | None:
    """Return statistics of whole numbers with a part for each of them; ``None`` where there are more than parts."""
    if found.minimum is None or found.maximum is None:
        return None
    reach, bins = round(found.maximum - found.minimum), len(found.histogram)
    if reach >= bins:
        return None
    # Each number fell into a part of its own, as there are fewer numbers than parts.
    parts = [min(number * bins // reach, bins - 1) if reach else 0 for number in range(reach + 1)]
    return replace(found, histogram=tuple(found.histogram[part] for part in parts))


def _previews(model: ModelRecord, items: Sequence[object]) -> Iterator[str]:
    for item in items[:_MOST_PREVIEWS]:
        tensor = item.values if isinstance(item, SparseTensorRecord) else item
        if isinstance(tensor, TensorRecord):
            try:
                values = read_values(model, tensor, count=_PREVIEWED)
            except InputError as error:
                yield error.findings[0].cause
                continue
            more = ", …" if tensor.element_count > _PREVIEWED else ""
            yield ", ".join(element_text(value) for value in values) + more


def _module(metadata: Mapping[str, str]) -> str:
    """Return the module that a node was exported from: PyTorch writes a list of the scopes, from the model inwards."""
    names = [one or other for one, other in _QUOTED.findall(metadata.get(_SCOPES, "")) if one or other]
    if names:
        # The last scope is the operation itself.
        return names[-2] if len(names) > 1 else ""
    return metadata.get(_NAMESPACE, "")


def _sources(notes: NodeNotes) -> Iterator[Place]:
    trace = notes.metadata.get(_TRACE, "") or notes.doc_string
    for match in itertools.islice(_FRAME.finditer(trace), _MOST_SOURCES):
        yield Place(file=match["file"] or match["file2"], line=int(match["line"] or match["line2"]))


def _is_there(place: Place) -> bool:
    # A relative path would be looked for wherever the studio happens to run.
    with contextlib.suppress(OSError, ValueError):
        return place.file is not None and Path(place.file).is_absolute() and Path(place.file).is_file()
    return False
