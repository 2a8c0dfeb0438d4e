"""Lets an axis of an input vary, under a name.

## When it is offered
The first axis of each input with two axes or more, as a rule the batch; any other axis can be asked for.

## What it changes
The size of the axis becomes a name. Descriptions of values behind the input are dropped, since runtimes infer them
again, and sizes of outputs that equal the old one are opened.

## What it never touches
Nodes and weights. Constants that hold the old size, the shape of a Reshape for example, stay as they are and are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opstudio.model.fixes.dimensions import dynamic_edits, size_of
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.parameters import split_dimension, split_pair
from opstudio.model.graph.value_types import TensorType

_ID, _FORM = "make-dynamic", "INPUT[AXIS]=NAME"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]{0,99}")
_MOST_RANK = 2
"""From this rank on, the first axis of a tensor is as a rule the batch."""


def _offers(target: FixTarget) -> Iterator[Offer]:
    for value in target.model.graph.true_inputs:
        shape = value.type.shape if isinstance(value.type, TensorType) else None
        if shape is not None and len(shape) >= _MOST_RANK and isinstance(shape[0], int):
            yield Offer(
                id=f"{_ID}:{value.name}[0]=batch",
                title=f"Let the first axis of {value.name}, now {shape[0]}, vary",
                notes=("whether the model computes the same for other sizes is seen by a run only",),
            )


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    first, name = split_pair(_ID, parameters, _FORM)
    value, axis = split_dimension(_ID, first, _FORM)
    if not _NAME.fullmatch(name):
        raise wrong_parameters(_ID, parameters, f"{_FORM} with a name of letters, digits and underscores")
    if size_of(target, value, axis) == name:
        raise refused(
            f"Axis {axis} of {value} is called {name} already", cause="nothing is to be changed", fix="Take another"
        )
    return dynamic_edits(target, value, axis, name)


FIX = Fix(id=_ID, title="Let an axis of an input vary", form=_FORM, offers=_offers, edits=_edits)
