"""Speed: medians, spreads and peak memory of all contenders."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.base.units import render_bytes, render_seconds
from opstudio.checks.stages.speed import SpeedEvidence
from opstudio.workflows.evidence_sections import Describer, EvidenceContext, KeyValues, Section, table


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show the timings and what was timed."""
    evidence = context.evidence
    if not isinstance(evidence, SpeedEvidence):
        return
    rows = [
        (
            timing.name,
            render_seconds(timing.median),
            render_seconds(timing.low),
            render_seconds(timing.high),
            str(timing.runs),
            f"{evidence.bytes_moved / timing.median / 1e9:.3g} GB/s" if timing.median else "",
            "not told here" if timing.peak_bytes is None else render_bytes(timing.peak_bytes),
        )
        for timing in evidence.timings
    ]
    columns = ("contender", "median", "10 %", "90 %", "runs", "moved", "peak memory")
    yield Section(title="Timings", content=table(columns, rows, numbers=columns[1:]))
    entries = (
        ("sample", f"{evidence.sample}, {' '.join(str(list(shape)) for shape in evidence.shapes)}"),
        ("type", evidence.type),
        ("threads", str(evidence.threads)),
        ("inputs and outputs", render_bytes(evidence.bytes_moved)),
    )
    yield Section(title="What was timed", content=KeyValues(entries=entries))


DESCRIBER = Describer(stages=("speed",), describe=describe)
