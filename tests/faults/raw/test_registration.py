"""Registrations that PyTorch takes although they are not what the contract says."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace

SOURCE = "squares_torch.cpp"
DEFINITION = 'm.def("squares(Tensor x, float bias=0.0) -> Tensor");'
BINDING = """PYBIND11_MODULE(squares, m) { m.def("squares", &squares_cpu); }
"""
REGISTRATION = """TORCH_LIBRARY(myops, m) { m.def("squares(Tensor x, float bias=0.0) -> Tensor"); }
TORCH_LIBRARY_IMPL(myops, CPU, m) { m.impl("squares", &squares_cpu); }
TORCH_LIBRARY_IMPL(myops, Meta, m) { m.impl("squares", &squares_meta); }
TORCH_LIBRARY_IMPL(myops, Autograd, m) { m.impl("squares", &squares_autograd); }
"""
PUBLISHED = """
[[published]]
version = 1
schema = "squares(Tensor x, float offset=0.0) -> Tensor"
onnx = "myops:Squares"
"""

FAULTS = {
    "a binding instead of a registration": Fault(
        id="REG002",
        operator="squares",
        stage="register",
        edits=(
            (
                SOURCE,
                "#include <torch/library.h>\n",
                "#include <torch/csrc/utils/pybind.h>\n#include <torch/library.h>\n",
            ),
            (SOURCE, REGISTRATION, BINDING),
        ),
        place=(SOURCE, "PYBIND11_MODULE("),
        words=("Python function of a pybind11 module", f"TORCH_LIBRARY(myops, m) {{ {DEFINITION} }}"),
    ),
    "no Meta kernel": Fault(
        id="REG003",
        operator="squares",
        stage="register",
        edits=((SOURCE, 'TORCH_LIBRARY_IMPL(myops, Meta, m) { m.impl("squares", &squares_meta); }\n', ""),),
        place=(SOURCE, "m.def("),
        words=("myops::squares has no kernel for Meta", 'TORCH_LIBRARY_IMPL(myops, Meta, m) { m.impl("squares"'),
    ),
    "no Autograd kernel": Fault(
        id="REG005",
        operator="squares",
        stage="register",
        edits=((SOURCE, 'TORCH_LIBRARY_IMPL(myops, Autograd, m) { m.impl("squares", &squares_autograd); }\n', ""),),
        place=(SOURCE, "m.def("),
        words=("There is no Autograd kernel", "TORCH_LIBRARY_IMPL(myops, Autograd, m)"),
    ),
    "an argument that was renamed after its release": Fault(
        id="REG016",
        operator="squares",
        stage="contract",
        edits=(("history.toml", "", PUBLISHED),),
        place=("contract.toml", "version = 1"),
        words=("version 1 was published otherwise", "argument offset is gone", "raise the version to 2"),
        mend=(("contract.toml", "version = 1", "version = 2"),),
    ),
    "a kernel under a misspelt name": Fault(
        id="REG019",
        operator="squares",
        stage="register",
        edits=((SOURCE, 'CPU, m) { m.impl("squares"', 'CPU, m) { m.impl("square"'),),
        place=(SOURCE, 'm.impl("square"'),
        words=("no kernel for CPU", "an implementation is registered as square"),
    ),
    "another default than the contract's": Fault(
        id="REG024",
        operator="squares",
        stage="register",
        edits=((SOURCE, "float bias=0.0", "float bias=1.0"),),
        place=(SOURCE, "float bias=1.0"),
        words=("The default of bias differs", "the contract has 0.0, the schema has 1.0, the reference has 0.0"),
    ),
    "another name than the contract's": Fault(
        id="REG025",
        operator="squares",
        stage="register",
        edits=((SOURCE, "float bias=0.0", "float offset=0.0"),),
        place=(SOURCE, "float offset=0.0"),
        words=(
            "argument 2 is called offset, in the contract bias",
            "Register myops::squares(Tensor x, float bias=0.0)",
        ),
    ),
    "an operator under a misspelt name": Fault(
        id="REG027",
        operator="squares",
        stage="register",
        edits=((SOURCE, 'm.def("squares(', 'm.def("square('),),
        place=(SOURCE, 'm.def("square('),
        words=("no library registers myops::squares", "did you mean myops::square?"),
    ),
    "an operator of another namespace": Fault(
        id="REG027",
        operator="squares",
        stage="register",
        edits=((SOURCE, "TORCH_LIBRARY(myops, m)", "TORCH_LIBRARY(my_ops, m)"),),
        place=(SOURCE, "TORCH_LIBRARY(my_ops, m)"),
        words=("no library registers myops::squares", "did you mean my_ops::squares?"),
    ),
}


@pytest.fixture(scope="module")
def seeded(raw: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(raw, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_wrong_registration_is_told(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
