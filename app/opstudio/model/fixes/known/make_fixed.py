"""Fixes an axis of an input that varies, as accelerators and converters ask for.

## When it is offered
Each named size of the inputs, with 1; any other number can be asked for.

## What it changes
The size in the inputs, and in the descriptions of values and outputs that have the same name.

## What it never touches
Nodes and weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.dimensions import fixed_edits, size_of
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.parameters import split_dimension, split_pair, whole_number
from opstudio.model.graph.value_types import TensorType

_ID, _FORM = "make-fixed", "INPUT[AXIS]=SIZE"


def _offers(target: FixTarget) -> Iterator[Offer]:
    seen: set[str] = set()
    for value in target.model.graph.true_inputs:
        shape = value.type.shape if isinstance(value.type, TensorType) else None
        for axis, size in enumerate(shape or ()):
            if not isinstance(size, str) or size in seen:
                continue
            seen.add(size)
            yield Offer(
                id=f"{_ID}:{value.name}[{axis}]=1",
                title=f"Fix the size {size}, axis {axis} of {value.name}, to 1 or to any other number",
            )


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    first, number = split_pair(_ID, parameters, _FORM)
    value, axis = split_dimension(_ID, first, _FORM)
    size = whole_number(_ID, number, _FORM)
    if size_of(target, value, axis) == size:
        raise refused(
            f"Axis {axis} of {value} is {size} already", cause="nothing is to be changed", fix="Take another size"
        )
    return fixed_edits(target, value, axis, size)


FIX = Fix(id=_ID, title="Fix an axis of an input that varies", form=_FORM, offers=_offers, edits=_edits)
