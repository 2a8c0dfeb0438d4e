"""Kernels that misbehave: each ends as a finding with its stage and its line, and the studio lives on."""

from __future__ import annotations

import pytest

from tests.support.workspaces import TestWorkspace

FORWARD = '  const opstudio::View x = call.input("x"), y = call.output("y");\n'
SEEDS = {
    "RUN001": ("segfault", "  *reinterpret_cast<volatile int*>(8) = 1;  // fault\n"),
    "RUN002": ("loop", "  for (volatile int turns = 1; turns != 0;) {}  // fault\n"),
    "RUN004": ("memory", "  for (;;) kept = std::memset(std::malloc(64 << 20), 1, 64 << 20);  // fault\n"),
    "RUN005": ("exit", "  std::exit(0);  // fault\n"),
    "RUN006": ("abort", "  std::abort();  // fault\n"),
    "RUN007": ("throw", '  throw std::runtime_error("boom");  // fault\n'),
}
HELPERS = """
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

static void* volatile kept;

__attribute__((noinline)) static int deepen(int depth) {
  volatile char space[4096];
  space[0] = static_cast<char>(depth);
  return deepen(depth + space[0]) + space[1];
}
"""


def seed(workspace: TestWorkspace, name: str, statement: str) -> int:
    """Break relu6_scale by one statement of its forward kernel and return the statement's line."""
    workspace.add(
        "relu6_scale",
        name,
        ("relu6_scale.cpp", "#include <opstudio/kernel.h>\n", "#include <opstudio/kernel.h>\n" + HELPERS),
        ("relu6_scale.cpp", FORWARD, FORWARD + statement),
    )
    return workspace.line(name, "relu6_scale.cpp", "// fault")


@pytest.mark.parametrize("finding_id", SEEDS)
def test_that_a_misbehaving_kernel_is_told_by_its_line(workspace: TestWorkspace, finding_id: str) -> None:
    name, statement = SEEDS[finding_id]
    line = seed(workspace, name, statement)

    result = workspace.check(name)

    assert result.status == 1
    assert result.verdict == "bad"
    assert ("relu6_scale.cpp", line) in result.lines(finding_id)
    # The first stage that runs the kernel on real data is where it shows.
    assert result.finding(finding_id)["stage"] == "meta"
    assert result.state("meta") == "bad"
    assert result.state("value") == "not_run"


def test_that_an_exit_that_leaves_no_trace_is_found_in_the_sources(workspace: TestWorkspace) -> None:
    statement = "  _exit(3);  // fault, and not _exit(1)\n"
    line = seed(workspace, "exit_without_trace", statement)
    workspace.edit(
        "exit_without_trace", "relu6_scale.cpp", "#include <thread>", "#include <thread>\n#include <unistd.h>"
    )
    result = workspace.check("exit_without_trace")
    assert result.lines("RUN005") == {("relu6_scale.cpp", line + 1)}
    assert "no source" not in result.finding("RUN005")["cause"]


def test_that_an_exit_by_another_name_is_told_by_its_function(workspace: TestWorkspace) -> None:
    seed(workspace, "exit_by_number", "  syscall(SYS_exit_group, 3);  // fault\n")
    headers = "#include <thread>\n#include <sys/syscall.h>\n#include <unistd.h>"
    workspace.edit("exit_by_number", "relu6_scale.cpp", "#include <thread>", headers)
    result = workspace.check("exit_by_number")
    forward = workspace.line("exit_by_number", "relu6_scale.cpp", "void forward")
    assert result.lines("RUN005") == {("relu6_scale.cpp", forward)}
    assert "the function is the place that is known" in result.finding("RUN005")["cause"]


