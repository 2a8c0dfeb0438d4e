"""Libraries of builds as people look at them: size, hash, exported symbols, and the commands to make them again."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from opstudio.base.errors import SetupError
from opstudio.jobs.process import ProcessLimits, run_process
from opstudio.workspace.artifact_store import BUILDING_FOLDER, Artifact
from opstudio.workspace.build_history import BuiltLibrary

_LIMIT_SECONDS = 20.0
_REBUILT = "rebuilt"


def describe_library(artifact: Artifact) -> BuiltLibrary:
    """Return what the history keeps of a library.

    Raises:
        OSError: the library cannot be read.
    """
    name = artifact.record.outputs[0]
    size, sha256 = _size_and_hash(artifact.output(name))
    return BuiltLibrary(
        file=name,
        kind=artifact.record.kind,
        artifact=artifact.identity,
        size_bytes=size,
        sha256=sha256,
        seconds=artifact.record.seconds,
        commands=artifact.record.commands,
    )


def runnable(commands: Sequence[str]) -> tuple[str, ...]:
    """Return the commands of a build so that they can be run by hand.

    The folder in which they ran is gone; another one of the workspace takes its place.
    """
    if not commands:
        return ()
    changed = tuple(re.sub(rf"artifacts/{re.escape(BUILDING_FOLDER)}[\w-]+", _REBUILT, command) for command in commands)
    folders = [
        argument[: argument.index(f"/{_REBUILT}/") + len(_REBUILT) + 1]
        for command in changed
        for argument in shlex.split(command)
        if f"/{_REBUILT}/" in argument
    ]
    return (*(shlex.join(("mkdir", "-p", folder)) for folder in dict.fromkeys(folders)), *changed)


def exported_symbols(library: Path) -> tuple[str, ...] | None:
    """Return the names that a library defines for others, as C++ writes them; ``None`` where no tool tells."""
    program = shutil.which("nm") or shutil.which("llvm-nm")
    if program is None or not library.is_file():
        return None
    command = [program, "--dynamic", "--defined-only", "--demangle", str(library)]
    try:
        outcome = run_process(command, limits=ProcessLimits(seconds=_LIMIT_SECONDS))
    except SetupError:
        return None
    if not outcome.succeeded:
        return None
    # A line is address, kind and name; what C++ calls a function may hold spaces.
    fields = (line.split(maxsplit=2) for line in outcome.output.splitlines())
    return tuple(name for _, _, name in (entry for entry in fields if len(entry) == len(("address", "kind", "name"))))


def _size_and_hash(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return path.stat().st_size, digest
