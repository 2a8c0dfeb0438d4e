"""What a shared library says of itself before it is loaded: what it exports, and what it asks of others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Place
from opstudio.base.names import did_you_mean

_MOST_SYMBOLS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedLibrary:
    """The dynamic part of an ELF file: symbols as the linker writes them, and the names of libraries it needs."""

    exports: tuple[str, ...]
    imports: tuple[str, ...]
    needed: tuple[str, ...]


def read_shared_library(path: Path) -> SharedLibrary:
    """Read what a library exports and needs; nothing of it runs.

    Raises:
        InputError: the file is not there, cannot be read, or is no shared library.
    """
    from elftools.common.exceptions import ELFError
    from elftools.elf.dynamic import DynamicSection
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            table, dynamic = elf.get_section_by_name(".dynsym"), elf.get_section_by_name(".dynamic")
            symbols = list(table.iter_symbols())[:_MOST_SYMBOLS] if isinstance(table, SymbolTableSection) else []
            tags = dynamic.iter_tags("DT_NEEDED") if isinstance(dynamic, DynamicSection) else ()
            names = [(symbol.name, symbol["st_shndx"] == "SHN_UNDEF") for symbol in symbols if symbol.name]
            return SharedLibrary(
                exports=tuple(name for name, is_undefined in names if not is_undefined),
                imports=tuple(name for name, is_undefined in names if is_undefined),
                needed=tuple(str(cast("Any", tag).needed) for tag in tags),
            )
    except FileNotFoundError as error:
        raise _missing(path) from error
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except (ELFError, ValueError, KeyError, IndexError, AttributeError, OverflowError, MemoryError) as error:
        # The reader meets damaged files with whatever its code runs into.
        raise _unreadable(path, str(error) or "it is no ELF file") from error


def _missing(path: Path) -> InputError:
    folder = path.parent
    beside = sorted(entry.name for entry in folder.glob("*.so*")) if folder.is_dir() else []
    near = did_you_mean(path.name, beside) if beside else f"{folder} holds no library"
    return InputError(
        Finding(
            id="ORT004",
            stage="load",
            title=f"There is no library {path.name}",
            cause=f"{path} was looked for, with {Path.cwd()} as the working directory; {near}",
            fix="Name the library by its whole path, or build it first",
            places=(Place(file=str(path)),),
            evidence={"tried": str(path), "working_directory": str(Path.cwd())},
        )
    )


def _unreadable(path: Path, cause: str) -> InputError:
    return InputError.of(
        f"{path.name} is no shared library",
        cause=cause,
        fix="Name the operator library, a file ending in .so",
        stage="load",
        place=Place(file=str(path)),
    )
