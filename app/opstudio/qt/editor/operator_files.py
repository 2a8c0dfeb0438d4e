"""The files of an operator, in the order in which a person wants them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.contract.operator import OperatorContract
from opstudio.contract.toml_file import read_contract
from opstudio.workspace.folder import OperatorFolder

_SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".toml", ".py", ".cu", ".cuh", ".h", ".hpp")
_MOST_GUESSED = 12


def operator_files(folder: OperatorFolder, known: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Return the kernel's sources, the contract, the reference, CUDA sources, the model: those that are there.

    Where the contract cannot be read they are those that were ``known`` before, else the contract itself and whatever
    looks like a source.
    """
    try:
        contract = read_contract(folder.contract_path)
    except InputError:
        listed = list(known) or [folder.contract_path, *_guess(folder.path)]
    else:
        listed = [folder.path / name for name in _named(contract)]
        listed.insert(len(contract.kernel.sources), folder.contract_path)
    return tuple(path for path in dict.fromkeys(listed) if path.is_file())


def _named(contract: OperatorContract) -> Iterator[str]:
    yield from contract.kernel.sources
    yield contract.reference.partition(":")[0]
    yield from contract.kernel.cuda
    yield from contract.kernel.onnxruntime
    if contract.model:
        yield contract.model.partition(":")[0]
    if contract.export.registration:
        yield contract.export.registration


def _guess(folder: Path) -> list[Path]:
    found: list[Path] = []
    with contextlib.suppress(OSError):  # the folder may be gone by now
        found = [path for path in folder.iterdir() if path.suffix in _SUFFIXES]
    return sorted(found, key=lambda path: (_SUFFIXES.index(path.suffix), path.name))[:_MOST_GUESSED]
