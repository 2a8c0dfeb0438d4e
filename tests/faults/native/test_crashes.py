"""Kernels and references that end the worker or write where they must not."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.native.softening import FORMULA, MAPPED, each_element
from tests.faults.seeding import Fault, FaultWorkspace

ONE_TOO_FAR = each_element("for (int64_t i = 0; i <= y.count(); ++i)")
FOLLOWS_STRIDES = "strided = true              # the kernel follows strides (through opstudio::map)\n"

FAULTS = {
    "one element behind the output": Fault(
        id="RUN008",
        operator="softening",
        stage="meta",
        edits=(("softening.cpp", MAPPED, ONE_TOO_FAR), ("contract.toml", FOLLOWS_STRIDES, "")),
        place=("softening.cpp", "void forward("),
        words=("changed memory behind its output", "single", "view.count()"),
    ),
    "results that are written to the input": Fault(
        id="REG017",
        operator="softening",
        stage="alias",
        edits=(("softening.cpp", "(call, y, soften, x)", "(call, x, soften, x)"),),
        place=("softening.cpp", FORMULA),
        words=("The kernel writes to its input", "a write to read-only memory"),
    ),
    "one element behind a gradient": Fault(
        id="RUN008",
        operator="affine_pick",
        stage="gradient",
        edits=(("backward.cpp", "fill_n(of_bias, columns,", "fill_n(of_bias, columns + 1,"),),
        place=("backward.cpp", "void backward("),
        words=("changed memory behind its output",),
    ),
    "a reference that ends the interpreter": Fault(
        id="RUN010",
        operator="mean_square",
        stage="reference",
        edits=(("reference.py", "    return (x * x)", "    raise SystemExit(3)\n    return (x * x)"),),
        place=("reference.py", "raise SystemExit(3)"),
        words=("SystemExit: 3", "Mend the file if it is yours"),
    ),
}


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_misdeed_is_told_and_mended(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
