"""Models of the person's own: a function that makes the module, and ``example_inputs`` of the same file."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opstudio.base.errors import InputError
from opstudio.base.finding import Place
from opstudio.base.names import did_you_mean
from opstudio.checks.entries import load_entry
from opstudio.model.errors import user_line

EXAMPLE_INPUTS = "example_inputs"
_FIX_INPUTS = "Return a tuple of tensors, one for each input of the model, or a dict of them by forward's names"


def make_module(folder: Path, entry: str) -> Any:
    """Return the module that ``FILE.py:NAME`` makes.

    Raises:
        InputError: the file cannot be imported, or the function raises or returns something else.
    """
    import torch

    module = _call(folder, entry)
    if not isinstance(module, torch.nn.Module):
        raise InputError.of(
            f"{entry} does not return a module",
            cause=f"it returned {_describe(module)}",
            fix="Return an instance of torch.nn.Module",
            stage="export",
            place=Place(file=str(folder / entry.partition(":")[0])),
        )
    return module


def example_inputs(folder: Path, file: str, module: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the example inputs that a file offers: by position, and by name in the order of ``forward``.

    Raises:
        InputError: they are missing, are no tensors, or do not belong to the module.
    """
    import torch

    made = _call(folder, f"{file}:{EXAMPLE_INPUTS}")
    if isinstance(made, torch.Tensor):
        made = (made,)
    place = Place(file=str(folder / file))
    tensors = list(made.values()) if isinstance(made, Mapping) else list(made) if _is_sequence(made) else [made]
    if not tensors or not all(isinstance(item, torch.Tensor) for item in tensors):
        returned = ", ".join(_describe(item) for item in tensors) or "nothing"
        raise InputError.of(
            f"{EXAMPLE_INPUTS} of {file} does not return tensors",
            cause=f"it returned {returned}",
            fix=_FIX_INPUTS,
            stage="export",
            place=place,
        )
    if not isinstance(made, Mapping):
        return tuple(tensors), {}
    known = list(inspect.signature(module.forward).parameters)
    for name in made:
        if name not in known:
            raise InputError.of(
                f"{EXAMPLE_INPUTS} of {file} names an input that forward does not have",
                cause=f"{name} is no argument of {type(module).__name__}.forward; {did_you_mean(str(name), known)}",
                fix="Use the names of forward's arguments",
                stage="export",
                place=place,
            )
    return (), {name: made[name] for name in known if name in made}


def _call(folder: Path, entry: str) -> Any:
    """Call a function of the person's without arguments.

    Raises:
        InputError: it cannot be found, or raises.
    """
    import torch

    file, _, name = entry.partition(":")
    function = _load(folder, file, name)
    if isinstance(function, torch.nn.Module) or not callable(function):
        raise InputError.of(
            f"{name} of {file} is no function",
            cause=f"it is {_describe(function)}",
            fix="Name a function without arguments, or a class, that returns the module",
            stage="export",
            place=Place(file=str(folder / file)),
        )
    try:
        return function()
    except InputError:
        raise
    except Exception as error:
        at = user_line(error, folder)
        raise InputError.of(
            f"{name} of {file} fails",
            cause=f"{type(error).__name__}: {error}",
            fix="Run it in Python first; it is called without arguments",
            stage="export",
            place=Place(file=str(folder / file) if at is None else at.file, line=None if at is None else at.line),
        ) from error


def _load(folder: Path, file: str, name: str) -> Any:
    try:
        return load_entry(folder, f"{file}:{name}")
    except InputError as error:
        if error.__cause__ is not None:  # the file itself cannot be imported
            raise InputError([dataclasses.replace(item, stage="export") for item in error.findings]) from error
        defined = _defined_names(folder / file)
        raise InputError.of(
            f"{file} has no {name}",
            cause="the example inputs of its models come from that function"
            if name == EXAMPLE_INPUTS
            else did_you_mean(name, defined),
            fix=f"Write {name}(). {_FIX_INPUTS}" if name == EXAMPLE_INPUTS else "Name a function or class of the file",
            stage="export",
            place=Place(file=str(folder / file)),
        ) from error


def _defined_names(path: Path) -> list[str]:
    """Return the functions and classes that a file defines itself."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [item.name for item in body if isinstance(item, ast.FunctionDef | ast.ClassDef)]


def _is_sequence(value: Any) -> bool:
    return isinstance(value, tuple | list)


def _describe(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "None" if value is None else f"a {type(value).__name__}"
