"""How the outputs of a file are called, and those of their dimensions that vary."""

from __future__ import annotations

from opstudio.model.export_request import ExportRecord


def free_names(record: ExportRecord) -> list[str] | None:
    """Return the names of the outputs; none where an input has one of them, so that the exporter chooses."""
    names = record.eager.output_names
    return None if set(names) & set(record.inputs) else list(names)


def output_axes(record: ExportRecord) -> dict[str, dict[int, str]]:
    """Return the names of the outputs' axes that vary as one axis of the inputs does.

    TorchScript makes up names of its own for what comes out of a custom node.
    """
    if record.resized is None or free_names(record) is None:
        return {}
    sizes = zip(record.inputs, record.eager.inputs, record.resized.inputs, strict=True)
    changes: dict[tuple[int, int], set[str]] = {}
    for name, before, after in sizes:
        for axis, text in record.request.axes_of(name).items():
            if axis < len(before):
                changes.setdefault((before[axis], after[axis]), set()).add(text)
    axes: dict[str, dict[int, str]] = {}
    for name, before, after in zip(
        record.eager.output_names, record.eager.outputs, record.resized.outputs, strict=False
    ):
        for axis, change in enumerate(zip(before, after, strict=False)):
            if change[0] != change[1] and len(found := changes.get(change, set())) == 1:
                axes.setdefault(name, {})[axis] = next(iter(found))
    return axes
