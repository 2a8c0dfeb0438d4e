"""Seeding faults: a good operator, one edit that breaks it, what must be said of it, and the way back."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.workspaces import ROOT, CheckResult, Edit, TestWorkspace

OPERATORS = ROOT / "tests" / "support" / "operators"
SLOW = "export,cuda,opcheck,optimization,concurrency,sanitizer,speed"
"""The stages behind the verdict; left out where a fault shows before it."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One edit of a good operator, and what the studio must answer.

    ``place`` is a file of the operator and a text on the very line that must be named, where ``lines`` above it count
    as well. ``words`` must occur in the finding. ``mend`` applies the fix that the finding offers; without it the edit
    is taken back.
    """

    id: str
    operator: str
    stage: str
    edits: tuple[Edit, ...]
    place: tuple[str, str]
    words: tuple[str, ...] = ()
    mend: tuple[Edit, ...] = ()
    arguments: tuple[str, ...] = field(default=("--skip", SLOW))
    severity: str = "error"

    def __str__(self) -> str:
        return f"{self.id}-{self.operator}"


class FaultWorkspace(TestWorkspace):
    """A workspace whose operators are broken and mended in place, so that what was good is known and costs nothing."""

    __test__ = False

    def new(self, name: str, template: str) -> Path:
        """Make an operator as a person does."""
        result = self.run("new", name, "--template", template)
        assert result.status == 0, result.errors
        return self.root / name

    def copy(self, name: str) -> Path:
        """Copy one of the operators that tests share."""
        return Path(shutil.copytree(OPERATORS / name, self.root / name))

    @contextmanager
    def edited(self, name: str, *edits: Edit) -> Iterator[None]:
        """Apply edits to an operator and take them back at the end; files that did not exist are removed."""
        folder = self.root / name
        before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        try:
            for edit in edits:
                self._apply(name, edit)
            yield
        finally:
            for path in [path for path in folder.iterdir() if path.is_file()]:
                if path not in before:
                    path.unlink()
            for path, data in before.items():
                if not path.exists() or path.read_bytes() != data:
                    path.write_bytes(data)

    def _apply(self, name: str, edit: Edit) -> None:
        file, old, new = edit
        if old:
            self.edit(name, file, old, new)
        else:
            path = self.root / name / file
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            path.write_text(text + new, encoding="utf-8")


def assert_found(workspace: FaultWorkspace, fault: Fault) -> CheckResult:
    """Check a broken operator: the rule, its stage, the place and the words are those that the fault states."""
    line = workspace.line(fault.operator, *fault.place)
    result = workspace.check(fault.operator, *fault.arguments)
    assert_told(fault, result, line)
    assert result.status == (1 if fault.severity == "error" else 0)
    return result


def assert_told(fault: Fault, result: CheckResult, line: int) -> None:
    """Compare what a check found with what a fault states; ``line`` is that of the fault's place."""
    finding = result.finding(fault.id)
    said = " ".join((finding["title"], finding["cause"], finding["fix"]))
    assert (finding["stage"], finding["severity"]) == (fault.stage, fault.severity), finding
    assert (fault.place[0], line) in result.lines(fault.id), finding
    assert [words for words in fault.words if words not in said] == [], said
    state = "bad" if fault.severity == "error" else "good"
    assert (result.verdict, result.state(fault.stage)) == (state, state)


def assert_good(workspace: FaultWorkspace, operator: str, *arguments: str) -> CheckResult:
    """Check an operator: nothing is found."""
    result = workspace.check(operator, *arguments)
    assert (result.status, result.verdict, result.ids) == (0, "good", set()), result.operator["findings"]
    return result


def assert_found_and_mended(workspace: FaultWorkspace, fault: Fault) -> CheckResult:
    """Break an operator, see the fault told, apply the fix, see it good again."""
    with workspace.edited(fault.operator, *fault.edits):
        result = assert_found(workspace, fault)
        if fault.mend:
            for edit in fault.mend:
                workspace.edit(fault.operator, *edit)
            assert_good(workspace, fault.operator, *fault.arguments)
    if not fault.mend:
        assert_good(workspace, fault.operator, *fault.arguments)
    return result


def precompile(header: Path, command: list[str], source: Path) -> None:
    """Precompile a header with the flags of a command that compiled a source.

    PyTorch's headers are most of what a small operator compiles. A compiler that cannot use the result reads the header
    itself, which only takes longer.
    """
    end = command.index(str(source))
    flags = [item for item in command[1:end] if item != "-MMD"]
    flags = [item for item, before in zip(flags, ["", *flags], strict=False) if "-MF" not in (item, before)]
    target = header.with_name(f"{header.name}.gch")
    arguments = [command[0], *flags, "-x", "c++-header", str(header), "-o", str(target)]
    subprocess.run(arguments, check=False, capture_output=True)
