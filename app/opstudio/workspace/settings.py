"""``opstudio.toml``: what a workspace is called, whose Python it uses, how it builds and what workers may use."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from opstudio.base.toml_document import Table, TomlDocument

SETTINGS_FILE = "opstudio.toml"
STAGE = "workspace"
_GIB = 2**30
_LARGEST_MEMORY_GIB = 2**20
_LONGEST_QUIET_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a workspace.

    ``operators`` are patterns of operator folders. ``python`` is the interpreter in which the person's torch lives;
    ``None`` means the studio's own. ``memory_bytes`` is what one worker may hold.
    """

    name: str
    operators: tuple[str, ...] = ("*",)
    python: str | None = None
    compiler: str | None = None
    flags: tuple[str, ...] = ()
    memory_bytes: int = 4 * _GIB
    quiet_seconds: float = 2.0


def read_settings(path: Path) -> Settings:
    """Read the settings of a workspace.

    Raises:
        InputError: the file cannot be read or is wrong; its findings name every line to mend.
    """
    document = TomlDocument.read(path, stage=STAGE)
    root = document.root
    workspace, environment = root.table("workspace"), root.table("environment")
    build, limits = root.table("build"), root.table("limits")
    defaults = Settings(name=path.parent.name)
    memory_gib = limits.number("memory_gib", defaults.memory_bytes / _GIB)
    quiet_seconds = limits.number("quiet_seconds", defaults.quiet_seconds)
    _check_limits(limits, memory_gib, quiet_seconds)
    operators = workspace.texts("operators", defaults.operators)
    _check_patterns(workspace, operators)
    result = Settings(
        name=workspace.text("name", defaults.name),
        operators=operators,
        python=environment.optional_text("python"),
        compiler=build.optional_text("compiler"),
        flags=build.texts("flags"),
        memory_bytes=int(memory_gib * _GIB) if math.isfinite(memory_gib) else defaults.memory_bytes,
        quiet_seconds=quiet_seconds,
    )
    for table in (workspace, environment, build, limits, root):
        table.finish()
    document.raise_problems()
    return result


def _check_limits(table: Table, memory_gib: float, quiet_seconds: float) -> None:
    # Written so that not a number, which compares with nothing, is refused as well.
    if not memory_gib >= 1:
        table.report("memory_gib", cause="the frameworks alone need half a GiB", fix="Allow 1 at least")
    elif memory_gib > _LARGEST_MEMORY_GIB:
        table.report("memory_gib", cause="no machine has that much", fix="Give what one worker may hold")
    if not quiet_seconds > 0:
        table.report("quiet_seconds", cause="a worker cannot make progress in no time", fix="Give some seconds")
    elif quiet_seconds > _LONGEST_QUIET_SECONDS:
        table.report("quiet_seconds", cause="a worker that hangs would never be noticed", fix="Give some seconds")


def _check_patterns(table: Table, patterns: tuple[str, ...]) -> None:
    """Note patterns that cannot be searched for below the workspace."""
    for index, pattern in enumerate(patterns):
        if not pattern:
            cause = "an empty pattern names no folder"
        elif PurePosixPath(pattern).is_absolute():
            cause = f"{pattern} is an absolute path; operators lie in the workspace"
        elif any("**" in part and part != "**" for part in PurePosixPath(pattern).parts):
            cause = f"{pattern} uses ** within a name; it stands for whole folders"
        else:
            continue
        table.document.report(
            "CON004",
            (*table.path, "operators", index),
            title="operators cannot be used",
            cause=cause,
            fix='Give patterns of folders in the workspace: operators = ["*", "groups/*"]',
            at_value=True,
        )
