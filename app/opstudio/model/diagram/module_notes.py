"""The modules that nodes come from, as exporters note them.

TorchScript's exporter, and those of other frameworks, name nodes after them: ``/layer1/layer1.0/conv1/Conv``. PyTorch's
newer exporter writes them as metadata. Both become paths in the first one's style: ``layer1/layer1.0/conv1``.
Source: ``torch/onnx/_internal/exporter/_core.py`` of PyTorch 2.13 for the keys of the metadata.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from opstudio.base.errors import InputError
from opstudio.layout.groups import SEPARATOR
from opstudio.model.graph.records import FileFormat, ModelRecord, NodeRecord
from opstudio.model.graph.source_file import SourceFile

_SCOPES = b"pkg.torch.onnx.name_scopes"
_CLASSES = b"pkg.torch.onnx.class_hierarchy"
_VALUE_TAG = 0x12
"""Field 2 of an entry, of a length that follows."""
_MORE = 0x80
"""A length from here on takes a second byte. One of three is not that of a list of modules."""
_LONGEST_NODE = 1 << 18
"""Bytes of a node. A longer one holds a tensor; its notes stand at its end."""
_BLOCK = 1 << 20
"""Bytes that are read at once."""
_DEEPEST, _LONGEST_PATH = 24, 400
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_PROBES = 8
"""How many nodes are asked whether a file has notes at all."""


def paths_of_names(nodes: Sequence[NodeRecord]) -> list[str]:
    """Return the path of each node as its name has it, empty for none. Shape: (nodes,)."""
    known: dict[str, str] = {}
    paths: list[str] = []
    for node in nodes:
        scope = node.name.rpartition(SEPARATOR)[0]
        path = known.get(scope)
        if path is None:
            path = known[scope] = _bounded([part for part in scope.split(SEPARATOR) if part.strip()])
        paths.append(path)
    return paths


def _bounded(names: Sequence[str]) -> str:
    """Return a path. No module lies as deep as a file could claim, to take memory for every prefix of a name."""
    path = SEPARATOR.join(names)
    return path if len(names) <= _DEEPEST and len(path) <= _LONGEST_PATH else ""


def paths_of_notes(model: ModelRecord, nodes: Sequence[NodeRecord]) -> tuple[list[str], dict[str, str]]:
    """Return the path of each node as its metadata has it, and the classes of modules by their paths.

    Both are empty where the file has no such metadata. A file that was replaced since it was read has none any more.
    """
    classes: dict[str, str] = {}
    if model.format is not FileFormat.ONNX or not nodes:
        return [], classes
    paths: list[str] = []
    known: dict[bytes, str] = {}
    try:
        with SourceFile(model.path, expected=model.identity) as file:
            notes = _Notes(file)
            if not any(notes.value(node, _SCOPES) for node in nodes[:: max(1, len(nodes) // _PROBES)]):
                return [], classes
            for node in nodes:
                scopes = notes.value(node, _SCOPES)
                if scopes not in known:
                    kinds = notes.value(node, _CLASSES)
                    known[scopes] = _read_path(scopes.decode(errors="replace"), kinds.decode(errors="replace"), classes)
                paths.append(known[scopes])
    except InputError:
        return [], {}
    return paths, classes


class _Notes:
    """The metadata of nodes in a file.

    Large exports have a hundred megabytes of metadata, almost all of them stack traces. The bytes of a node are
    searched for a key instead of being taken apart, which is ten times faster.
    """

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._block, self._base = b"", 0

    def value(self, node: NodeRecord, key: bytes) -> bytes:
        """Return the list that a node has for a key, without its last item, which is the node's own; or nothing."""
        end = node.offset + node.length
        start = max(node.offset, end - _LONGEST_NODE)
        if not self._base <= start <= end <= self._base + len(self._block):
            self._block = self._file.read(start, max(min(_BLOCK, self._file.size - start), end - start))
            self._base = start
        block, end = self._block, end - self._base
        place = block.find(key, start - self._base, end)
        place += len(key)
        if place < len(key) or place + 3 > end or block[place] != _VALUE_TAG:
            return b""
        length, size = block[place + 1], 2
        if length >= _MORE:
            length, size = length - _MORE + (block[place + 2] << 7), 3
        place += size
        return block[place : place + length].rpartition(b",")[0] if place + length <= end else b""


def _read_path(scopes: str, classes: str, class_of: dict[str, str]) -> str:
    kinds = [single or double for single, double in _QUOTED.findall(classes)]
    parts: list[str] = []
    path = around = ""
    for index, (single, double) in enumerate(_QUOTED.findall(scopes)):
        name = single or double
        if not name:
            continue
        parts.append(_relative(name, around))
        around = name
        path = _bounded(parts)
        if not path:
            break
        if index < len(kinds):
            class_of.setdefault(path, kinds[index].rpartition(".")[2])
    return path


def _relative(name: str, around: str) -> str:
    """Return the name of a module within another one; a number alone is told with the name of its list."""
    inner = name.removeprefix(f"{around}.") if around else name
    if inner.isdecimal() and around:
        inner = f"{around.rpartition('.')[2]}.{inner}"
    return inner.replace(SEPARATOR, "|")
