"""The record about a result: all that somebody else needs to believe it, or to obtain it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from opstudio.base.codec import to_json
from opstudio.base.finding import Json
from opstudio.base.units import render_bytes, render_seconds
from opstudio.jobs.events import StageState
from opstudio.workflows.built_libraries import runnable
from opstudio.workspace.artifact_store import ArtifactStore
from opstudio.workspace.build_history import BuiltLibrary, HistoryRecord, StageMark
from opstudio.workspace.folder import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRecord:
    """What one click copies. ``stage`` is absent where it is about the build as a whole.

    ``commands`` build the libraries again, in a folder of the workspace made for that. ``paths`` are where they are.
    """

    record: HistoryRecord
    stage: StageMark | None
    commands: tuple[str, ...]
    paths: tuple[str, ...]

    def as_text(self) -> str:
        """Return it as lines of names and values."""
        record = self.record
        lines = [
            ("operator", f"{record.operator}, build {record.number}"),
            (
                "verdict",
                f"{record.verdict.value}, {_moment(record.at)}, after {render_seconds(record.verdict_seconds)}",
            ),
        ]
        if self.stage is not None:
            lines.append((f"stage {self.stage.stage}", _stage_text(self.stage)))
        lines += [(f"version of {name}", version) for name, version in record.versions.items()]
        lines.append(("machine", record.machine))
        lines.append(("flags", " ".join(record.flags) or "none beside the studio's own"))
        lines += [("command", command) for command in self.commands]
        for library, path in zip(record.libraries, self.paths, strict=True):
            lines += _library_lines(library, path)
        lines.append(("contract", record.contract or "could not be read"))
        lines += [(f"source {file.name}", f"{file.address}, {file.size_bytes} B") for file in record.sources]
        if self.stage is None:
            lines += [(f"stage {mark.stage}", _stage_text(mark)) for mark in record.stages]
        width = max(len(name) for name, _ in lines)
        return "".join(f"{name:<{width}}  {value}\n" for name, value in lines)

    def as_document(self) -> dict[str, Json]:
        """Return it as JSON values."""
        record = self.record
        return {
            "operator": record.operator,
            "number": record.number,
            "verdict": record.verdict.value,
            "at": record.at,
            "seconds": record.verdict_seconds,
            "stages": [to_json(mark) for mark in ((self.stage,) if self.stage else record.stages)],
            "versions": dict(record.versions),
            "machine": record.machine,
            "flags": list(record.flags),
            "commands": list(self.commands),
            "libraries": [
                {**_fields(library), "path": path} for library, path in zip(record.libraries, self.paths, strict=True)
            ],
            "contract": record.contract,
            "sources": [to_json(file) for file in record.sources],
        }


def about_result(workspace: Workspace, record: HistoryRecord, stage: str = "") -> ResultRecord:
    """Return the record about a build, or about one of its stages; an unknown stage is that of the whole build."""
    store = ArtifactStore(workspace.state)
    commands: list[str] = []
    paths: list[str] = []
    for library in record.libraries:
        commands += runnable(library.commands)
        artifact = store.read(library.kind, library.artifact)
        paths.append("" if artifact is None else str(artifact.output(library.file)))
    return ResultRecord(
        record=record,
        stage=record.stage(stage),
        commands=tuple(dict.fromkeys(commands)),
        paths=tuple(paths),
    )


def _library_lines(library: BuiltLibrary, path: str) -> list[tuple[str, str]]:
    return [
        ("library", path or f"{library.file}, tidied away since"),
        ("artifact", f"{library.kind}/{library.artifact}"),
        ("size", f"{render_bytes(library.size_bytes)} ({library.size_bytes} B)"),
        ("SHA-256", library.sha256),
        ("compiled in", render_seconds(library.seconds)),
    ]


def _stage_text(mark: StageMark) -> str:
    if mark.state not in (StageState.GOOD, StageState.BAD):
        return f"{mark.state.value.replace('_', ' ')}: {mark.summary}"
    how = "found to hold" if mark.cached else "run"
    words = [mark.state.value, how, render_seconds(mark.seconds), *mark.findings]
    return ", ".join((*words, f"key {mark.key}") if mark.key else words)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _fields(library: BuiltLibrary) -> dict[str, Json]:
    data = to_json(library)
    assert isinstance(data, dict)
    return dict(data)
