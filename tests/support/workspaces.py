"""Workspaces for tests: real operators, real tools, one edit that breaks something."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.trust import trust

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "kernels"
OPERATORS = Path(__file__).parent / "operators"
"""Operators that use what the bundled ones do not: optional and variadic inputs, lists, texts, several outputs."""

Edit = tuple[str, str, str]
"""A file of the operator, a piece of its text, and what takes its place."""


@dataclass(frozen=True)
class CommandResult:
    """What a run of the command line gave."""

    status: int
    output: str
    errors: str

    @property
    def document(self) -> dict[str, Any]:
        """The JSON document on standard output."""
        return dict(json.loads(self.output))


@dataclass(frozen=True)
class CheckResult:
    """What ``opstudio check --json`` said of one operator."""

    status: int
    operator: Mapping[str, Any]

    @property
    def verdict(self) -> str:
        return str(self.operator["verdict"])

    @property
    def ids(self) -> set[str]:
        """Return the ids of what was found; that a copy keeps the name of its original is no news here."""
        return {finding["id"] for finding in self.operator["findings"]} - {"CON006"}

    def state(self, stage: str) -> str:
        return str(next(item["state"] for item in self.operator["stages"] if item["id"] == stage))

    def finding(self, finding_id: str) -> Mapping[str, Any]:
        found = [item for item in self.operator["findings"] if item["id"] == finding_id]
        assert found, f"{finding_id} is not among {sorted(self.ids)}: {self.operator['findings']}"
        return dict(found[0])

    def lines(self, finding_id: str) -> set[tuple[str, int]]:
        """Return the places of a finding as (file name, line)."""
        return {
            (Path(place["file"]).name, place["line"])
            for place in self.finding(finding_id)["places"]
            if place["file"] is not None
        }


ALONE: tuple[Edit, ...] = (
    ("contract.toml", 'model = "model.py:InvertedResidual"\n', ""),
    ("contract.toml", '[export.dynamic]\nx = { 0 = "batch", 2 = "height", 3 = "width" }\n', ""),
)
"""What leaves the bundled relu6_scale without the model around it."""

RIGHT_FLOOR, WRONG_FLOOR = "Compute(0)), Compute(max_val)", "Compute(1)), Compute(max_val)"
"""A piece of the bundled relu6_scale's kernel, and what makes its values wrong (NUM012)."""


class TestWorkspace:
    """A workspace on disk, trusted, in which operators are broken one by one."""

    __test__ = False

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        (root / "opstudio.toml").write_text('[workspace]\nname = "tests"\n', encoding="utf-8")
        trust(root)

    def add(self, base: str, name: str, *edits: Edit) -> Path:
        """Copy a bundled operator, or one of the tests' own, under a folder name of its own and apply edits to it."""
        folder = self.root / name
        if folder.exists():
            shutil.rmtree(folder)
        source = KERNELS / base
        shutil.copytree(source if source.is_dir() else OPERATORS / base, folder)
        for edit in edits:
            self.edit(name, *edit)
        return folder

    def edit(self, name: str, file: str, old: str, new: str) -> None:
        """Replace one piece of text that occurs exactly once."""
        path = self.root / name / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def line(self, name: str, file: str, text: str) -> int:
        """Return the number of the one line that holds a text."""
        lines = (self.root / name / file).read_text(encoding="utf-8").splitlines()
        numbers = [number for number, line in enumerate(lines, start=1) if text in line]
        assert len(numbers) == 1, f"{text!r} is on lines {numbers}"
        return numbers[0]

    def run(self, *arguments: str, timeout: float = 300.0) -> CommandResult:
        """Run the command line in this workspace."""
        return run_command("-C", str(self.root), *arguments, timeout=timeout)

    def check(self, name: str, *arguments: str) -> CheckResult:
        """Check one operator through the command line."""
        result = self.run("check", name, "--json", *arguments)
        assert result.output, f"no JSON: {result.errors}"
        document = result.document
        assert "operators" in document, document
        (operator,) = document["operators"]
        return CheckResult(result.status, operator)


def run_command(
    *arguments: str,
    timeout: float = 300.0,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    prefix: Sequence[str] = (),
) -> CommandResult:
    """Run ``python -m opstudio`` in a process of its own."""
    completed = subprocess.run(
        [*prefix, sys.executable, "-m", "opstudio", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=cwd,
        env={**command_environment(), **(environment or {})},
        check=False,
    )
    return CommandResult(completed.returncode, completed.stdout, completed.stderr)


def command_environment() -> dict[str, str]:
    """Return the variables with which the studio of this checkout is found."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "app")}
