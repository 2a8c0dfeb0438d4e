"""CUDA sources that nvcc refuses, and those that it takes and that are wrong all the same."""

from __future__ import annotations

import shutil

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace

SOURCE = """#include <cuda_runtime.h>
#include <opstudio/kernel.h>

namespace {

__global__ void soften(const float* x, float* y, int64_t count, float scale) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < count) y[i] = x[i] / (1.0f + scale * fabsf(x[i]));
}

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const int64_t count = y.count();
  const unsigned blocks = unsigned((count + 255) / 256);
  soften<<<blocks, 256, 0, call.stream<cudaStream_t>()>>>(
      x.data<float>(), y.data<float>(), count, float(call.number("scale")));
}

}  // namespace

OPSTUDIO_KERNEL(forward)
"""
LISTED = ("contract.toml", "[kernel]\n", '[kernel]\ncuda = ["softening.cu"]\n')
ONLY = ("--only", "cuda")


def broken(old: str, new: str) -> tuple[tuple[str, str, str], ...]:
    """Return the edits that give softening a CUDA kernel with a fault."""
    assert SOURCE.count(old) == 1
    return LISTED, ("softening.cu", "", SOURCE.replace(old, new))


FAULTS = {
    "a name that nvcc does not know": Fault(
        id="BLD013",
        operator="softening",
        stage="cuda",
        edits=broken("blockDim.x", "blockDims.x"),
        arguments=ONLY,
        place=("softening.cu", "blockDims.x"),
        words=('identifier "blockDims" is undefined', "Mend the line"),
        mend=(("softening.cu", "blockDims.x", "blockDim.x"),),
    ),
    "a launch on the default stream": Fault(
        id="REG015",
        operator="softening",
        stage="cuda",
        edits=broken("256, 0, call.stream<cudaStream_t>()>>>", "256>>>"),
        arguments=ONLY,
        place=("softening.cu", "<<<blocks, 256>>>"),
        words=("1 launches have no stream", "<<<grid, block, 0, call.stream<cudaStream_t>()>>>"),
        mend=(("softening.cu", "256>>>", "256, 0, call.stream<cudaStream_t>()>>>"),),
    ),
    "an index of 32 bits on the device": Fault(
        id="REG011",
        operator="softening",
        stage="build",
        edits=broken("const int64_t count = y.count()", "const int count = int(y.count())"),
        arguments=ONLY,
        place=("softening.cu", "const int count"),
        words=("2,147,483,647",),
        severity="warning",
    ),
}


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not installed")
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fault_of_a_cuda_source_is_told_and_mended(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
