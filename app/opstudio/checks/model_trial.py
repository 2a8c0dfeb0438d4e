"""Entry point of a worker that tries a changed model against the original: checker, sessions, one run of both.

The changed model comes first, so that an original that ends the process leaves nothing unsaid about it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opstudio.base.data_type import DataType
from opstudio.contract.operator import DEFAULT_TOLERANCES, EXACT, Layer, Tolerance
from opstudio.parity.comparison import compare
from opstudio.worker.context import WorkerContext

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

CHANGED, ORIGINAL = "changed", "original"
_SEED = 20_240_229
_VARIABLE_SIZE = 2
"""Of an axis that varies; one would hide what depends on it."""
_MOST_ELEMENTS = 1 << 26
_LONGEST_ERROR = 600
_TYPES = {
    "tensor(float)": "float32",
    "tensor(double)": "float64",
    "tensor(float16)": "float16",
    "tensor(bool)": "bool",
    "tensor(string)": "object",
    **{f"tensor({sign}int{bits})": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputComparison:
    """An output of both models: whether they agree, and the largest difference; ``reason`` says why they do not."""

    name: str
    agrees: bool
    largest_absolute: float = 0.0
    reason: str = ""


class _NotPossibleError(Exception):
    """Why the two models cannot be run on the same inputs."""


def run(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Worker entry point.

    ``payload``: paths ``original`` and ``changed``, ``libraries`` to register, names of ``providers``. Sends
    ``checker`` and ``session`` for each model (``which``, ``error``; empty: good), then ``compared`` with the outputs,
    or ``not_compared`` with the reason; for sizes that only the changed model leaves open, ``other_size``.
    """
    sessions: dict[str, Any] = {}
    for which in (CHANGED, ORIGINAL):
        path = payload[which]
        context.progress(f"checker: {which}")
        context.emit("checker", which=which, error=_checker_error(path))
        context.progress(f"session: {which}")
        session, error = _open(path, payload["libraries"], payload["providers"])
        context.emit("session", which=which, error=error)
        if session is not None:
            sessions[which] = session
    if len(sessions) < len((CHANGED, ORIGINAL)):
        missing = [which for which in (ORIGINAL, CHANGED) if which not in sessions]
        context.emit("not_compared", reason=f"the {' and the '.join(missing)} model does not load")
        return
    context.progress("run: both models")
    try:
        _compare(context, sessions[ORIGINAL], sessions[CHANGED])
    except _NotPossibleError as error:
        context.emit("not_compared", reason=str(error))


def _checker_error(path: str) -> str:
    import onnx

    try:
        onnx.checker.check_model(path)
    except Exception as error:  # noqa: BLE001 - its errors have no common class
        return _short(error)
    return ""


def _open(path: str, libraries: Sequence[str], providers: Sequence[str]) -> tuple[Any, str]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        for library in libraries:
            options.register_custom_ops_library(library)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return onnxruntime.InferenceSession(path, options, providers=list(providers)), ""
    except Exception as error:  # noqa: BLE001 - its errors have no common class
        return None, _short(error)


def _compare(context: WorkerContext, original: Any, changed: Any) -> None:
    sizes = _sizes(original, changed)
    inputs = _inputs(original, changed, sizes)
    expected, error = _run(original, inputs)
    if error:
        reason = f"the original does not run on made-up inputs: {error}"
        raise _NotPossibleError(reason)
    made, error = _run(changed, inputs)
    outputs = [item.name for item in changed.get_outputs()]
    if error:
        found = [OutputComparison(name=name, agrees=False, reason=f"it does not run: {error}") for name in outputs]
    else:
        found = [_output(name, made.get(name), expected.get(name)) for name in outputs]
        if not all(item.agrees for item in found) and _differs_from_itself(original, inputs, expected):
            raise _NotPossibleError("the original gives other values each time that it runs")
    context.emit("compared", outputs=tuple(found))
    if (opened := _opened_axes(original, changed)) and not error:
        other = {name: size + 1 for name, size in opened.items()}
        context.progress("run: another size")
        _, refusal = _run(changed, _inputs(changed, changed, {**sizes, **other}))
        context.emit("other_size", sizes=other, error=refusal)


