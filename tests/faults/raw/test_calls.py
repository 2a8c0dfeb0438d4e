"""Kernels of one's own that misbehave when they are called: shapes, memory, types, layouts, what PyTorch traces."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace

SOURCE = "squares_torch.cpp"
NEW_OUTPUT = "at::Tensor y = at::empty_like(source, at::MemoryFormat::Contiguous);"
META = "double) { return at::empty_like(x, at::MemoryFormat::Contiguous); }"
BACKWARD = "    return {at::mul(at::mul(gradients[0], context->get_saved_variables()[0]), 2), at::Tensor()};\n"
BACKWARD_OF_POINTERS = """    const at::Tensor x = context->get_saved_variables()[0].contiguous();
    const at::Tensor by_y = gradients[0].contiguous();
    at::Tensor by_x = at::empty_like(x);
    for (int64_t i = 0; i < x.numel(); ++i)
      by_x.data_ptr<float>()[i] = 2 * x.const_data_ptr<float>()[i] * by_y.const_data_ptr<float>()[i];
    return {by_x, at::Tensor()};
"""

FAULTS = {
    "a Meta kernel of another shape": Fault(
        id="REG004",
        operator="squares",
        stage="meta",
        edits=((SOURCE, META, "double) { return at::empty({x.numel()}, x.options()); }"),),
        place=(SOURCE, "squares_meta(const"),
        words=("The shape of y is wrong", "Meta says [1048576]", "the kernel says [8, 128, 1024]"),
    ),
    "a Meta kernel of another type": Fault(
        id="REG004",
        operator="squares",
        stage="meta",
        edits=((SOURCE, META, "double) { return at::empty(x.sizes(), x.options().dtype(at::kDouble)); }"),),
        place=(SOURCE, "squares_meta(const"),
        words=("The type of y is wrong", "Meta says float64, the kernel says float32", "Correct the Meta kernel"),
    ),
    "a result in the memory of the input": Fault(
        id="REG017",
        operator="squares",
        stage="alias",
        edits=((SOURCE, NEW_OUTPUT, "at::Tensor y = source;"),),
        place=(SOURCE, "squares_cpu(const"),
        words=("Input x is changed", "Write to the output only"),
        arguments=("--only", "alias"),
    ),
    "a type that the kernel lacks": Fault(
        id="REG020",
        operator="squares",
        stage="meta",
        edits=(("contract.toml", 'types = ["float32"]', 'types = ["float32", "float64"]'),),
        place=("contract.toml", 'types = ["float32", "float64"]'),
        words=("The kernel refuses Double", "expected scalar type Float but found Double"),
    ),
    "a kernel that ignores strides": Fault(
        id="REG009",
        operator="squares",
        stage="layout",
        edits=((SOURCE, "source = x.contiguous();", "source = x;"),),
        place=(SOURCE, "squares_cpu(const"),
        words=("Strides are ignored", "Call x.contiguous() before data_ptr()"),
    ),
    "a backward that PyTorch cannot trace": Fault(
        id="REG026",
        operator="squares",
        stage="opcheck",
        edits=((SOURCE, BACKWARD, BACKWARD_OF_POINTERS),),
        place=(SOURCE, "variable_list backward("),
        words=("opcheck: test_aot_dispatch_dynamic fails", "sample single"),
        arguments=("--only", "opcheck"),
    ),
}


@pytest.fixture(scope="module")
def seeded(raw: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(raw, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_wrong_call_is_told(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
