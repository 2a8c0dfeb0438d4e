"""Kernels with loops for several instruction sets: what clang makes of them, and what older processors would do."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.unit.kernels.conftest import CallKernel, calling
from tests.unit.kernels.kernel_process import TYPES, Array, KernelCall, Tensor
from tests.unit.kernels.test_swish import exact_swish, run, units_apart

TOLERANCE = {"float32": 1e-6, "float64": 1e-14, "float16": 1e-3, "bfloat16": 8e-3}
"""Some units in the last place: compilers join products and sums where the processor can, each in its own way."""
SPECIAL = (0.0, -0.0, 1e-30, 88.0, -88.0, -100.0, 1e30, -1e30, np.inf, -np.inf, np.nan)


def values() -> Array:
    """Return a row of ordinary numbers around each special one."""
    x = np.random.default_rng(1).uniform(-8, 8, (len(SPECIAL), 700))
    x[np.arange(len(SPECIAL)), np.arange(len(SPECIAL))] = SPECIAL
    return x


def calls(data_type: str) -> list[KernelCall]:
    x, one = Tensor(values(), data_type), Tensor(np.linspace(-2, 2, 700), data_type)
    image = Tensor(np.random.default_rng(2).integers(0, 256, (2, 31, 17, 3)).astype(np.float64), "uint8")
    numbers = {"mean": (0.25, 0.5, 0.75), "std": (0.5, 0.25, 0.125), "full_scale": 255.0}
    inputs = {"x": x, "grad_y": x}
    weighted, slopes = {**inputs, "weight": one}, {"grad_x": x, "grad_weight": one}
    return [
        KernelCall("swish", inputs, {"y": x}, {"beta": 1.0}),
        KernelCall("swish", inputs, {"grad_x": x}, {"beta": 1.0}, backward=True),
        KernelCall("rms_norm", weighted, {"y": x}, {"epsilon": 0.5}),
        KernelCall("rms_norm", weighted, slopes, {"epsilon": 0.5}, backward=True),
        KernelCall("row_softmax", inputs, {"y": x}, {"axis": 1}),
        KernelCall("normalize_image", {"x": image}, {"y": Tensor(np.zeros((2, 3, 31, 17)))}, numbers),
    ]


def without_clang() -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not installed")


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(("g++", "-DOPSTUDIO_WIDEST=32"), id="g++, AVX2"),
        pytest.param(("g++", "-DOPSTUDIO_WIDEST=16"), id="g++, any processor"),
        pytest.param(("clang++",), id="clang++", marks=without_clang()),
        pytest.param(("clang++", "-DOPSTUDIO_WIDEST=16"), id="clang++, any processor", marks=without_clang()),
    ],
)
def test_that_every_build_computes_the_same(call: CallKernel, tmp_path: Path, how: tuple[str, ...]) -> None:
    with calling(tmp_path, *how) as call_other:
        for data_type in TYPES:
            for wanted in calls(data_type):
                ours, theirs = call(wanted), call_other(wanted)

                assert isinstance(ours, dict), ours
                assert isinstance(theirs, dict), theirs
                assert ours.keys() == theirs.keys()
                tolerance = TOLERANCE[data_type]
                for name, array in ours.items():
                    np.testing.assert_allclose(
                        theirs[name], array, rtol=tolerance, atol=tolerance, err_msg=f"{wanted.name} {name} {data_type}"
                    )


@pytest.mark.parametrize("widest", [16, 32])
def test_that_swish_is_exact_to_four_units_in_every_build(tmp_path: Path, widest: int) -> None:
    with calling(tmp_path, "g++", f"-DOPSTUDIO_WIDEST={widest}") as call_narrow:
        for data_type, lowest in (("float32", -110.0), ("float64", -755.0)):
            x = np.linspace(lowest, -lowest, 400_001).astype(data_type).astype(np.float64)

            y = run(call_narrow, x, type=data_type)

            assert units_apart(y, exact_swish(x), data_type) <= 4
