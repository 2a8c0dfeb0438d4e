"""The kernel header, compiled into a program by each compiler that is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.workspaces import KERNELS

SOURCE = Path(__file__).parent / "native" / "header_program.cpp"
Program = Callable[..., bytes]
Floats = npt.NDArray[np.float32]


@pytest.fixture(scope="module", params=["g++", "g++ -mf16c", "clang++"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    compiler, *flags = request.param.split()
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    if flags and "f16c" not in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        pytest.skip("this processor does not convert half types itself")
    path = tmp_path_factory.mktemp("header") / "program"
    strict = ("-std=c++17", "-O3", "-Wall", "-Wextra", "-Werror", "-pthread", *flags)
    subprocess.run([compiler, *strict, f"-I{KERNELS / 'include'}", str(SOURCE), "-o", str(path)], check=True)

    def run(command: str, data: bytes = b"") -> bytes:
        return subprocess.run([str(path), command], input=data, capture_output=True, check=True, timeout=60).stdout

    return run


def test_that_every_refusal_says_what_is_wrong(program: Program) -> None:
    lines = program("refusals").decode().splitlines()

    assert lines == [
        "the kernel has no code for float32",
        "the kernel has no code for int64",
        "done",
        "there is no input z; the contract has x",
        "there is no attribute width; the contract has size",
        "attribute size is of another kind in the contract",
        "the kernel reads float64 where the tensor holds float32",
        "axis -3 is outside of a tensor of rank 1",
        "an element-wise walk over tensors of different shapes",
        f"no scratch memory for {2**50} values of 8 bytes",
        "the kernel threw something that is not a std::exception",
        "a" * 400 + "b" * 99,
        f"one 1, half 0.5, largest {2**62}",
        "piece 70 fails",
        "done",  # every element of a parallel loop is seen once
        "done",  # scratch memory is aligned and does not overlap
    ]


@pytest.mark.parametrize(
    ("shape", "x_strides", "y_strides"),
    [
        ((), (), ()),
        ((7,), (1,), (1,)),
        ((3, 4), (4, 1), (4, 1)),
        ((3, 4), (1, 3), (4, 1)),  # transposed
        ((3, 4), (0, 1), (4, 1)),  # one row seen three times
        ((3, 4), (9, 2), (1, 3)),  # every other column of a wider tensor, into a transposed one
        ((2, 1, 3, 4), (12, 99, 4, 1), (40, 99, 8, 2)),
        ((2, 3, 5), (1, 2, 6), (15, 5, 1)),
        ((3, 0, 2), (2, 2, 1), (2, 2, 1)),
        ((300, 257), (1, 300), (257, 1)),  # more than one piece of a parallel loop, cut within a row
    ],
)
def test_that_a_map_follows_any_strides(
    program: Program, shape: tuple[int, ...], x_strides: tuple[int, ...], y_strides: tuple[int, ...]
) -> None:
    x_size, y_size = _extent(shape, x_strides), _extent(shape, y_strides)
    numbers = [len(shape), *shape, *x_strides, *y_strides, x_size, y_size]

    status, memory = program("map", " ".join(map(str, numbers)).encode()).decode().split("\n")

    expected = np.full(y_size, -1.0)
    for index in np.ndindex(*shape):
        expected[int(np.dot(index, y_strides))] = 2.0 * int(np.dot(index, x_strides))
    assert status == "done"
    assert [float(word) for word in memory.split()] == expected.tolist()


@pytest.mark.parametrize(("data_type", "size"), [("float32", 4), ("float64", 8), ("float16", 4), ("bfloat16", 4)])
def test_that_elements_of_every_type_are_reached_in_steps(program: Program, data_type: str, size: int) -> None:
    import torch

    compute_size, memory = program(f"elements-{data_type}").decode().split("\n")

    stored = torch.arange(1800.0).to(getattr(torch, data_type))
    expected = torch.full((1200,), -1.0)
    expected[::2] = (2 * stored[::3]).float()
    assert int(compute_size) == size
    assert [float(word) for word in memory.split()] == expected.tolist()


def test_that_every_half_number_widens_to_its_value(program: Program) -> None:
    widened = np.frombuffer(program("widen-float16"), np.float32)

    _assert_same(np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32), widened)


def test_that_every_bfloat16_number_widens_to_its_value(program: Program) -> None:
    import torch

    widened = np.frombuffer(program("widen-bfloat16"), np.float32)

    patterns = torch.arange(65536, dtype=torch.int32).to(torch.int16)
    _assert_same(patterns.view(torch.bfloat16).float().numpy(), widened)


def test_that_half_numbers_round_to_nearest_even(program: Program) -> None:
    values = _around(np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32), steps=2**13)

    rounded = np.frombuffer(program("round-float16", values.tobytes()), np.float16)

    with np.errstate(over="ignore", invalid="ignore"):
        _assert_same(values.astype(np.float16), rounded)


def test_that_bfloat16_numbers_round_to_nearest_even(program: Program) -> None:
    import torch

    values = _around((np.arange(65536, dtype=np.uint32) << 16).view(np.float32), steps=2**16)

    rounded = np.frombuffer(program("round-bfloat16", values.tobytes()), np.int16).copy()

    expected = torch.from_numpy(values).to(torch.bfloat16)
    _assert_same(expected.float().numpy(), torch.from_numpy(rounded).view(torch.bfloat16).float().numpy())


def _extent(shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """Return how many elements of memory a tensor spans."""
    return 1 + sum(max(size - 1, 0) * stride for size, stride in zip(shape, strides, strict=True))


def _around(values: Floats, steps: int) -> Floats:
    """Return numbers, the middles between each and the next of the coarser type, and what lies just beside both.

    ``steps`` numbers of float32 lie between two neighbours of the coarser type (fewer below its normal numbers).
    """
    bits = values.view(np.uint32).astype(np.int64)
    nearby = [bits + offset for offset in (0, 1, -1, steps // 2, steps // 2 - 1, steps // 2 + 1)]
    with np.errstate(invalid="ignore"):
        denormal = [values + np.float32(shift) for shift in (2.0**-25, 2.0**-25 + 2.0**-40, -(2.0**-26))]
    return np.concatenate([*((item % 2**32).astype(np.uint32).view(np.float32) for item in nearby), *denormal])


def _assert_same(expected: npt.NDArray[np.floating], actual: npt.NDArray[np.floating]) -> None:
    """Assert equal bits of numbers; one NaN is as good as another."""
    assert expected.shape == actual.shape
    assert np.isnan(expected).tolist() == np.isnan(actual).tolist()
    numbers = ~np.isnan(expected)
    assert (np.signbit(expected) == np.signbit(actual))[numbers].all()
    wrong = np.flatnonzero(numbers & (expected != actual))
    assert wrong.size == 0, f"{wrong.size} differ, first {expected[wrong[0]]!r} against {actual[wrong[0]]!r}"
