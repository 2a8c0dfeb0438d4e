"""The functions of a Python file that can make a model, found without running any of it."""

from __future__ import annotations

import ast
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.finding import Place

_STAGE = "export"
_OTHERS = frozenset({"example_inputs", "register"})
"""Functions of a file of models that make none."""


def list_factories(path: Path) -> tuple[str, ...]:
    """Return the functions of the top level that can be called without arguments, and the modules likewise.

    Raises:
        InputError: the file cannot be read, or is no Python.
    """
    try:
        tree = ast.parse(path.read_bytes(), filename=str(path))
    except OSError as error:
        raise InputError.of(
            f"{path.name} cannot be read",
            cause=error.strerror or str(error),
            fix="Choose another file",
            stage=_STAGE,
            place=Place(file=str(path)),
        ) from error
    except (SyntaxError, ValueError) as error:
        raise InputError.of(
            f"{path.name} is not Python",
            cause=str(error),
            fix="Mend the file",
            stage=_STAGE,
            place=Place(file=str(path), line=getattr(error, "lineno", None)),
        ) from error
    made = [item for item in tree.body if isinstance(item, ast.FunctionDef | ast.ClassDef)]
    names = [item.name for item in made if _makes_a_model(item)]
    return tuple(name for name in dict.fromkeys(names) if name not in _OTHERS and not name.startswith("_"))


def require_factories(path: Path) -> tuple[str, ...]:
    """Return the same, at least one.

    Raises:
        InputError: there is none, or the file cannot be read.
    """
    if found := list_factories(path):
        return found
    raise InputError.of(
        f"{path.name} makes no model",
        cause="it has no function at its top level that can be called without arguments",
        fix="Add one that returns the torch.nn.Module, and example_inputs() for its inputs",
        stage=_STAGE,
        place=Place(file=str(path)),
    )


def _makes_a_model(item: ast.FunctionDef | ast.ClassDef) -> bool:
    if isinstance(item, ast.FunctionDef):
        return _needs_nothing(item.args, given=0)
    makers = [part for part in item.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    is_module = any(_last_name(base) == "Module" for base in item.bases)
    return is_module and all(_needs_nothing(maker.args, given=1) for maker in makers)


def _needs_nothing(arguments: ast.arguments, *, given: int) -> bool:
    """Whether nothing has to be passed beside the first ``given`` arguments."""
    positional = len(arguments.posonlyargs) + len(arguments.args)
    return positional - len(arguments.defaults) <= given and None not in arguments.kw_defaults


def _last_name(base: ast.expr) -> str:
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
