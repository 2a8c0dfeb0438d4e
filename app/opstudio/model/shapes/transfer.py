"""What was found of a model on its way from the worker: many small events, so that none is without end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.errors import InputError
from opstudio.base.finding import Place
from opstudio.model.graph.records import FileIdentity, ModelRecord
from opstudio.model.shapes.records import ModelShapes

_PARTS = ("values", "refusals", "contradictions", "taken", "blind")
_BATCH = 4096
"""Records in one event."""
PART, END = "shapes", "shapes_end"


def parts_of(found: ModelShapes) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield what was found in parts, each with its name."""
    for name in _PARTS:
        items = getattr(found, name)
        for start in range(0, len(items), _BATCH):
            yield name, items[start : start + _BATCH]


def read_shapes(events: Iterable[Mapping[str, Any]], model: ModelRecord) -> ModelShapes:
    """Put the events of a worker together.

    Raises:
        InputError: what the worker read is not the file that was read here.
    """
    found: dict[str, list[Any]] = {name: [] for name in _PARTS}
    end: Mapping[str, Any] = {}
    for event in events:
        if event["event"] == PART:
            found[event["name"]].extend(event["items"])
        elif event["event"] == END:
            end = event
    if from_json(FileIdentity, end["identity"]) != model.identity:
        raise InputError.of(
            f"{model.path.name} has changed",
            cause="The file is not the one that was read before",
            fix="Open the model again",
            stage="graph",
            place=Place(file=str(model.path)),
        )
    return from_json(ModelShapes, {**found, "sessions": end["sessions"], "left_out": end["left_out"], "ended": ""})
