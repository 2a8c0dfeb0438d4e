"""Executes build plans: looks for a finished artifact, runs the steps, keeps what they made."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError, SetupError
from opstudio.base.files import write_atomic
from opstudio.base.finding import Place
from opstudio.base.hashing import content_address, file_address
from opstudio.build.compiler_output import parse_diagnostics
from opstudio.build.records import BuildPlan, BuildRecord, BuildResult, BuildStep
from opstudio.jobs.cancel import CancelToken
from opstudio.jobs.process import run_process
from opstudio.workspace.artifact_store import Artifact, ArtifactRecord, ArtifactStore

_OUT = "{out}"
_KEPT_OUTPUT = 20_000


def execute(
    plan: BuildPlan,
    store: ArtifactStore,
    *,
    cancel: CancelToken,
    on_output: Callable[[str], None],
    on_start: Callable[[], None] = lambda: None,
    shared: ArtifactStore | None = None,
) -> BuildResult:
    """Return the artifact of a plan, from the store or freshly built; ``on_start`` is called where it must be built.

    A tool that refuses is a result, not an error: its messages are in the record. ``shared`` is another store, which is
    asked before anything is built and given what was; without it, or where it fails, it only takes longer.

    Raises:
        SetupError: a tool cannot be started, or the workspace cannot be written.
        CancelledError: ``cancel`` was set; nothing half-built is left.
    """
    start = time.monotonic()
    address = content_address({"kind": plan.kind, "key": to_json(plan.key), "generated": to_json(plan.generated)})
    if (known := store.find(plan.kind, address)) is not None:
        return _found(plan, known, time.monotonic() - start)
    if shared is not None and (known := _fetch(shared, plan.kind, address, store)) is not None:
        return _found(plan, known, time.monotonic() - start)
    on_start()
    with store.building() as folder:
        for name in plan.outputs:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for name, text in plan.generated.items():
            write_atomic(folder / name, text)
        steps = _run_steps(plan, folder, cancel, on_output)
        seconds = time.monotonic() - start
        artifact = None
        if steps.succeeded:
            entry = ArtifactRecord(
                kind=plan.kind,
                address=address,
                inputs=steps.inputs,
                outputs=plan.outputs,
                commands=tuple(steps.commands),
                versions=plan.versions,
                seconds=seconds,
                output=steps.output[-_KEPT_OUTPUT:],
            )
            artifact = store.store(folder, entry)
    if shared is not None and artifact is not None:
        with contextlib.suppress(SetupError):
            shared.adopt(artifact)
    record = BuildRecord(
        backend=plan.kind,
        succeeded=steps.succeeded,
        cached=False,
        seconds=seconds,
        commands=tuple(steps.commands),
        diagnostics=parse_diagnostics(steps.output),
        output=steps.output[-_KEPT_OUTPUT:],
        artifact=artifact.identity if artifact else "",
    )
    return BuildResult(record, artifact)


def _fetch(shared: ArtifactStore, kind: str, address: str, store: ArtifactStore) -> Artifact | None:
    """Return the artifact of another store, taken into this one; ``None`` where it has none that can be read.

    Raises:
        SetupError: the workspace cannot be written.
    """
    known = shared.find(kind, address)
    try:
        return None if known is None else store.adopt(known)
    except (OSError, shutil.Error):
        return None  # somebody removed or damaged it meanwhile


def _found(plan: BuildPlan, known: Artifact, seconds: float) -> BuildResult:
    """Return the result of a build that was done before; what its tools said then still holds."""
    record = BuildRecord(
        backend=plan.kind,
        succeeded=True,
        cached=True,
        seconds=seconds,
        commands=known.record.commands,
        diagnostics=parse_diagnostics(known.record.output),
        output=known.record.output,
        artifact=known.identity,
    )
    return BuildResult(record, known)


@dataclass(slots=True)
class _Steps:
    """What the steps of a plan did."""

    inputs: dict[str, str]
    commands: list[str] = field(default_factory=list)
    output: str = ""
    succeeded: bool = True


def _run_steps(plan: BuildPlan, folder: Path, cancel: CancelToken, on_output: Callable[[str], None]) -> _Steps:
    """Run the steps one after another, up to the first that fails."""
    # The addresses of the sources are taken before they are compiled: a save in between must not go unnoticed.
    done = _Steps({str(path): _address(path) for path in plan.inputs})
    for step in plan.steps:
        command = [argument.replace(_OUT, str(folder)) for argument in step.command]
        done.commands.append(shlex.join(command))
        outcome = run_process(command, cwd=folder, environment=_environment(), cancel=cancel, on_output=on_output)
        done.output += outcome.output
        done.inputs |= _dependencies(folder, step, known=done.inputs)
        done.succeeded = outcome.succeeded
        if not done.succeeded:
            break
    return done


def _address(path: Path) -> str:
    try:
        return file_address(path)
    except OSError as error:
        raise InputError.of(
            f"{path.name} cannot be read any more",
            cause=error.strerror or str(error),
            fix="Put it back, or correct the contract; if its folder was renamed, nothing needs to be done",
            stage="build",
            place=Place(file=str(path)),
        ) from error


def _environment() -> dict[str, str]:
    """Return the studio's variables with the language set to one whose messages can be read back."""
    return {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "dumb"}


def _dependencies(folder: Path, step: BuildStep, *, known: dict[str, str]) -> dict[str, str]:
    """Return the headers that a step read, with their addresses; files of the build folder itself are left out."""
    if step.dependency_file is None or not (folder / step.dependency_file).is_file():
        return {}
    text = (folder / step.dependency_file).read_text(encoding="utf-8", errors="replace")
    _, _, names = text.replace("\\\n", " ").partition(": ")
    result: dict[str, str] = {}
    for name in shlex.split(names.replace("$$", "$")):
        path = (folder / name).resolve()
        if str(path) not in known and path.is_file() and not path.is_relative_to(folder.resolve()):
            result[str(path)] = file_address(path)
    return result
