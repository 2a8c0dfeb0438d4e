"""Functions of a workspace's Python files, imported by ``FILE.py:NAME``."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from opstudio.base.errors import InputError
from opstudio.base.finding import Place
from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import TomlDocument
from opstudio.contract.toml_file import CONTRACT_FILE


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
        names = [item for item, value in vars(module).items() if callable(value) and not item.startswith("_")]
        raise InputError.of(
            f"{file} has no {name}",
            cause=f"the contract names {entry}, and the file defines no function of that name",
            fix=f"Correct the name: {did_you_mean(name, names)}",
            stage="reference",
            place=_place_of_name(folder, entry, path),
        )
    entry_function: Callable[..., Any] = function
    return entry_function


def _place_of_name(folder: Path, entry: str, path: Path) -> Place:
    """Return the line of the contract that names a function which is not there; else the file that lacks it."""
    with contextlib.suppress(InputError):
        document = TomlDocument.read(folder / CONTRACT_FILE, stage="reference")
        for table, key in (("kernel", "reference"), ("kernel", "model"), ("export", "registration")):
            named = document.data.get(table, {}).get(key)
            if named in (entry, entry.partition(":")[0]):
                return document.place((table, key), at_value=True)
    return Place(file=str(path))


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
