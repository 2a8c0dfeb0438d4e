"""What a reference imports or reads decides its results; stages may be left out, also those that others use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.watched_loop import WatchedLoop
from tests.support.workspaces import CheckResult, TestWorkspace

NAME = "relu6_scale"
READING = """
from pathlib import Path

from tables.consts import ADDED

ADDED += float((Path(__file__).parent / "table.csv").read_text())
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("files") / "workspace")
    (made.root / ".opstudio").mkdir()
    (made.root / ".opstudio" / "artifacts").symlink_to(built_artifacts)
    folder = made.add(NAME, NAME)
    (folder / "tables").mkdir()
    (folder / "tables" / "__init__.py").touch()
    (folder / "tables" / "consts.py").write_text("ADDED = 0.0\n", encoding="utf-8")
    (folder / "table.csv").write_text("0\n", encoding="utf-8")
    text = (folder / "reference.py").read_text(encoding="utf-8")
    (folder / "reference.py").write_text(
        text.replace("import torch\n", f"import torch\n{READING}", 1).replace("return ", "return ADDED + ", 1),
        encoding="utf-8",
    )
    return made


def check(workspace: TestWorkspace, *arguments: str) -> CheckResult:
    return workspace.check(NAME, *(arguments or ("--only", "value")))


@pytest.fixture
def good(workspace: TestWorkspace) -> None:
    result = check(workspace)
    assert (result.verdict, result.ids) == ("good", set())


@pytest.mark.usefixtures("good")
@pytest.mark.parametrize(
    ("file", "before", "after"), [("tables/consts.py", "ADDED = 0.0\n", "ADDED = 0.5\n"), ("table.csv", "0\n", "0.5\n")]
)
def test_that_what_a_reference_reads_decides_its_results(
    workspace: TestWorkspace, file: str, before: str, after: str
) -> None:
    path = workspace.root / NAME / file
    path.write_text(after, encoding="utf-8")
    result = check(workspace)
    path.write_text(before, encoding="utf-8")

    assert (result.verdict, result.state("value")) == ("bad", "bad")


def test_that_the_loop_notices_what_a_reference_reads(workspace: TestWorkspace) -> None:
    table = workspace.root / NAME / "table.csv"
    with WatchedLoop(workspace.root, "--only", "value") as loop:
        assert loop.next_verdict(final=True)[1] == "good"
        table.write_text("0.5\n", encoding="utf-8")
        assert loop.next_verdict(final=True)[1] == "bad"
        table.write_text("0\n", encoding="utf-8")
        assert loop.next_verdict(final=True)[1] == "good"


def test_that_a_reference_which_writes_beside_itself_does_not_keep_the_loop_busy(workspace: TestWorkspace) -> None:
    name = "writing"
    line = "    __import__('pathlib').Path(__file__).with_name('runs.csv').write_text(str(__import__('time').time()))\n"
    folder = workspace.add(NAME, name, ("reference.py", "    return ", f"{line}    return "))
    with WatchedLoop(workspace.root, name, "--only", "value") as loop:
        assert loop.next_verdict(final=True)[1] == "good"
        loop.events_within(8.0)
        assert [event["event"] for event in loop.events_within(3.0)] == []
    assert (folder / "runs.csv").is_file()


def test_that_a_stage_is_left_out_with_those_that_use_it(workspace: TestWorkspace) -> None:
    result = check(workspace, "--skip", "export,cuda,concurrency,sanitizer,speed")

    assert (result.verdict, result.ids) == ("good", set())
    assert [result.state(stage) for stage in ("optimization", "opcheck")] == ["skipped", "good"]
    (summary,) = (item["summary"] for item in result.operator["stages"] if item["id"] == "optimization")
    assert summary == "export was left out"


def test_that_the_reference_may_be_left_out(workspace: TestWorkspace) -> None:
    result = check(
        workspace, "--fresh", "--skip", "reference,gradient,export,cuda,opcheck,optimization,concurrency,speed"
    )

    assert (result.verdict, result.ids) == ("good", set())
    assert {result.state(stage) for stage in ("meta", "value", "extreme", "parity", "sanitizer")} == {"skipped"}
    assert result.state("layout") == "good"


def test_that_the_build_cannot_be_left_out(workspace: TestWorkspace) -> None:
    result = workspace.run("check", NAME, "--skip", "build")

    assert result.status == 2
    assert "build cannot be left out" in result.errors
