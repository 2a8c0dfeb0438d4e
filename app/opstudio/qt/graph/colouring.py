"""What the colours of boxes say: the family of an operator, its domain, or who implements it."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from opstudio.layout.arrays import Flags, Integers
from opstudio.model.diagram.records import Box, BoxKind, Diagram, Marks, NodeState
from opstudio.model.graph.records import NodeRecord
from opstudio.qt.graph.operator_families import Family, family_of
from opstudio.qt.models.party_words import party_title

_FAMILIES = tuple(Family)
_SERIES = 8
_OF_THE_RUNTIME = ("ai.onnx", "com.microsoft", "com.ms.internal", "org.pytorch.aten")
_STANDARD_DOMAIN = "ai.onnx"


class ColourBy(enum.Enum):
    """What is told by colour."""

    FAMILY = enum.auto()
    DOMAIN = enum.auto()
    PARTY = enum.auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tone:
    """A colour and what it says. ``token`` is ``series`` with a number, or the name of a token of the theme."""

    title: str
    token: str
    nodes: int = 0
    """How many nodes of the graph have it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Colouring:
    """The tones that occur, and that of each box. Shapes: of_box: (boxes,)."""

    tones: tuple[Tone, ...]
    of_box: Integers


@dataclass(frozen=True, slots=True)
class _Key:
    """What nodes of one colour share; told in the order of ``rank``."""

    rank: int
    title: str
    token: str


def is_custom(domain: str) -> bool:
    """Whether a domain is neither ONNX's nor one that the runtime brings."""
    return bool(domain) and not any(domain == own or domain.startswith(f"{own}.") for own in _OF_THE_RUNTIME)


def colour(diagram: Diagram, nodes: Sequence[NodeRecord], marks: Marks, by: ColourBy) -> Colouring:
    """Return the colours of the boxes of a graph."""
    key_of_node = _KEYS[by](marks)
    keys = [key_of_node(number, node) for number, node in enumerate(nodes)]
    several, value = _several(), _value()
    of_box = [_box_key(box, keys, several, value) for box in diagram.boxes]
    counts = Counter(keys)
    order = sorted({*of_box, *counts}, key=lambda key: (key.rank, key.title))
    numbers = {key: number for number, key in enumerate(order)}
    return Colouring(
        tones=tuple(Tone(title=key.title, token=key.token, nodes=counts[key]) for key in order),
        of_box=np.array([numbers[key] for key in of_box], dtype=np.int64).reshape(-1),
    )


def unresolved_boxes(diagram: Diagram, marks: Marks) -> Flags:
    """Return which boxes hold a node that nobody implements. Shape: (boxes,)."""
    result = np.zeros(len(diagram.boxes), dtype=np.bool_)
    nodes = [node for node, mark in marks.items() if mark.state is NodeState.UNRESOLVED]
    known = [node for node in nodes if node < diagram.box_of_node.size]
    result[diagram.box_of_node[known]] = True
    return result


def _box_key(box: Box, keys: Sequence[_Key], several: _Key, value: _Key) -> _Key:
    if not box.nodes:
        return value
    if box.kind is BoxKind.NODE:
        return keys[box.nodes[0]]
    found = {keys[node] for node in box.nodes}
    return found.pop() if len(found) == 1 else several


def _several() -> _Key:
    return _Key(90, QCoreApplication.translate("Colours", "groups of several kinds"), "text_3")


def _value() -> _Key:
    return _Key(91, QCoreApplication.translate("Colours", "inputs and outputs"), "text_2")


def _by_family(_marks: Marks) -> Callable[[int, NodeRecord], _Key]:
    keys = {family: _family_key(family) for family in Family}
    custom = _Key(len(keys), QCoreApplication.translate("Colours", "custom domains"), "custom")
    return lambda _number, node: custom if is_custom(node.domain) else keys[family_of(node.type)]


def _family_key(family: Family) -> _Key:
    number = _FAMILIES.index(family)
    token = f"series{number}" if number < _SERIES else "text_3"
    return _Key(number, QCoreApplication.translate("Family", family.value), token)


def _by_domain(_marks: Marks) -> Callable[[int, NodeRecord], _Key]:
    numbers: dict[str, _Key] = {"": _Key(0, _STANDARD_DOMAIN, f"series{_SERIES - 1}")}

    def key(_number: int, node: NodeRecord) -> _Key:
        if node.domain not in numbers:
            token = "custom" if is_custom(node.domain) else f"series{(len(numbers) - 1) % (_SERIES - 1)}"
            numbers[node.domain] = _Key(1, node.domain, token)
        return numbers[node.domain]

    return key


def _by_party(marks: Marks) -> Callable[[int, NodeRecord], _Key]:
    unknown = _Key(80, QCoreApplication.translate("Colours", "not known yet"), "text_3")
    nobody = _Key(0, QCoreApplication.translate("Colours", "nobody"), "bad")
    function = _Key(2, QCoreApplication.translate("Colours", "functions of the file"), "info")
    parties = sorted({mark.party for mark in marks.values() if mark.party})
    keys = {party: _Key(1, party_title(party), f"series{number % _SERIES}") for number, party in enumerate(parties)}
    keys["function"] = function

    def key(number: int, _node: NodeRecord) -> _Key:
        mark = marks.get(number)
        if mark is None or mark.state is NodeState.UNKNOWN:
            return unknown
        return nobody if mark.state is NodeState.UNRESOLVED else keys.get(mark.party, unknown)

    return key


_KEYS = {ColourBy.FAMILY: _by_family, ColourBy.DOMAIN: _by_domain, ColourBy.PARTY: _by_party}