@pytest.mark.parametrize(
    ("finding_id", "name", "body"),
    [
        ("RUN007", "pool_throw", 'throw std::runtime_error("boom");'),
        ("RUN001", "pool_segfault", "*reinterpret_cast<volatile int*>(8) = 1;"),
    ],
)
def test_that_a_fault_in_a_pool_thread_is_told_by_its_line(
    workspace: TestWorkspace, finding_id: str, name: str, body: str
) -> None:
    statement = f"  call.parallel_for(64, 1, [&](int64_t, int64_t) {{ {body} }});  // fault\n"
    line = seed(workspace, name, statement)

    result = workspace.check(name)

    assert result.verdict == "bad"
    assert ("relu6_scale.cpp", line) in result.lines(finding_id)


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("stack", "  deepen(1);  // fault\n"),
        ("pool_stack", "  call.parallel_for(64, 1, [&](int64_t, int64_t) { deepen(1); });  // fault\n"),
    ],
)
def test_that_a_stack_overflow_is_told_where_it_recurses(workspace: TestWorkspace, name: str, statement: str) -> None:
    seed(workspace, name, statement)
    first = workspace.line(name, "relu6_scale.cpp", "static int deepen")

    result = workspace.check(name)

    assert {line for file, line in result.lines("RUN003") if file == "relu6_scale.cpp"} <= set(range(first, first + 5))


def test_that_a_division_of_integers_by_zero_is_told(workspace: TestWorkspace) -> None:
    line = seed(workspace, "division", "  volatile int zero = 0; volatile int one = 7 / zero; (void)one;  // fault\n")

    result = workspace.check("division")

    assert ("relu6_scale.cpp", line) in result.lines("RUN001")
    assert "divided an integer by zero" in result.finding("RUN001")["title"]


def test_that_a_deadlock_is_told_apart_from_a_loop(workspace: TestWorkspace) -> None:
    line = seed(workspace, "deadlock", "  static std::mutex lock; lock.lock(); lock.lock();  // fault\n")

    result = workspace.check("deadlock")

    assert "deadlock" in result.finding("RUN002")["title"]
    assert ("relu6_scale.cpp", line) in result.lines("RUN002")


def test_that_an_exception_of_a_container_is_told_by_the_kernels_function(workspace: TestWorkspace) -> None:
    line = seed(
        workspace, "container", '  std::string_view("ab").substr(static_cast<size_t>(y.rank()) + 7);  // fault\n'
    )

    result = workspace.check("container")

    assert "RUN007" in result.ids
    assert result.lines("RUN007") & {
        ("relu6_scale.cpp", line),
        ("relu6_scale.cpp", line - 1),
        ("relu6_scale.cpp", line - 2),
    }


def test_that_a_write_far_past_the_output_is_stopped_at_its_line(workspace: TestWorkspace) -> None:
    statement = "  std::memset(y.data<float>(), 0x41, 8192 + static_cast<size_t>(y.count()) * 4);  // fault\n"
    workspace.add(
        "relu6_scale",
        "overrun_far",
        ("relu6_scale.cpp", "#include <opstudio/kernel.h>\n", "#include <opstudio/kernel.h>\n" + HELPERS),
        ("relu6_scale.cpp", FORWARD, FORWARD + "  if (x.type() == OPSTUDIO_FLOAT32)\n  " + statement),
    )
    line = workspace.line("overrun_far", "relu6_scale.cpp", "// fault")

    result = workspace.check("overrun_far")

    assert ("relu6_scale.cpp", line) in result.lines("RUN001")


def test_that_a_write_of_one_element_past_the_output_is_found(workspace: TestWorkspace) -> None:
    statement = "  if (x.type() == OPSTUDIO_FLOAT32) y.data<float>()[y.count()] = 1;  // fault\n"
    seed(workspace, "overrun_near", statement)

    result = workspace.check("overrun_near")

    assert result.verdict == "bad"
    assert "RUN008" in result.ids
    assert {file for file, _ in result.lines("RUN008")} == {"relu6_scale.cpp"}


def test_that_the_studio_is_good_again_once_the_fault_is_removed(workspace: TestWorkspace) -> None:
    seed(workspace, "mended", "  std::abort();  // fault\n")
    assert workspace.check("mended", "--skip", "export,opcheck,optimization,concurrency,speed").verdict == "bad"
    workspace.edit("mended", "relu6_scale.cpp", "  std::abort();  // fault\n", "")

    assert workspace.check("mended", "--skip", "export,opcheck,optimization,concurrency,speed").verdict == "good"
