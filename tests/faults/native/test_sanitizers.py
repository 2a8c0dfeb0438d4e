"""Kernels that do what they must not; only the sanitizers see it, or see what exactly it is."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace, assert_told

ONLY = ("--only", "value,sanitizer")
SUM = """        Compute total = 0;
        for (int64_t i = 0; i < length; ++i) total += Compute(first[i * step]) * Compute(first[i * step]);
"""
READS_AHEAD = """        Compute total = 0, next = Compute(first[0]);
        for (int64_t i = 0; i < length; ++i) {
          const Compute value = next;
          next = Compute(first[(i + 1) * step]);
          total += value * value;
        }
"""
ROWS = "  const opstudio::Rows rows(x, axis), results(y, -1);\n"
HASH = "volatile const int32_t key = int32_t(row) * 1103515245; (void)key;"
HEADER = "#include <opstudio/kernel.h>\n"
DATA = "y.data_of_type(y.type())"
KEEPS = f"  static void* kept = nullptr;\n  if (kept) *static_cast<volatile char*>(kept) = 1;\n  kept = {DATA};\n"

FAULTS = {
    "a read behind the input": Fault(
        id="RUN011",
        operator="mean_square",
        stage="sanitizer",
        edits=(("mean_square.cpp", SUM, READS_AHEAD),),
        arguments=ONLY,
        place=("mean_square.cpp", "next = Compute(first[(i + 1)"),
        words=("Memory error: heap-buffer-overflow", "while running", "with the size of the tensor"),
    ),
    "an overflow of 32 bits": Fault(
        id="RUN012",
        operator="affine_pick",
        stage="sanitizer",
        edits=(
            (
                "forward.cpp",
                "        const int64_t pick = checked_pick",
                f"        {HASH}\n        const int64_t pick = checked_pick",
            ),
        ),
        arguments=ONLY,
        place=("forward.cpp", "1103515245"),
        words=("signed integer overflow: 2 * 1103515245", "Compute in int64_t"),
    ),
    "a shift by too much": Fault(
        id="RUN012",
        operator="mean_square",
        stage="sanitizer",
        edits=(
            (
                "mean_square.cpp",
                ROWS,
                f"{ROWS}  volatile const bool many = (1 << rows.count()) > 64;\n  (void)many;\n",
            ),
        ),
        arguments=ONLY,
        place=("mean_square.cpp", "1 << rows.count()"),
        words=("Undefined behaviour: shift exponent",),
    ),
    "scratch memory that is shared": Fault(
        id="REG014",
        operator="mean_square",
        stage="sanitizer",
        edits=(
            ("mean_square.cpp", ROWS, f"{ROWS}  static double sums[1 << 16];\n"),
            ("mean_square.cpp", "++i) total += Compute", "++i) total = sums[row] = (i ? sums[row] : 0) + Compute"),
        ),
        arguments=ONLY,
        place=("mean_square.cpp", "total = sums[row]"),
        words=("Threads meet: data race", "two threads at the same time", "call.scratch<T>(count)"),
    ),
    "an output that the kernel frees": Fault(
        id="ORT009",
        operator="mean_square",
        stage="sanitizer",
        edits=(
            (
                "mean_square.cpp",
                "#include <opstudio/kernel.h>\n",
                "#include <opstudio/kernel.h>\n\n#include <cstdlib>\n",
            ),
            ("mean_square.cpp", ROWS, f"{ROWS}  if (y.count() > 0) std::free({DATA});\n"),
        ),
        arguments=ONLY,
        place=("mean_square.cpp", "std::free("),
        words=("frees memory of the runtime: free", "free is called on memory that the kernel was handed", "single ("),
    ),
    "an output that the kernel deletes": Fault(
        id="ORT009",
        operator="mean_square",
        stage="sanitizer",
        edits=(("mean_square.cpp", ROWS, f"{ROWS}  if (y.count() > 0) ::operator delete[]({DATA});\n"),),
        arguments=ONLY,
        place=("mean_square.cpp", "::operator delete[]("),
        words=("frees memory of the runtime: operator delete[]", "Remove the call of operator delete[]"),
    ),
    "an output that is kept for the next call": Fault(
        id="ORT009",
        operator="mean_square",
        stage="sanitizer",
        edits=(("mean_square.cpp", ROWS, f"{ROWS}{KEEPS}"),),
        arguments=ONLY,
        place=("mean_square.cpp", "if (kept)"),
        words=("keeps memory of the runtime", "an earlier call", "Take the pointer anew in every call"),
    ),
}

FREED = ("an output that the kernel frees", "an output that the kernel deletes")


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in FREED])
def test_that_a_sanitizer_tells_the_line(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()


@pytest.mark.parametrize("name", FREED)
def test_that_a_sanitizer_tells_why_the_worker_died(seeded: dict[str, Seeded], name: str) -> None:
    item = seeded[name]

    assert_told(item.fault, item.broken, item.line)
    assert item.broken.ids == {"ORT009", "RUN006"}
    assert "Free only what the kernel allocated itself" in item.broken.finding("RUN006")["fix"]
    assert (item.mended.verdict, item.mended.ids) == ("good", set())


def test_that_a_kernel_that_ends_the_program_is_not_clean(workspace: FaultWorkspace) -> None:
    # It behaves in the worker, where nothing of this variable is set.
    ends = '  if (std::getenv("ASAN_OPTIONS")) { std::puts("\\ndone"); std::exit(0); }\n'
    headers = f"{HEADER}\n#include <cstdio>\n#include <cstdlib>\n"
    edits = (("mean_square.cpp", HEADER, headers), ("mean_square.cpp", ROWS, f"{ROWS}{ends}"))
    with workspace.edited("mean_square", *edits):
        result = workspace.check("mean_square", *ONLY)

    (summary,) = [stage["summary"] for stage in result.operator["stages"] if stage["id"] == "sanitizer"]
    assert "not finished: the program ended with status 0 while running" in summary
    assert "clean" not in summary


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.id == "ORT009"])
def test_that_memory_of_the_runtime_is_told_once(seeded: dict[str, Seeded], name: str) -> None:
    of_the_stage = [item["id"] for item in seeded[name].broken.operator["findings"] if item["stage"] == "sanitizer"]

    assert of_the_stage == ["ORT009"]


def test_that_the_mended_kernels_were_run(seeded: dict[str, Seeded]) -> None:
    summaries = [
        stage["summary"]
        for item in seeded.values()
        for stage in item.mended.operator["stages"]
        if stage["id"] == "sanitizer"
    ]

    assert len(summaries) == len(FAULTS)
    assert all("AddressSanitizer: " in text and "ThreadSanitizer: " in text for text in summaries)
    assert all(text.count("calls clean") == 2 for text in summaries)
