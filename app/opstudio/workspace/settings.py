"""``opstudio.toml``: what a workspace is called, whose Python it uses, how it builds and what workers may use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from opstudio.base.toml_document import TomlDocument

SETTINGS_FILE = "opstudio.toml"
STAGE = "workspace"
_GIB = 2**30


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
    result = Settings(
        name=workspace.text("name", defaults.name),
        operators=workspace.texts("operators", defaults.operators),
        python=environment.optional_text("python"),
        compiler=build.optional_text("compiler"),
        flags=build.texts("flags"),
        memory_bytes=int(limits.number("memory_gib", defaults.memory_bytes / _GIB) * _GIB),
        quiet_seconds=limits.number("quiet_seconds", defaults.quiet_seconds),
    )
    for table in (workspace, environment, build, limits, root):
        table.finish()
    if result.memory_bytes < _GIB:
        limits.report("memory_gib", cause="the frameworks alone need half a GiB", fix="Allow 1 at least")
    if result.quiet_seconds <= 0:
        limits.report("quiet_seconds", cause="a worker cannot make progress in no time", fix="Give some seconds")
    document.raise_problems()
    return result
