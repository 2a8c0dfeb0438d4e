"""Kernels that take the axes in another order than the contract states, and wrong formulas that look like it."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.native.softening import FORMULA
from tests.faults.seeding import SLOW, Fault, FaultWorkspace
from tests.support.workspaces import Edit

ALONE: tuple[Edit, ...] = (
    ("contract.toml", 'cuda = ["normalize_image.cu"]\n', ""),
    ("contract.toml", 'model = "model.py:FirstLayer"\n', ""),
    ("contract.toml", "strided = true\n", ""),
    ("contract.toml", '[export.dynamic]\nx = { 0 = "batch", 1 = "height", 2 = "width" }\n', ""),
)
READ_AS_PLANES: tuple[Edit, ...] = (
    ("normalize_image.cpp", "x_row(x.stride(1))", "x_row(x.size(2))"),
    ("normalize_image.cpp", "x_column(x.stride(2))", "x_column(1)"),
    ("normalize_image.cpp", "x_channel(x.stride(3))", "x_channel(x.size(1) * x.size(2))"),
)
WRITTEN_AS_PIXELS: tuple[Edit, ...] = (
    ("normalize_image.cpp", "y_plane(y.stride(1))", "y_plane(1)"),
    ("normalize_image.cpp", "y_row(y.stride(2))", "y_row(y.size(3) * y.size(1))"),
    ("normalize_image.cpp", "y_column(y.stride(3))", "y_column(y.size(1))"),
)
ALIKE: tuple[Edit, ...] = (
    (
        "contract.toml",
        'types = ["float32", "float64", "float16", "bfloat16"]\n',
        'types = ["float32"]\nrange = [2.0, 2.00000001]\n',
    ),
    ("contract.toml", "typical = { x = [8, 128, 1024]", "typical = { x = [2, 3, 4, 5]"),
)
"""Images whose elements are all equal."""

FAULTS = {
    "bytes that are read as planes": Fault(
        id="ORT008",
        operator="normalize_image",
        stage="value",
        edits=READ_AS_PLANES,
        place=("normalize_image.cpp", "void forward("),
        words=(
            "x, by the contract [N, H, W, C], is read as if its memory were [N, C, H, W]",
            "typical (uint8), transparent (uint8), spectral (uint8)",
            "Read x in the order [N, H, W, C]: n·stride(0) + h·stride(1) + w·stride(2) + c·stride(3)",
        ),
    ),
    "planes that are written as pixels": Fault(
        id="ORT008",
        operator="normalize_image",
        stage="value",
        edits=WRITTEN_AS_PIXELS,
        place=("normalize_image.cpp", "void forward("),
        words=(
            "y, by the contract [N, C, H, W], is written as if its memory were [N, H, W, C]",
            "Write y in the order [N, C, H, W]",
        ),
    ),
    "a wrong formula where all elements are equal": Fault(
        id="NUM012",
        operator="softening",
        stage="value",
        edits=(("softening.cpp", FORMULA, "value / (2 + Compute(scale) * std::abs(value))"), *ALIKE),
        arguments=("--skip", f"{SLOW},gradient"),
        place=("softening.cpp", "void forward("),
        words=("120 of 120 elements differ", "in typical (float32)"),
        mend=(("softening.cpp", "value / (2 + Compute(scale) * std::abs(value))", FORMULA),),
    ),
}


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    workspace.add("normalize_image", "normalize_image", *ALONE)
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_another_order_of_axes_is_told_and_mended(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()


def test_that_a_finding_says_how_the_search_for_an_order_ended(seeded: dict[str, Seeded]) -> None:
    ended = {
        name: item.broken.finding(item.fault.id)["evidence"]["axis_orders"]["outcome"] for name, item in seeded.items()
    }
    assert ended == {
        "bytes that are read as planes": "explained",
        "planes that are written as pixels": "explained",
        "a wrong formula where all elements are equal": "cannot tell",
    }
