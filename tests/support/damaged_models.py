"""Damaged and hostile model files: mutations of whole ones, and files that were written to do harm.

All of it follows from the seed, so that a file that did harm can be made again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

Mutation = Callable[[random.Random, bytearray], None]


def varint(value: int) -> bytes:
    """Return a number in protobuf's form."""
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def header(number: int, length: int) -> bytes:
    """Return what stands before the content of a field of that length."""
    return varint(number << 3 | 2) + varint(length)


def field(number: int, content: bytes) -> bytes:
    """Return a field of protobuf that holds bytes, a text or a message."""
    return header(number, len(content)) + content


def damaged_models(seeds: Mapping[str, bytes], *, seed: int, mutations: int) -> Iterator[tuple[str, bytes]]:
    """Yield the hostile files, and then so many mutations of ``seeds``, each with a name."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    yield from hostile_models()
    names = sorted(seeds)
    kinds = sorted(_MUTATIONS)
    for index in range(mutations):
        name, kind = names[index % len(names)], kinds[index % len(kinds)]
        content = bytearray(seeds[name])
        for _ in range(chance.choice((1, 1, 2, 5))):
            if content:
                _MUTATIONS[kind](chance, content)
        yield f"{index:03}-{kind}-{name}", bytes(content)


def hostile_models() -> Iterator[tuple[str, bytes]]:
    """Yield files that ask for time, for memory, for a deep stack, or for other people's files."""
    many = 3_000_000
    yield "empty nodes", model(b"\x0a\x00" * many)
    yield "empty attributes", model(field(1, b"\x2a\x00" * many))
    yield "empty inputs", model(field(1, b"\x0a\x00" * 300_000))
    yield "short inputs", model(field(1, b"".join(field(1, b"%07d" % index) for index in range(500_000))))
    yield (
        "different attributes",
        model(field(1, b"".join(field(5, field(1, b"%07d" % index) + b"\x18\x01") for index in range(500_000)))),
    )
    yield "empty values", model(b"\x6a\x00" * 300_000)
    yield "empty tensors", model(b"\x2a\x00" * many)
    yield "empty imports", model(b"", b"\x42\x00" * many)
    yield "empty metadata", model(b"", b"\x72\x00" * 300_000)
    yield "empty functions", model(b"", b"\xca\x01\x00" * many)
    yield "unpacked sizes", model(field(5, b"\x08\x01" * many))
    yield "packed sizes", model(field(5, field(1, b"\x01" * many)))
    yield "unpacked numbers", model(field(5, b"\x10\x07\x08\x01" + b"\x38\x01" * many))
    yield "numbers without end", model(field(5, b"\x10\x07\x08\x01" + field(7, b"\xff" * many)))
    yield "unpacked attribute", model(field(1, field(5, b"\x40\x01" * many)))
    yield "long names", model(b"".join(field(1, field(3, b"n" * 60_000)) for _ in range(400)))
    yield "longer name", model(field(1, field(3, b"n" * 10_000_000)))
    yield "bytes as names", model(b"".join(field(1, field(3, b"\xff" * 60_000)) for _ in range(400)))
    yield "deep graphs", model(_nested(lambda inner: field(1, field(5, field(6, inner))), 3000))
    yield "deep types", model(field(11, field(2, _nested(lambda inner: field(4, field(1, inner)), 3000))))
    yield "deep sparse types", model(field(11, field(2, _nested(lambda inner: field(9, field(1, inner)), 45))))
    yield "shape of endless rank", model(field(11, field(2, field(1, field(2, b"\x0a\x00" * many)))))
    yield "two graphs", model(b"") + model(b"")
    yield "group", model(b"\x0b\x0c")
    yield "field zero", model(b"\x02\x00")
    yield "number of eleven bytes", b"\x08" + b"\x80" * 10 + b"\x01"
    yield "length of 64 bits", b"\x08\x0a" + b"\x3a" + b"\xff" * 9 + b"\x01"
    yield "length beyond the end", b"\x08\x0a" + header(7, 1 << 40) + b"\x0a\x00"
    yield "sizes of 64 bits", model(field(5, b"\x10\x01" + b"\x08" + b"\xff" * 8 + b"\x7f" * 1 + field(9, b"1234")))
    yield "huge shape", model(field(5, b"\x10\x01" + (b"\x08" + varint(1 << 62)) * 60 + field(4, b"1234")))
    yield "huge empty shape", model(field(5, b"\x10\x08" + (b"\x08" + varint(1 << 62)) * 60))
    yield from _hostile_graphs()
    yield from _hostile_locations()


def model(graph: bytes, more: bytes = b"") -> bytes:
    """Return a model around the content of a graph."""
    return b"\x08\x0a" + field(7, graph) + more


