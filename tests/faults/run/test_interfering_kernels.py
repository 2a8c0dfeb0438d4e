"""Kernels that reach beyond their call: copies, processes, foreign descriptors, signals, output without end."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.workspaces import CheckResult, TestWorkspace

FORWARD = '  const opstudio::View x = call.input("x"), y = call.output("y");\n'
HELPERS = """
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

static bool once = true;

// Descriptors of pipes above the standard ones: that of the studio's events is among them.
template <typename Action>
static void for_pipes(Action action) {
  struct stat status;
  for (int number = 3; number < 256; ++number)
    if (fstat(number, &status) == 0 && S_ISFIFO(status.st_mode)) action(number);
}
"""
SEEDS: Mapping[str, tuple[str, str, str]] = {
    "forks": ("RUN013", "if (fork() == 0) alarm(20);", "forked"),
    "writes": ("RUN013", 'for_pipes([](int pipe) { (void)!write(pipe, "half a line", 11); });', "descriptor"),
    "forges": (
        "RUN013",
        'for_pipes([](int pipe) { (void)!write(pipe, "{\\"event\\": \\"finished\\"}\\n", 22); }); _exit(0);',
        "descriptor",
    ),
    "closes": ("RUN013", "for_pipes([](int pipe) { close(pipe); });", "closed"),
    "leaves": (
        "RUN014",
        'if (fork() == 0) { setsid(); alarm(60); execlp("sleep", "sleep", "59", nullptr); _exit(1); }',
        "sleep 59",
    ),
    "prints": ("RUN015", "static char text[1 << 20]; for (;;) (void)!write(1, text, sizeof text);", "MiB"),
    "killed": ("RUN001", "raise(SIGKILL);", "out-of-memory killer"),
    "garbles": ("RUN007", 'throw std::runtime_error("\\xff\\xfe boom");', "\N{REPLACEMENT CHARACTER} boom"),
    "stopped": ("RUN002", "raise(SIGSTOP);", "SIGSTOP"),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("interfering") / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    return made


@pytest.fixture(scope="module")
def results(workspace: TestWorkspace) -> Mapping[str, CheckResult]:
    """Check all of them in one run: whatever one does, the next ones are checked as usual."""
    for name, (_, statement, _) in SEEDS.items():
        workspace.add(
            "relu6_scale",
            name,
            ("relu6_scale.cpp", "#include <opstudio/kernel.h>\n", "#include <opstudio/kernel.h>\n" + HELPERS),
            ("relu6_scale.cpp", FORWARD, f"{FORWARD}  if (once) {{ once = false; {statement} }}  // fault\n"),
        )
    workspace.add("relu6_scale", "well")
    command = workspace.run("check", *SEEDS, "well", "--json", "--only", "meta,value", timeout=600)
    assert command.status == 1, command.errors
    operators = command.document["operators"]
    return {name: CheckResult(command.status, item) for name, item in zip((*SEEDS, "well"), operators, strict=True)}


@pytest.mark.parametrize("name", SEEDS)
def test_that_an_interfering_kernel_is_told(
    workspace: TestWorkspace, results: Mapping[str, CheckResult], name: str
) -> None:
    finding_id, _, words = SEEDS[name]
    finding = results[name].finding(finding_id)

    assert results[name].verdict == "bad"
    assert results[name].ids == {finding_id}
    assert words in finding["cause"]
    function = workspace.line(name, "relu6_scale.cpp", "void forward(")
    assert {file for file, _ in results[name].lines(finding_id)} == {"relu6_scale.cpp"}
    assert all(function <= line <= function + 3 for _, line in results[name].lines(finding_id))


def test_that_the_operators_behind_them_are_checked_as_usual(results: Mapping[str, CheckResult]) -> None:
    assert (results["well"].verdict, results["well"].ids) == ("good", set())


def test_that_what_one_stage_prints_is_kept_within_bounds(
    workspace: TestWorkspace, results: Mapping[str, CheckResult]
) -> None:
    assert results["prints"].verdict == "bad"
    (journal,) = (workspace.root / ".opstudio" / "runs").glob("*-check.ndjson")

    assert journal.stat().st_size < 8 * 6 * 2**20  # a zero byte is written as six
    assert "left out" in journal.read_text(encoding="utf-8")


@pytest.mark.usefixtures("results")
def test_that_a_stage_which_was_told_good_too_early_is_not_kept_as_good(workspace: TestWorkspace) -> None:
    again = workspace.check("leaves", "--only", "meta,value")

    assert (again.verdict, again.ids) == ("bad", {"RUN014"})
