"""Several faults at once, each in a copy of its operator.

One run of the command line for all of them takes a third of one run for each: the workers start once.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.faults.seeding import Fault, FaultWorkspace, assert_told
from tests.support.workspaces import CheckResult, Edit

_Check = tuple[str, tuple[str, ...]]
_Run = tuple[list[str], tuple[str, ...]]
_WORTH_SPLITTING = 4


@dataclass(frozen=True, kw_only=True)
class Seeded:
    """A fault, the line that must be named, and what two checks said: of the broken copy and of the mended one."""

    fault: Fault
    line: int
    broken: CheckResult
    mended: CheckResult

    def assert_found_and_mended(self) -> None:
        """The fault is told, by its rule alone; once it is mended nothing is."""
        assert_told(self.fault, self.broken, self.line)
        assert self.broken.ids == {self.fault.id}, self.broken.operator["findings"]
        assert (self.mended.verdict, self.mended.ids) == ("good", set()), self.mended.operator["findings"]


def seed_all(workspace: FaultWorkspace, faults: Mapping[str, Fault]) -> dict[str, Seeded]:
    """Break a copy for each fault, check all, mend all, check all again.

    A copy whose edit is taken back is the operator itself, so that this is checked then: once for all of its faults.
    """
    copies = {name: copy_operator(workspace, fault.operator, name, fault.edits) for name, fault in faults.items()}
    lines = {name: workspace.line(copy, *faults[name].place) for name, copy in copies.items()}
    broken = _check_each(workspace, [(copies[name], fault.arguments) for name, fault in faults.items()])
    for name, fault in faults.items():
        apply(workspace, copies[name], fault.mend)
    mended = _check_each(
        workspace,
        [(copies[name] if fault.mend else fault.operator, fault.arguments) for name, fault in faults.items()],
    )
    for copy in copies.values():
        shutil.rmtree(workspace.root / copy)
    return {
        name: Seeded(fault=fault, line=lines[name], broken=before, mended=after)
        for (name, fault), before, after in zip(faults.items(), broken, mended, strict=True)
    }


def copy_operator(workspace: FaultWorkspace, operator: str, name: str, edits: Iterable[Edit]) -> str:
    """Copy an operator of the workspace, apply edits and return the name of the copy's folder."""
    folder = re.sub(r"\W+", "_", name)
    shutil.copytree(workspace.root / operator, workspace.root / folder)
    apply(workspace, folder, edits)
    return folder


def apply(workspace: FaultWorkspace, folder: str, edits: Iterable[Edit]) -> None:
    """Apply edits for good. An edit without old text adds to the file, or makes it."""
    for file, old, new in edits:
        path: Path = workspace.root / folder / file
        if old:
            workspace.edit(folder, file, old, new)
        else:
            path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + new, encoding="utf-8")


def check_together(workspace: FaultWorkspace, arguments: Mapping[str, tuple[str, ...]]) -> dict[str, CheckResult]:
    """Check operators with the arguments of each, in one run for all that have the same."""
    results: dict[str, CheckResult] = {}
    for shared in dict.fromkeys(arguments.values()):
        results |= _run_check(workspace, [name for name, own in arguments.items() if own == shared], shared)
    return results


def _check_each(workspace: FaultWorkspace, checks: Sequence[_Check]) -> list[CheckResult]:
    """Check operators, one of them perhaps with several arguments; two runs at a time, since one leaves a core idle."""
    runs: list[_Run] = []
    for shared in dict.fromkeys(arguments for _, arguments in checks):
        names = list(dict.fromkeys(name for name, arguments in checks if arguments == shared))
        half = (len(names) + 1) // 2 if len(names) >= _WORTH_SPLITTING else len(names)
        runs += [(part, shared) for part in (names[:half], names[half:]) if part]
    with ThreadPoolExecutor(max_workers=2) as executor:
        answers = list(executor.map(lambda run: _run_check(workspace, *run), runs))
    results = {
        (name, shared): result
        for (_, shared), answer in zip(runs, answers, strict=True)
        for name, result in answer.items()
    }
    return [results[check] for check in checks]


def _run_check(workspace: FaultWorkspace, names: list[str], arguments: tuple[str, ...]) -> dict[str, CheckResult]:
    command = workspace.run("check", *names, "--json", *arguments, timeout=600)
    assert command.output, f"no JSON: {command.errors}"
    operators = command.document["operators"]
    assert command.status == (0 if all(item["verdict"] == "good" for item in operators) else 1)
    # The folder is what is told apart here; the contract's name is that of the original.
    return {name: CheckResult(command.status, item) for name, item in zip(names, operators, strict=True)}
