"""Sources that the compiler or the linker refuses, and those that it should have refused."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.native.softening import MAPPED, each_element
from tests.faults.seeding import Fault, FaultWorkspace

COUNTED = each_element("for (int i = 0; i < y.count(); ++i)")
FOLLOWS_STRIDES = "strided = true              # the kernel follows strides (through opstudio::map)\n"

FAULTS = {
    "a name that is not declared": Fault(
        id="BLD009",
        operator="softening",
        stage="build",
        edits=(("softening.cpp", "decltype(value);  // float", "decltype(valve);  // float"),),
        place=("softening.cpp", "decltype(valve)"),
        words=("softening.cpp:", "does not compile", "was not declared in this scope", "Did you mean value?"),
    ),
    "a template that is asked for wrongly": Fault(
        id="BLD009",
        operator="relu6_scale",
        stage="build",
        edits=(("relu6_scale.cpp", "(call, y, clamp, x)", "(call, y, clamp)"),),
        place=("relu6_scale.cpp", "(call, y, clamp)"),
        words=("no match for call",),
    ),
    "a function in two sources": Fault(
        id="BLD012",
        operator="affine_pick",
        stage="build",
        edits=(("affine_pick.h", "inline int64_t checked_pick", "int64_t checked_pick"),),
        place=("affine_pick.h", "int64_t checked_pick"),
        words=("affine_pick::checked_pick", "is defined twice", "unnamed namespace"),
    ),
    "a source that is not listed": Fault(
        id="BLD012",
        operator="affine_pick",
        stage="build",
        edits=(("contract.toml", '"forward.cpp", "backward.cpp"', '"forward.cpp"'),),
        place=("forward.cpp", "OPSTUDIO_KERNEL("),
        words=("affine_pick::backward", "is defined nowhere", "[kernel] sources"),
    ),
    "no entry point": Fault(
        id="BLD012",
        operator="affine_pick",
        stage="build",
        edits=(("forward.cpp", "OPSTUDIO_KERNEL(affine_pick::forward, affine_pick::backward)\n", ""),),
        place=("forward.cpp", "void forward("),
        words=("The kernel has no entry point", "End the kernel's source with OPSTUDIO_KERNEL(forward)"),
    ),
    "a library that is missing": Fault(
        id="BLD012",
        operator="softening",
        stage="build",
        edits=(("contract.toml", "strided = true", 'flags = ["-lsoftening_tables"]\nstrided = true'),),
        place=("contract.toml", 'flags = ["-lsoftening_tables"]'),
        words=("The library softening_tables is missing", "-lsoftening_tables"),
    ),
    "a loop of 32 bits": Fault(
        id="REG011",
        operator="softening",
        stage="build",
        edits=(("softening.cpp", MAPPED, COUNTED), ("contract.toml", FOLLOWS_STRIDES, "")),
        place=("softening.cpp", "for (int i"),
        words=("2,147,483,647", "Use int64_t"),
        mend=(("softening.cpp", "for (int i", "for (int64_t i"),),
        severity="warning",
    ),
    "a number of rows in 32 bits": Fault(
        id="REG011",
        operator="affine_pick",
        stage="build",
        edits=(
            (
                "forward.cpp",
                ", rows = columns ? x.count() / columns : 0;",
                ";\n  const int rows = columns ? int(x.count() / columns) : 0;",
            ),
        ),
        place=("forward.cpp", "const int rows"),
        words=("counts the elements", "Use int64_t"),
        mend=(("forward.cpp", "const int rows = columns ? int(x", "const int64_t rows = columns ? (x"),),
        severity="warning",
    ),
}


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fault_of_the_sources_is_told_and_mended(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
