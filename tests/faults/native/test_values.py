"""Kernels that return wrong values: everywhere, at some shapes, sizes, layouts or numbers, or as gradients."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.native.softening import FORMULA, MAPPED, each_element
from tests.faults.seeding import SLOW, Fault, FaultWorkspace

IGNORES_STRIDES = each_element("for (int64_t i = 0; i < y.count(); ++i)")
BY_FOUR = each_element(
    "for (int64_t first = 0; first + 4 <= y.count(); first += 4) for (int64_t i = first; i < first + 4; ++i)"
)
FOLLOWS_STRIDES = "strided = true              # the kernel follows strides (through opstudio::map)\n"
TO_CONTIGUOUS = ("contract.toml", FOLLOWS_STRIDES, "")
ONE_SCALE = (("contract.toml", ", scale = 0.5", ""), ("contract.toml", ", scale = 3.0", ""))
"""All samples with the default of the attribute."""
LOOP = "for (int64_t i = 0; i < length; ++i) total"
SHORT_LOOP = "for (int64_t i = 0; i < (length <= 32 && length % 8 == 0 ? length - 8 : length); ++i) total"
DIVISOR = "divisor = 1 + Compute(scale) * std::abs(value)"
CLAMPED = "std::max(value * Compute(scale), Compute(0))"
SWALLOWING = "std::max(Compute(0), value * Compute(scale))"
BACKWARD_MAPPED = "  opstudio::map<opstudio::FloatingTypes>(call, grad_x, slope, grad_y, x);\n"
ROWS = "  const opstudio::Rows rows(x, axis), results(y, -1);\n"

FAULTS = {
    "a wrong formula": Fault(
        id="NUM012",
        operator="affine_pick",
        stage="value",
        edits=(("forward.cpp", "value * T(scale)", "value + T(scale)"),),
        arguments=("--skip", f"{SLOW},gradient"),
        place=("forward.cpp", "void forward("),
        words=("elements differ", "the reference", "single (float32)", "in typical (float32)", "scale = 0.5"),
    ),
    "a tail that is left out": Fault(
        id="REG010",
        operator="softening",
        stage="value",
        edits=(("softening.cpp", MAPPED, BY_FOUR), TO_CONTIGUOUS),
        arguments=("--skip", f"{SLOW},gradient"),
        place=("softening.cpp", "void forward("),
        words=("1 of 1 elements differ", "in single (float32)", "loops end at count()"),
    ),
    "an empty tensor is refused": Fault(
        id="REG010",
        operator="mean_square",
        stage="layout",
        edits=(("mean_square.cpp", ROWS, f'  OPSTUDIO_CHECK(x.count() > 0, "nothing to average");\n{ROWS}'),),
        place=("mean_square.cpp", "nothing to average"),
        words=("nothing to average", "no elements along axis 0 of x"),
    ),
    "short rows that lose their last block": Fault(
        id="NUM013",
        operator="mean_square",
        stage="parity",
        edits=(("mean_square.cpp", LOOP, SHORT_LOOP),),
        place=("mean_square.cpp", "void forward("),
        words=("PyTorch against the reference: values differ", "31 → 32"),
    ),
    "results that are added to what was there": Fault(
        id="NUM012",
        operator="affine_pick",
        stage="value",
        edits=(("forward.cpp", "[row * picks + j] = value", "[row * picks + j] += value"),),
        arguments=("--skip", f"{SLOW},gradient"),
        place=("forward.cpp", "void forward("),
        words=("hold what their memory held before the call", "for += in place of ="),
    ),
    "an output that is never written": Fault(
        id="NUM012",
        operator="softening",
        stage="value",
        edits=(("softening.cpp", MAPPED, "  (void)soften;\n"),),
        place=("softening.cpp", "void forward("),
        words=("1048576 of 1048576 elements", "element [0][0][0] was never written", "where x[0][0][0] ="),
    ),
    "a wrong formula with a right derivative": Fault(
        id="NUM012",
        operator="softening",
        stage="value",
        edits=(("softening.cpp", FORMULA, "value / (2 + Compute(scale) * std::abs(value))"),),
        place=("softening.cpp", "void forward("),
        words=("in typical (float32)", "Compute the element shown by hand"),
    ),
    "strides are ignored": Fault(
        id="REG009",
        operator="softening",
        stage="layout",
        edits=(("softening.cpp", MAPPED, IGNORES_STRIDES),),
        place=("softening.cpp", "void forward("),
        words=("Strides are ignored", "stepped", "transposed", "remove strided = true"),
        mend=(TO_CONTIGUOUS,),
    ),
    "a square that overflows": Fault(
        id="REG012",
        operator="softening",
        stage="extreme",
        edits=(
            (
                "softening.cpp",
                FORMULA,
                "value / (1 + Compute(scale) * std::sqrt(value * value))",
            ),
        ),
        arguments=("--skip", f"{SLOW},gradient"),
        place=("softening.cpp", "void forward("),
        words=("special values (float32)", "Keep intermediate results from overflowing"),
    ),
    "NaN that is swallowed": Fault(
        id="REG012",
        operator="relu6_scale",
        stage="extreme",
        edits=(("relu6_scale.cpp", CLAMPED, SWALLOWING),),
        place=("relu6_scale.cpp", "void forward("),
        words=("the reference nan", "let NaN through"),
    ),
    "a wrong derivative": Fault(
        id="REG007",
        operator="softening",
        stage="gradient",
        edits=(("softening.cpp", "gradient / (divisor * divisor)", "gradient / divisor"),),
        place=("softening.cpp", "void backward("),
        words=("The gradient of x is wrong", "against the derivative of the reference"),
    ),
    "a derivative without the attribute": Fault(
        id="REG007",
        operator="softening",
        stage="gradient",
        edits=(
            ("softening.cpp", DIVISOR, "divisor = 1 + std::abs(value)"),
            *ONE_SCALE,
        ),
        place=("softening.cpp", "void backward("),
        words=("with scale=1.25", "Only varied attributes fail"),
        mend=(("softening.cpp", "divisor = 1 + std::abs(value)", DIVISOR),),
    ),
    "a backward function that computes nothing": Fault(
        id="REG007",
        operator="relu6_scale",
        stage="gradient",
        edits=(("relu6_scale.cpp", BACKWARD_MAPPED, "  (void)slope;\n"),),
        place=("relu6_scale.cpp", "void backward("),
        words=("The gradient of x is wrong",),
    ),
}


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_wrong_values_are_told_and_mended(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
