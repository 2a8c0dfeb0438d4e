"""Reports of checks in the form that scripts rely on."""

from __future__ import annotations

from opstudio.base.codec import to_json
from opstudio.base.finding import Json
from opstudio.workflows.check import OperatorReport


def report_to_json(report: OperatorReport) -> dict[str, Json]:
    """Return a report as a JSON object."""
    return {
        "name": report.name,
        "domain": report.domain,
        "verdict": report.verdict.value,
        "seconds": report.seconds,
        "stages": [
            {
                "id": stage.stage,
                "state": stage.state.value,
                "seconds": stage.seconds,
                "cached": stage.cached,
                "summary": stage.summary,
            }
            for stage in report.stages
        ],
        "findings": [to_json(finding) for finding in report.findings],
    }