def _node(kind: bytes, inputs: list[bytes], outputs: list[bytes], more: bytes = b"") -> bytes:
    ends = b"".join(field(1, name) for name in inputs) + b"".join(field(2, name) for name in outputs)
    return ends + field(3, b"same name") + field(4, kind) + more


def _hostile_graphs() -> Iterator[tuple[str, bytes]]:
    """Yield models of sound structure whose meaning has no end."""
    circle = field(1, _node(b"A", [b"b"], [b"a"])) + field(1, _node(b"B", [b"a"], [b"b"]))
    yield "circle of nodes", model(circle)
    yield "node that feeds itself", model(field(1, _node(b"A", [b"a"], [b"a"])))
    calls = field(7, _node(b"F", [b"x"], [b"y"], field(7, b"local")))
    function = field(1, b"F") + field(4, b"x") + field(5, b"y") + calls + field(10, b"local")
    yield (
        "function that calls itself",
        model(field(1, _node(b"F", [b"x"], [b"y"], field(7, b"local")))) + field(25, function),
    )
    yield "function twice", model(b"") + 2 * field(25, function)
    yield "one name for all", model(20_000 * field(1, _node(b"A", [b"a"] * 3, [b"a"] * 3)))
    wide = field(1, _node(b"A", [b"x"] * 300_000, [b"y"] * 300_000))
    yield "wide node", model(wide)
    branch = field(1, _node(b"Neg", [b"outer"], [b"n"]))
    for _ in range(30):
        branch = field(1, _node(b"If", [b"outer"], [b"n"], field(5, field(1, b"then_branch") + field(6, branch))))
    yield "nested branches", model(branch)


def _hostile_locations() -> Iterator[tuple[str, bytes]]:
    def external(**entries: str) -> bytes:
        pairs = (field(13, field(1, key.encode()) + field(2, value.encode())) for key, value in entries.items())
        return model(field(5, b"\x08\x02\x10\x01" + field(8, b"w") + b"".join(pairs) + b"\x70\x01"))

    for location in ("/etc/passwd", "../../../../etc/passwd", "/dev/zero", "/proc/self/mem", "\0", "a" * 60_000, "."):
        yield f"location {location[:20]!r}", external(location=location, length="8")
    yield "offset of a thousand digits", external(location="w", offset="9" * 1000)
    entries = b"".join(field(13, field(1, b"%d" % index)) for index in range(100_000))
    yield "entries without end", model(field(5, entries + b"\x70\x01"))


def _nested(around: Callable[[bytes], bytes], depth: int) -> bytes:
    content = b""
    for _ in range(depth):
        content = around(content)
    return content


def _cut(chance: random.Random, content: bytearray) -> None:
    del content[chance.randrange(len(content)) :]


def _flip_bits(chance: random.Random, content: bytearray) -> None:
    for _ in range(chance.choice((1, 3, 20))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _overwrite(chance: random.Random, content: bytearray) -> None:
    start = chance.randrange(len(content))
    for index in range(start, min(len(content), start + chance.choice((1, 4, 64)))):
        content[index] = chance.choice((0, 0x7F, 0x80, 0xFF, chance.randrange(256)))


def _insert(chance: random.Random, content: bytearray) -> None:
    content[chance.randrange(len(content)) : 0] = chance.randbytes(chance.choice((1, 5, 200)))


def _remove(chance: random.Random, content: bytearray) -> None:
    start = chance.randrange(len(content))
    del content[start : start + chance.choice((1, 2, 50))]


def _repeat(chance: random.Random, content: bytearray) -> None:
    start = chance.randrange(len(content))
    content[start:start] = content[start : start + chance.choice((2, 30, 300))] * chance.choice((1, 2, 50))


def _swap(chance: random.Random, content: bytearray) -> None:
    first, second = sorted((chance.randrange(len(content)), chance.randrange(len(content))))
    length = min(16, second - first, len(content) - second)
    part = content[first : first + length]
    content[first : first + length] = content[second : second + length]
    content[second : second + length] = part


def _enlarge_lengths(chance: random.Random, content: bytearray) -> None:
    """Give one of the bytes that look like the start of a field with a length another, much larger one."""
    places = [index for index in range(len(content) - 1) if content[index] & 7 == 2 and content[index] < 128]
    if places:
        start = chance.choice(places) + 1
        content[start : start + 1] = varint(chance.choice((127, 1 << 14, 1 << 31, 1 << 40, (1 << 64) - 1)))


_MUTATIONS: dict[str, Mutation] = {
    "cut": _cut,
    "flip": _flip_bits,
    "overwrite": _overwrite,
    "insert": _insert,
    "remove": _remove,
    "repeat": _repeat,
    "swap": _swap,
    "enlarge": _enlarge_lengths,
}
