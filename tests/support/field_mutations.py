"""Damage to one field of a model whose surroundings stay whole: other kinds, numbers, lengths, texts, repetitions."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable

from tests.support.damaged_models import varint
from tests.support.field_trees import DELIMITED, FIXED32, FIXED64, WHOLE_NUMBER, FieldTree, PlacedField, places, tree_of

EXTREMES = (0, 1, 2, 127, 1 << 31, (1 << 31) - 1, 1 << 40, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
"""Numbers as protobuf writes them; the last ones are the least number and −1."""
TEXTS = (
    b"",
    b"\xff\xfe\xc0",
    b"\xed\xa0\x80",
    b"a\x00b\x1b[31m\r\n\x08c",
    "\u202eevil\u2066\u200b".encode(),
    b"[red]x[/] [/] \\[",
    b"../../etc/passwd",
    b"/dev/zero",
    b"%s%n{0}{",
    b"]]>&<svg",
    b"n" * 5000,
    b"m" * (1 << 20),
)
Mutation = Callable[[random.Random, PlacedField], None]


def mutate_field(chance: random.Random, content: bytes, mutation: Mutation) -> bytes:
    """Return a model with one field damaged. Each kind of field is as likely as any other, however often it occurs."""
    root = tree_of(content)
    by_name: dict[str, list[PlacedField]] = {}
    for place in places(root):
        by_name.setdefault(place.tree.name, []).append(place)
    mutation(chance, chance.choice(by_name[chance.choice(sorted(by_name))]))
    return root.inner()


def cut_at_field(chance: random.Random, content: bytes) -> bytes:
    """Return a model that ends where one of its fields ends, the messages around it closed or not."""
    root = tree_of(content)
    place = chance.choice(list(places(root)))
    if chance.random() < 0.5:
        for message in place.around:
            index = next(
                (index for index, child in enumerate(message.children or ()) if child in (*place.around, place.tree)),
                0,
            )
            del (message.children or [])[index + 1 :]
        return root.inner()
    written = content.find(place.tree.written())
    return content[: max(1, written) + len(place.tree.written())]


def _drop(_chance: random.Random, place: PlacedField) -> None:
    place.siblings.remove(place.tree)


def _repeat(chance: random.Random, place: PlacedField) -> None:
    count = chance.choice((1, 3, 1000)) if len(place.tree.inner()) < 2000 else 1
    index = place.siblings.index(place.tree)
    place.siblings[index:index] = [place.tree] * count


def _exchange(chance: random.Random, place: PlacedField) -> None:
    other = chance.randrange(len(place.siblings))
    index = place.siblings.index(place.tree)
    place.siblings[index], place.siblings[other] = place.siblings[other], place.siblings[index]


def _renumber(chance: random.Random, place: PlacedField) -> None:
    place.tree.number = chance.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 20, 21, 25, 1000))


def _other_kind(chance: random.Random, place: PlacedField) -> None:
    """Give a field another wire type with content of that type."""
    tree = place.tree
    tree.kind = chance.choice([kind for kind in (WHOLE_NUMBER, FIXED64, DELIMITED, FIXED32) if kind != tree.kind])
    length = {WHOLE_NUMBER: 0, FIXED64: 8, FIXED32: 4, DELIMITED: chance.choice((0, 1, 7, 300))}[tree.kind]
    tree.content = varint(chance.choice(EXTREMES)) if tree.kind == WHOLE_NUMBER else chance.randbytes(length)
    tree.children = None


def _extreme(chance: random.Random, place: PlacedField) -> None:
    """Write a number, a text or a list of numbers that nobody expects."""
    tree = place.tree
    if tree.children is not None:
        _empty(chance, place)
    elif tree.kind == WHOLE_NUMBER:
        tree.content = varint(chance.choice(EXTREMES))
    elif tree.kind == DELIMITED:
        packed = b"".join(varint(chance.choice(EXTREMES)) for _ in range(chance.choice((1, 3, 900))))
        tree.content = chance.choice((*TEXTS, packed, packed))
    else:
        tree.content = chance.choice((b"\xff", b"\x00", b"\x7f")) * len(tree.content)


def _empty(_chance: random.Random, place: PlacedField) -> None:
    if place.tree.kind == DELIMITED:
        place.tree.children, place.tree.content = None, b""


def _noise(chance: random.Random, place: PlacedField) -> None:
    """Flip bits in what a field holds; its length still fits."""
    content = bytearray(place.tree.inner())
    for _ in range(chance.choice((1, 2, 8))):
        if content:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    if place.tree.kind == DELIMITED:
        place.tree.children, place.tree.content = None, bytes(content)


def _graft(chance: random.Random, place: PlacedField) -> None:
    """Put a copy of a message from further out into this one's surroundings, some of it many levels deep."""
    outer = chance.choice(place.around[1:] or place.around)
    grafted = copy.deepcopy(outer)
    grafted.number = outer.number or 7
    place.siblings.append(grafted)


def _nest(chance: random.Random, place: PlacedField) -> None:
    """Put nodes with graphs inside of graphs into the graph around the field."""
    graphs = [tree for tree in place.around if tree.name.endswith((".graph", ".g"))]
    if not graphs:
        return
    inner = FieldTree(6, DELIMITED, "AttributeProto.g", children=[])
    for _ in range(chance.choice((5, 28, 40))):
        name = FieldTree(1, DELIMITED, "AttributeProto.name", chance.choice((b"then_branch", b"else_branch", b"body")))
        attribute = FieldTree(5, DELIMITED, "NodeProto.attribute", children=[name, inner])
        kind = FieldTree(4, DELIMITED, "NodeProto.op_type", chance.choice((b"If", b"Loop", b"Scan", b"SequenceMap")))
        node = FieldTree(1, DELIMITED, "GraphProto.node", children=[kind, attribute])
        inner = FieldTree(6, DELIMITED, "AttributeProto.g", children=[node])
    chance.choice(graphs).children.extend(inner.children or ())  # type: ignore[union-attr]


FIELD_MUTATIONS: dict[str, Mutation] = {
    "drop": _drop,
    "repeat": _repeat,
    "exchange": _exchange,
    "renumber": _renumber,
    "other kind": _other_kind,
    "extreme": _extreme,
    "empty": _empty,
    "noise": _noise,
    "graft": _graft,
    "nest": _nest,
}
