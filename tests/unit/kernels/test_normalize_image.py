"""normalize_image against numbers worked out by hand and against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.kernels.conftest import CallKernel
from tests.unit.kernels.kernel_process import Array, Attributes, KernelCall, Tensor

MEAN = (0.485, 0.456, 0.406, 0.5, 0.25)
STD = (0.229, 0.224, 0.225, 0.5, -0.125)


def single(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers that an attribute keeps of them."""
    return tuple(float(np.float32(value)) for value in values)


def attributes_for(channels: int, full_scale: float = 255.0) -> Attributes:
    return {"mean": single(MEAN[:channels]), "std": single(STD[:channels]), "full_scale": full_scale}


def run(call: CallKernel, x: Array, attributes: Attributes, output: dict[str, Any] | None = None, **how: Any) -> Array:
    shape = (x.shape[0], x.shape[3], x.shape[1], x.shape[2])
    outputs = {"y": Tensor(np.zeros(shape), **(output or {}))}
    result = call(KernelCall("normalize_image", {"x": Tensor(x, "uint8", **how)}, outputs, attributes))
    assert isinstance(result, dict), result
    return result["y"]


def bytes_of(shape: tuple[int, ...], seed: int = 1) -> Array:
    return np.random.default_rng(seed).integers(0, 256, shape).astype(np.float64)


def expected(x: Array, attributes: Attributes) -> Array:
    """Return the formula in float64, by PyTorch, as image networks normalise."""
    import torch

    planes = torch.from_numpy(x).permute(0, 3, 1, 2) / attributes["full_scale"]
    means, widths = (torch.tensor(attributes[name], dtype=torch.float64).reshape(-1, 1, 1) for name in ("mean", "std"))
    return np.asarray(((planes - means) / widths).numpy())


def assert_right(y: Array, x: Array, attributes: Attributes) -> None:
    exact = expected(x, attributes)
    means, widths = (np.asarray(attributes[name]).reshape(-1, 1, 1) for name in ("mean", "std"))
    scale = attributes["full_scale"]
    assert isinstance(scale, float)
    # The centre is rounded to float32 once, which the factor repeats; the difference, the factor and the product are
    # rounded relative to the result.
    from_centre = np.abs(scale * means) * 2.0**-24 / np.abs(scale * widths)
    assert (np.abs(y - exact) <= from_centre + 3.1 * 2.0**-24 * np.abs(exact)).all()


def test_that_bytes_become_numbers_around_zero_plane_by_plane(call: CallKernel) -> None:
    x = np.array([[[[0, 255], [51, 204]], [[255, 0], [102, 153]]]], dtype=np.float64)  # two rows of two pixels

    y = run(call, x, {"mean": (0.0, 0.5), "std": (0.25, 0.5), "full_scale": 255.0})

    first, second = [[0.0, 0.8], [4.0, 1.6]], [[1.0, 0.6], [-1.0, 0.2]]
    np.testing.assert_allclose(y, [[first, second]], rtol=1e-6)


def test_that_every_byte_is_exact_to_the_roundings_of_float32(call: CallKernel) -> None:
    x = np.repeat(np.arange(256.0).reshape(1, 16, 16, 1), 5, axis=3)
    attributes = attributes_for(5)

    assert_right(run(call, x, attributes), x, attributes)


def test_that_means_in_bytes_need_a_full_scale_of_one(call: CallKernel) -> None:
    x = np.array([[[[103.0, 117.0, 124.0]]]])

    y = run(call, x, {"mean": (103.5, 116.0, 124.0), "std": (1.0, 2.0, 57.0), "full_scale": 1.0})

    assert y.reshape(-1).tolist() == [-0.5, 0.5, 0.0]


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    ("images", "rows", "columns"),
    [(1, 1, 1), (3, 5, 7), (2, 1, 63), (1, 64, 32), (1, 45, 91), (2, 3, 2049)],  # less, exactly and more than a tile
)
def test_that_every_size_agrees_with_pytorch(
    call: CallKernel, images: int, rows: int, columns: int, channels: int
) -> None:
    x = bytes_of((images, rows, columns, channels))
    attributes = attributes_for(channels)

    assert_right(run(call, x, attributes), x, attributes)


@pytest.mark.parametrize("channels", [1, 3, 4, 5])
@pytest.mark.parametrize(
    "layout",
    [
        {"order": (0, 3, 1, 2)},  # stored plane by plane
        {"order": (3, 2, 1, 0)},
        {"gap": 1},
        {"order": (0, 2, 1, 3)},
        {"repeated": (0,)},
        {"repeated": (1,)},
        {"repeated": (2,)},
        {"repeated": (3,)},
    ],
)
def test_that_any_strides_give_what_contiguous_data_gives(
    call: CallKernel, layout: dict[str, Any], channels: int
) -> None:
    x = bytes_of((2, 9, 75, channels))
    for repeated in layout.get("repeated", ()):
        x = np.repeat(np.take(x, [0], repeated), x.shape[repeated], repeated)
    attributes = attributes_for(channels)

    assert_right(run(call, x, attributes, **layout), x, attributes)


@pytest.mark.parametrize("channels", [3, 5])
@pytest.mark.parametrize(
    "output", [{"order": (0, 2, 3, 1)}, {"gap": 2}, {"order": (1, 0, 2, 3)}, {"order": (3, 1, 2, 0), "gap": 1}]
)
def test_that_a_strided_output_is_filled_and_nothing_beside_it(
    call: CallKernel, output: dict[str, Any], channels: int
) -> None:
    x = bytes_of((2, 9, 75, channels))
    attributes = attributes_for(channels)

    assert_right(run(call, x, attributes, output), x, attributes)


@pytest.mark.parametrize("shape", [(0, 2, 5, 3), (2, 0, 5, 3), (2, 2, 0, 3), (2, 2, 5, 0)])
def test_that_images_without_elements_are_left_alone(call: CallKernel, shape: tuple[int, ...]) -> None:
    assert run(call, np.zeros(shape), attributes_for(3)).size == 0


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"mean": (0.5, 0.5)}, "mean has 2 numbers, but x has 3 channels"),
        ({"mean": ()}, "mean has 0 numbers, but x has 3 channels"),
        ({"std": (0.5,) * 4}, "std has 4 numbers, but x has 3 channels"),
        ({"std": (0.5, 0.0, 0.5)}, "std of channel 1 is 0, but x is divided by it"),
        ({"full_scale": 0.0}, "full_scale is 0, but x is divided by it"),
    ],
)
def test_that_numbers_that_make_no_sense_are_refused(call: CallKernel, changed: Attributes, words: str) -> None:
    x, y = Tensor(np.zeros((1, 2, 2, 3)), "uint8"), Tensor(np.zeros((1, 3, 2, 2)))

    refused = call(KernelCall("normalize_image", {"x": x}, {"y": y}, {**attributes_for(3), **changed}))

    assert refused == words


def test_that_a_type_without_code_is_refused(call: CallKernel) -> None:
    x, y = Tensor(np.zeros((1, 2, 2, 3))), Tensor(np.zeros((1, 3, 2, 2)))

    refused = call(KernelCall("normalize_image", {"x": x}, {"y": y}, attributes_for(3)))

    assert refused == "the kernel reads uint8 where the tensor holds float32"
