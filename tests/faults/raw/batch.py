"""Faults of operators that register themselves, many at once: most of their time is a compiler's.

Each fault breaks a copy of its operator. Two runs of the command line check the copies side by side, so that both cores
of a small machine compile.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from tests.faults.seeding import Fault, FaultWorkspace
from tests.support.workspaces import CheckResult, Edit

_Check = tuple[str, tuple[str, ...]]
"""The folder of an operator and the arguments that it is checked with."""


@dataclass(frozen=True, kw_only=True)
class Seeded:
    """A fault, the line that must be named, and what two checks said: of the broken copy and of the mended one."""

    fault: Fault
    line: int
    broken: CheckResult
    mended: CheckResult

    def assert_found_and_mended(self) -> None:
        """The fault is told by its rule alone, with its place; once it is mended nothing is told."""
        fault, finding = self.fault, self.broken.finding(self.fault.id)
        said = " ".join((finding["title"], finding["cause"], finding["fix"]))
        assert self.broken.ids == {fault.id}, self.broken.operator["findings"]
        assert (self.broken.verdict, self.broken.state(fault.stage)) == ("bad", "bad")
        assert (finding["stage"], finding["severity"]) == (fault.stage, fault.severity), finding
        assert (fault.place[0], self.line) in self.broken.lines(fault.id), finding
        assert [words for words in fault.words if words not in said] == [], said
        assert (self.mended.verdict, self.mended.ids) == ("good", set()), self.mended.operator["findings"]


def seed_all(workspace: FaultWorkspace, faults: Mapping[str, Fault]) -> dict[str, Seeded]:
    """Break a copy for each fault and check it; apply the fix and check again.

    A copy whose edit is taken back is the operator itself, which is checked once for all of its faults.
    """
    copies = {name: _copy(workspace, fault.operator, name, fault.edits) for name, fault in faults.items()}
    lines = {name: workspace.line(copies[name], *fault.place) for name, fault in faults.items()}
    broken = _check_side_by_side(workspace, [(copies[name], fault.arguments) for name, fault in faults.items()])
    for name, fault in faults.items():
        _apply(workspace, copies[name], fault.mend)
    left = [(copies[name] if fault.mend else fault.operator, fault.arguments) for name, fault in faults.items()]
    mended = _check_side_by_side(workspace, left)
    for copy in copies.values():
        shutil.rmtree(workspace.root / copy)
    return {
        name: Seeded(fault=fault, line=lines[name], broken=broken[copies[name], fault.arguments], mended=mended[check])
        for (name, fault), check in zip(faults.items(), left, strict=True)
    }


def _copy(workspace: FaultWorkspace, operator: str, name: str, edits: Sequence[Edit]) -> str:
    folder = re.sub(r"\W+", "_", name)
    shutil.copytree(workspace.root / operator, workspace.root / folder)
    _apply(workspace, folder, edits)
    return folder


def _apply(workspace: FaultWorkspace, folder: str, edits: Sequence[Edit]) -> None:
    """Apply edits for good. An edit without old text adds to the file, or makes it."""
    for file, old, new in edits:
        if old:
            workspace.edit(folder, file, old, new)
        else:
            with (workspace.root / folder / file).open("a", encoding="utf-8") as stream:
                stream.write(new)


def _check_side_by_side(workspace: FaultWorkspace, checks: Sequence[_Check]) -> dict[_Check, CheckResult]:
    once = list(dict.fromkeys(checks))
    with ThreadPoolExecutor() as threads:
        halves = threads.map(partial(_check_together, workspace), (once[0::2], once[1::2]))
        return {check: result for half in halves for check, result in half.items()}


def _check_together(workspace: FaultWorkspace, checks: Sequence[_Check]) -> dict[_Check, CheckResult]:
    """Check operators in one run of the command line for all that have the same arguments."""
    results: dict[_Check, CheckResult] = {}
    for arguments in dict.fromkeys(arguments for _, arguments in checks):
        names = [name for name, own in checks if own == arguments]
        command = workspace.run("check", *names, "--json", *arguments, timeout=600)
        operators = command.document["operators"]
        assert command.status == int(any(item["verdict"] != "good" for item in operators)), command.errors
        for name, item in zip(names, operators, strict=True):
            results[name, arguments] = CheckResult(command.status, item)
    return results