def _sizes(original: Any, changed: Any) -> dict[str, int]:
    """Return what the names of sizes stand for: the number that the other model has there, if any."""
    sizes: dict[str, int] = {}
    others = {item.name: item for item in changed.get_inputs()}
    for item in original.get_inputs():
        other = others.get(item.name)
        if other is None or item.type != other.type or len(item.shape) != len(other.shape):
            reason = f"the input {item.name} is not the same in both"
            raise _NotPossibleError(reason)
        for first, second in zip(item.shape, other.shape, strict=True):
            if isinstance(first, str) and isinstance(second, int):
                sizes[first] = second
            elif isinstance(second, str) and isinstance(first, int):
                sizes[second] = first
            elif isinstance(first, int) and isinstance(second, int) and first != second:
                reason = f"the input {item.name} has another shape"
                raise _NotPossibleError(reason)
    return sizes


def _opened_axes(original: Any, changed: Any) -> dict[str, int]:
    """Return the names of sizes that are numbers in the original, with these numbers."""
    others = {item.name: item.shape for item in original.get_inputs()}
    return {
        size: before
        for item in changed.get_inputs()
        for size, before in zip(item.shape, others[item.name], strict=True)
        if isinstance(size, str) and isinstance(before, int)
    }


def _inputs(original: Any, changed: Any, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Return seeded inputs that fit both models."""
    import math

    import numpy as np

    chance = np.random.default_rng(_SEED)
    others = {item.name: item.shape for item in changed.get_inputs()}
    feeds: dict[str, Any] = {}
    elements = 0
    for item in original.get_inputs():
        kind = _TYPES.get(item.type)
        if kind is None:
            reason = f"values of the type {item.type}, which the input {item.name} takes, are not made up"
            raise _NotPossibleError(reason)
        pairs = zip(item.shape, others[item.name], strict=True)
        shape = [next((size for size in pair if isinstance(size, int)), _named(pair, sizes)) for pair in pairs]
        elements += math.prod(shape)
        if elements > _MOST_ELEMENTS:
            reason = f"the inputs would have more than {_MOST_ELEMENTS:,} elements"
            raise _NotPossibleError(reason)
        feeds[item.name] = _values(chance, kind, shape)
    return feeds


def _named(pair: tuple[Any, Any], sizes: Mapping[str, int]) -> int:
    return next((sizes[size] for size in pair if isinstance(size, str) and size in sizes), _VARIABLE_SIZE)


def _values(chance: Any, kind: str, shape: Sequence[int]) -> Any:
    import numpy as np

    if kind == "bool":
        return chance.integers(0, 2, shape).astype(np.bool_)
    if kind == "object":
        texts = np.array(["one", "two", "three"], dtype=object)
        return texts[chance.integers(0, len(texts), shape)] if shape else np.array("one", dtype=object)
    if "int" in kind:
        # Small ones: they may be positions in a table or sizes.
        return np.asarray(chance.integers(0, 2, shape), dtype=kind)
    return np.asarray(chance.standard_normal(shape), dtype=kind)


def _run(session: Any, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    names = [item.name for item in session.get_outputs()]
    wanted = {item.name for item in session.get_inputs()}
    try:
        values = session.run(names, {name: value for name, value in inputs.items() if name in wanted})
    except Exception as error:  # noqa: BLE001 - its errors have no common class
        return {}, _short(error)
    return dict(zip(names, values, strict=True)), ""


def _differs_from_itself(session: Any, inputs: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    again, error = _run(session, inputs)
    return bool(error) or not all(_output(name, again[name], value).agrees for name, value in expected.items())


def _output(name: str, value: Any, reference: Any) -> OutputComparison:
    import numpy as np

    if reference is None:
        return OutputComparison(name=name, agrees=False, reason="the original has no such output")
    if not isinstance(value, np.ndarray) or not isinstance(reference, np.ndarray) or value.dtype == object:
        # Lists, maps and texts are equal or not.
        agrees = (
            bool(np.array_equal(value, reference)) if isinstance(value, np.ndarray) else repr(value) == repr(reference)
        )
        return OutputComparison(name=name, agrees=agrees, reason="" if agrees else "the values differ")
    if value.dtype != reference.dtype:
        return OutputComparison(name=name, agrees=False, reason=f"it is {value.dtype}, it was {reference.dtype}")
    found = compare(value, reference, _tolerance(str(value.dtype)))
    reason = "" if found.agrees else f"{found.mismatches} of {found.count} elements differ"
    if not found.shapes_agree:
        reason = f"it has the shape {list(found.value_shape)}, it had {list(found.reference_shape)}"
    return OutputComparison(
        name=name, agrees=found.agrees, largest_absolute=float(found.largest_absolute), reason=reason
    )


def _tolerance(name: str) -> Tolerance:
    known = next((item for item in DataType if item.value == name), None)
    return EXACT if known is None else DEFAULT_TOLERANCES[Layer.RUNTIME].get(known, EXACT)


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= _LONGEST_ERROR else f"{text[:_LONGEST_ERROR]}…"
