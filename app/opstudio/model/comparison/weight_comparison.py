"""Constant tensors of two models, compared by type, shape and values; large ones only where that was asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from opstudio.base.errors import InputError
from opstudio.model.comparison.records import Change
from opstudio.model.graph.element_types import STRING
from opstudio.model.graph.records import GraphRecord, ModelRecord
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.tensor_values import read_values, value_blocks
from opstudio.model.part_text import tensor_text

SMALL_BYTES = 1 << 16
"""Tensors up to this size are always compared by their values: shapes, scales, limits."""
_MOST_STRINGS = 1 << 20
_MOST_CANDIDATES = 256
"""Tensors of one type and shape that are looked at for one that was renamed."""


class Weights:
    """Compares tensors of two models; ``all_values`` reads large ones as well."""

    def __init__(self, first: ModelRecord, second: ModelRecord, *, all_values: bool) -> None:
        self._models = (first, second)
        self._all_values = all_values

    def renamed(self, first: GraphRecord, second: GraphRecord) -> dict[str, str]:
        """Return the initializers that have another name and the same values, as far as these are compared.

        Raises:
            InputError: a file has changed since it was read.
        """
        names = {tensor.name for tensor in first.initializers}, {tensor.name for tensor in second.initializers}
        left = [tensor for tensor in first.initializers if tensor.name not in names[1]]
        right: dict[tuple[int, tuple[int, ...]], list[TensorRecord]] = {}
        for tensor in second.initializers:
            if tensor.name not in names[0] and self._is_compared(tensor):
                right.setdefault((tensor.element_type, tensor.shape), []).append(tensor)
        addresses: dict[str, str] = {}
        found: dict[str, str] = {}
        for tensor in left:
            candidates = right.get((tensor.element_type, tensor.shape), [])
            if not candidates or not self._is_compared(tensor):
                continue
            address = self._content(0, tensor)
            for position, other in enumerate(candidates[:_MOST_CANDIDATES]):
                if other.name not in addresses:
                    addresses[other.name] = self._content(1, other)
                if addresses[other.name] == address:
                    found[tensor.name] = candidates.pop(position).name
                    break
        return found

    def _is_compared(self, tensor: TensorRecord) -> bool:
        return self._all_values or tensor.byte_length <= SMALL_BYTES

    def changes(
        self, first: GraphRecord, second: GraphRecord, path: str, renamed: Mapping[str, str]
    ) -> Iterator[Change]:
        """Yield the initializers that differ, other than by name; ``path`` stands before their names.

        Raises:
            InputError: a file has changed since it was read.
        """
        ours, theirs = ({tensor.name: tensor for tensor in graph.initializers} for graph in (first, second))
        known = {*renamed, *renamed.values()}
        for name in (*ours, *(name for name in theirs if name not in ours)):
            if name in known:
                continue
            before, after = ours.get(name), theirs.get(name)
            if before is not None and after is not None and self.are_equal(before, after):
                continue
            old, new = ("" if tensor is None else tensor_text(tensor) for tensor in (before, after))
            if old == new:
                new = f"{new} of other values"
            yield Change(name=f"{path}{name}", before=old, after=new)
        sparse_ours, sparse_theirs = (
            {tensor.name: tensor for tensor in graph.sparse_initializers} for graph in (first, second)
        )
        for name in (*sparse_ours, *(name for name in sparse_theirs if name not in sparse_ours)):
            left, right = sparse_ours.get(name), sparse_theirs.get(name)
            if left is None or right is None or not self.sparse_are_equal(left, right):
                old, new = ("" if item is None else f"sparse {list(item.shape)}" for item in (left, right))
                yield Change(name=f"{path}{name}", before=old, after=new if old != new else f"{new} of other values")

    def are_equal(self, first: TensorRecord, second: TensorRecord) -> bool:
        """Whether two tensors have one type, one shape and, where they are compared, the same values."""
        if (first.element_type, first.shape) != (second.element_type, second.shape):
            return False
        if not (self._is_compared(first) and self._is_compared(second)):
            return True
        return self._content(0, first) == self._content(1, second)

    def sparse_are_equal(self, first: SparseTensorRecord, second: SparseTensorRecord) -> bool:
        """Whether two sparse tensors are the same."""
        if first.shape != second.shape or (first.indices is None) != (second.indices is None):
            return False
        if first.indices is not None and second.indices is not None:
            return self.are_equal(first.indices, second.indices) and self.are_equal(first.values, second.values)
        return self.are_equal(first.values, second.values)

    def _content(self, side: int, tensor: TensorRecord) -> str:
        """Return the address of a tensor's values; of values that cannot be read, the reason.

        Raises:
            InputError: the model's file has changed since it was read.
        """
        if not tensor.element_count:
            return ""
        model = self._models[side]
        digest = hashlib.sha256()
        try:
            if tensor.element_type == STRING:
                digest.update(repr(read_values(model, tensor, count=_MOST_STRINGS).tolist()).encode())
            else:
                for block in value_blocks(model, tensor):
                    digest.update(block.tobytes())
        except InputError as error:
            SourceFile(model.path, expected=model.identity).close()  # a file that changed is told as that
            return f"unreadable: {error.findings[0].cause}"
        return digest.hexdigest()
