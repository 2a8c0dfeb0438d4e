"""Functions of a workspace's Python files, imported by ``FILE.py:NAME``."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from opstudio.base.errors import InputError
from opstudio.base.finding import Place


def load_entry(folder: Path, entry: str, *, fresh: bool = False) -> Callable[..., Any]:
    """Import ``FILE.py:NAME`` from a folder. The file runs once per process unless asked for afresh.

    It may import its neighbours.

    Raises:
        InputError: the file cannot be imported or lacks the name.
    """
    file, _, name = entry.partition(":")
    path = folder / file
    module_name = f"opstudio_workspace_{abs(hash(str(path)))}_{path.stem}"
    module = sys.modules.get(module_name)
    if module is None or fresh:
        specification = importlib.util.spec_from_file_location(module_name, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[module_name] = module
        sys.path.insert(0, str(folder))
        try:
            specification.loader.exec_module(module)
        except Exception as error:
            sys.modules.pop(module_name, None)
            raise import_failure(path, error) from error
        finally:
            sys.path.remove(str(folder))
    function = getattr(module, name, None)
    if function is None:
        names = ", ".join(sorted(item for item in vars(module) if not item.startswith("_")))
        raise InputError.of(
            f"{file} has no {name}",
            cause=f"the contract names {entry}; the file defines {names or 'nothing'}",
            fix="Correct the name",
            stage="reference",
            place=Place(file=str(path)),
        )
    entry_function: Callable[..., Any] = function
    return entry_function


def import_failure(path: Path, error: Exception) -> InputError:
    """Return the error of a file of the workspace that cannot be imported, at the line that failed."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == str(path):
        line = error.lineno
    return InputError.of(
        f"{path.name} cannot be imported",
        cause=f"{type(error).__name__}: {error}",
        fix="Mend the file",
        stage="reference",
        place=Place(file=str(path), line=line),
    )
