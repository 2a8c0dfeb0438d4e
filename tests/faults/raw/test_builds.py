"""Sources of one's own that do not become a library."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace

SOURCE = "squares_torch.cpp"
DECLARATION = """float rounded_offset(double bias);

namespace {

using torch::autograd::AutogradContext;
"""

FAULTS = {
    "a header that does not exist": Fault(
        id="BLD009",
        operator="squares",
        stage="build",
        edits=((SOURCE, "#include <ATen/ops/mul.h>", "#include <ATen/ops/multiply_elements.h>"),),
        place=(SOURCE, "multiply_elements.h"),
        words=("ATen/ops/multiply_elements.h: No such file or directory", "does not compile"),
    ),
    "a function that PyTorch does not have": Fault(
        id="BLD009",
        operator="squares",
        stage="build",
        edits=((SOURCE, "y.mutable_data_ptr<float>()", "y.writable_data_ptr<float>()"),),
        place=(SOURCE, "y.writable_data_ptr<float>()"),
        words=("has no member named", "writable_data_ptr"),
    ),
    # Linked without complaint, since PyTorch or Python may define what is missing; the loader knows.
    "a function that no source defines": Fault(
        id="BLD012",
        operator="squares",
        stage="register",
        edits=(
            (SOURCE, "namespace {\n\nusing torch::autograd::AutogradContext;\n", DECLARATION),
            (SOURCE, "static_cast<float>(bias)", "rounded_offset(bias)"),
        ),
        place=(SOURCE, "offset = rounded_offset(bias)"),
        words=("rounded_offset(double) is defined nowhere", "[kernel] sources"),
    ),
}


@pytest.fixture(scope="module")
def seeded(raw: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(raw, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_broken_build_is_told_by_its_line(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
