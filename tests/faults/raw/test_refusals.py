"""Registrations that PyTorch refuses by ending the process, and a library that ends it by itself."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace

SOURCE = "squares_torch.cpp"
DEFINITION = 'm.def("squares(Tensor x, float bias=0.0) -> Tensor");'
SECOND_SOURCE = """#include <torch/library.h>

TORCH_LIBRARY(myops, m) { m.def("cubes(Tensor x) -> Tensor"); }
"""
DYING = """const bool is_ready = [] {
  throw std::runtime_error("the table of constants is empty");
  return true;
}();

}  // namespace

TORCH_LIBRARY(myops, m)"""

FAULTS = {
    "a type that schemas do not know": Fault(
        id="REG001",
        operator="squares",
        stage="register",
        edits=((SOURCE, "float bias=0.0", "double bias=0.0"),),
        place=(SOURCE, "double bias=0.0"),
        words=("use float: in a schema float is C++'s double", "squares(Tensor x, ⟨here⟩double bias=0.0)"),
    ),
    "a schema without its returned type": Fault(
        id="REG001",
        operator="squares",
        stage="register",
        edits=((SOURCE, "float bias=0.0) -> Tensor", "float bias=0.0)"),),
        place=(SOURCE, "m.def("),
        words=("expected -> and the returned types",),
    ),
    "a namespace that two sources open": Fault(
        id="REG013",
        operator="squares",
        stage="register",
        edits=(
            ("contract.toml", '["squares_torch.cpp"]', '["squares_torch.cpp", "cubes_torch.cpp"]'),
            ("cubes_torch.cpp", "", SECOND_SOURCE),
        ),
        place=("cubes_torch.cpp", "TORCH_LIBRARY("),
        words=("The namespace myops is registered twice", "TORCH_LIBRARY_FRAGMENT"),
        mend=(("cubes_torch.cpp", "TORCH_LIBRARY(", "TORCH_LIBRARY_FRAGMENT("),),
    ),
    "an operator that is defined twice": Fault(
        id="REG013",
        operator="squares",
        stage="register",
        edits=((SOURCE, "m) { m.def(", f"m) {{\n  {DEFINITION}\n  m.def("),),
        place=(SOURCE, f"  {DEFINITION} }}"),
        words=("The operator myops::squares(", "define each operator once"),
    ),
    "a function of other types than its schema": Fault(
        id="REG018",
        operator="squares",
        stage="register",
        edits=(
            (SOURCE, "squares_cpu(const at::Tensor& x, double bias)", "squares_cpu(const at::Tensor& x, int64_t bias)"),
        ),
        place=(SOURCE, "&squares_cpu)"),
        words=("argument 2 is", "float is double"),
    ),
    "kernels of different signatures": Fault(
        id="REG023",
        operator="squares",
        stage="register",
        edits=((SOURCE, "squares_meta(const at::Tensor& x, double)", "squares_meta(at::Tensor x, double)"),),
        place=(SOURCE, "&squares_meta)"),
        words=("CPU: at::Tensor (at::Tensor const&, double)", "Meta: at::Tensor (at::Tensor, double)"),
    ),
    "a library that dies while it is loaded": Fault(
        id="REG028",
        operator="squares",
        stage="register",
        edits=((SOURCE, "}  // namespace\n\nTORCH_LIBRARY(myops, m)", DYING),),
        place=(SOURCE, "throw std::runtime_error("),
        words=("ends the process when it is loaded", "the table of constants is empty"),
    ),
}


@pytest.fixture(scope="module")
def seeded(raw: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(raw, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_refused_registration_is_told(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
