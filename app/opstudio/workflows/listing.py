"""The operators of a workspace with their last known state; nothing is built or run."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.checks.check import all_checks
from opstudio.contract.torch_schema import render_schema
from opstudio.jobs.events import StageState
from opstudio.workflows.operators import load_operator
from opstudio.workspace.folder import OperatorFolder, Workspace
from opstudio.workspace.result_store import ResultStore


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorEntry:
    """One operator. ``state`` is good, bad, unchecked or unreadable, by the last result of every stage."""

    name: str
    domain: str
    state: str
    summary: str
    schema: str
    findings: tuple[Finding, ...] = ()


def list_operators(workspace: Workspace) -> tuple[OperatorEntry, ...]:
    """Return all operators in the order of their names."""
    results = ResultStore(workspace.state)
    return tuple(_entry(workspace, results, folder) for folder in workspace.operators())


def _entry(workspace: Workspace, results: ResultStore, folder: OperatorFolder) -> OperatorEntry:
    try:
        contract = load_operator(workspace, folder).contract
    except InputError as error:
        return OperatorEntry(
            name=folder.name, domain="", state="unreadable", summary="", schema="", findings=error.findings
        )
    last = [results.latest(folder.name, check.id) for check in all_checks()]
    states = {result.state for result in last if result is not None}
    state = "bad" if StageState.BAD in states else "good" if states else "unchecked"
    return OperatorEntry(
        name=folder.name,
        domain=contract.domain,
        state=state,
        summary=contract.summary,
        schema=f"{contract.domain}::{render_schema(contract)}",
    )
