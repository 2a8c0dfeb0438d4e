"""References that misbehave are told as references."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.workspaces import ALONE, CheckResult, TestWorkspace

DEFINITION = "def relu6_scale("
RETURN = "    return torch.clamp("
SEEDS: Mapping[str, tuple[str, str, str]] = {
    "greedy": ("RUN004", "    _kept = [torch.ones(2**24) for _ in range(1000)]\n", "The reference allocates"),
    "killed": ("RUN001", "    __import__('os').kill(0, 9)\n", "The reference was ended by SIGKILL"),
    "leaving": (
        "RUN014",
        "    __import__('subprocess').Popen(['sleep', '60'], start_new_session=True)\n",
        "The reference leaves processes behind",
    ),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("references") / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    with (made.root / "opstudio.toml").open("a", encoding="utf-8") as file:
        file.write("[limits]\nmemory_gib = 1\n")
    return made


@pytest.fixture(scope="module")
def results(workspace: TestWorkspace) -> Mapping[str, CheckResult]:
    for name, (_, statement, _) in SEEDS.items():
        workspace.add("relu6_scale", name, *ALONE, ("reference.py", RETURN, statement + RETURN))
    workspace.add("relu6_scale", "picky", *ALONE)
    # What a studio that was killed has left.
    arrays = workspace.root / ".opstudio" / "arrays"
    arrays.mkdir()
    (arrays / ".picky-0123.arrays.999999999.part").touch()
    command = workspace.run("check", *SEEDS, "picky", "--json", "--only", "value", timeout=600)
    assert command.status == 1, command.errors
    operators = command.document["operators"]
    names = (*SEEDS, "picky")
    return {name: CheckResult(command.status, item) for name, item in zip(names, operators, strict=True)}


@pytest.mark.parametrize("name", SEEDS)
def test_that_a_reference_is_told_as_one(
    workspace: TestWorkspace, results: Mapping[str, CheckResult], name: str
) -> None:
    finding_id, _, title = SEEDS[name]
    finding = results[name].finding(finding_id)

    assert results[name].ids == {finding_id}
    assert finding["title"].startswith(title)
    assert finding["stage"] == "reference"
    assert results[name].lines(finding_id) == {("reference.py", workspace.line(name, "reference.py", DEFINITION))}


@pytest.mark.usefixtures("results")
def test_that_no_unfinished_arrays_are_left(workspace: TestWorkspace) -> None:
    names = [path.name for path in (workspace.root / ".opstudio" / "arrays").iterdir()]

    assert [name for name in names if name.startswith("picky-")] != []
    assert [name for name in names if name.endswith(".part")] == []
