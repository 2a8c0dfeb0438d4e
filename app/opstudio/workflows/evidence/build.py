"""A build: the commands to copy, the library, what it exports, what the tools said."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.base.units import render_bytes, render_seconds
from opstudio.build.records import BuildRecord
from opstudio.checks.stages.cuda import CudaEvidence
from opstudio.workflows.built_libraries import describe_library, exported_symbols, runnable
from opstudio.workflows.evidence_sections import (
    CommandLines,
    Describer,
    EvidenceContext,
    KeyValues,
    Section,
    SourceText,
    table,
)
from opstudio.workspace.artifact_store import Artifact, ArtifactStore

_PLACE = "place"


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show a build of the kernel, or of its CUDA sources."""
    evidence = context.evidence
    record = evidence.record if isinstance(evidence, CudaEvidence) else evidence
    if not isinstance(record, BuildRecord):
        return
    artifacts = _artifacts(context, record)
    commands = [command for artifact in artifacts for command in artifact.record.commands] or list(record.commands)
    if commands:
        yield Section(title="Command lines", content=CommandLines(commands=runnable(commands)))
    for artifact in artifacts:
        yield Section(title="Library", content=_library(artifact))
    for artifact in artifacts if isinstance(evidence, BuildRecord) else ():
        symbols = exported_symbols(artifact.output(artifact.record.outputs[0]))
        if symbols is not None:
            rows = [(symbol,) for symbol in symbols]
            yield Section(title=f"Exported by {artifact.record.outputs[0]}", content=table(("symbol",), rows))
    yield from _messages(context, record)


def _messages(context: EvidenceContext, record: BuildRecord) -> Iterator[Section]:
    if record.diagnostics:
        rows = [
            (
                item.severity.value,
                ":".join(str(part) for part in (context.workspace.relative(item.file), item.line) if part is not None)
                if item.file
                else "",
                item.message,
            )
            for item in record.diagnostics
        ]
        bad = [index for index, item in enumerate(record.diagnostics) if item.severity.value == "error"]
        yield Section(title="Messages", content=table(("kind", _PLACE, "message"), rows, bad=bad))
    if record.output.strip():
        yield Section(title="What the tools printed", content=SourceText(language="text", text=record.output))


def _artifacts(context: EvidenceContext, record: BuildRecord) -> list[Artifact]:
    """Return all libraries of a build; a raw operator has two, of which the evidence names the last."""
    store = ArtifactStore(context.workspace.state)
    names = [(record.backend, record.artifact)] if record.artifact else []
    if context.stage == "build" and context.record is not None and record.succeeded:
        names = [(library.kind, library.artifact) for library in context.record.libraries] or names
    found = (store.read(kind, identity) for kind, identity in names)
    return [artifact for artifact in found if artifact is not None]


def _library(artifact: Artifact) -> KeyValues:
    library = describe_library(artifact)
    return KeyValues(
        entries=(
            ("file", str(artifact.output(library.file))),
            ("artifact", f"{library.kind}/{library.artifact}"),
            ("size", f"{render_bytes(library.size_bytes)} ({library.size_bytes} B)"),
            ("SHA-256", library.sha256),
            ("compiled in", render_seconds(library.seconds)),
            *((f"version of {name}", version) for name, version in artifact.record.versions.items()),
        )
    )


DESCRIBER = Describer(stages=("build", "cuda"), describe=describe)
