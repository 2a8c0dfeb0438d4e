"""Autograd functions of one's own: missing, cut off, of the wrong number, wrong."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace

SOURCE = "squares_torch.cpp"
GRADIENT = "at::mul(at::mul(gradients[0], context->get_saved_variables()[0]), 2)"
BACKWARD = "variable_list backward("
AUTOGRAD = "squares_autograd(const"
SAVE = "context->save_for_backward({x});"
READ = '    const int64_t bias = context->saved_data["bias"].toInt();\n    TORCH_CHECK(bias < 1000);\n'

FAULTS = {
    "an input that is detached": Fault(
        id="REG005",
        operator="squares",
        stage="gradient",
        edits=((SOURCE, "squares_function::apply(x, bias)", "squares_function::apply(x.detach(), bias)"),),
        place=(SOURCE, AUTOGRAD),
        words=("no gradient reaches x", "not detached"),
    ),
    "a backward that returns nothing": Fault(
        id="REG005",
        operator="squares",
        stage="gradient",
        edits=((SOURCE, GRADIENT, "at::Tensor()"),),
        place=(SOURCE, BACKWARD),
        words=("no gradient reaches x", "backward must return a tensor for x"),
    ),
    "too few gradients": Fault(
        id="REG006",
        operator="squares",
        stage="gradient",
        edits=((SOURCE, ", at::Tensor()};", "};"),),
        place=(SOURCE, BACKWARD),
        words=("backward returns 1 gradient, forward has 2 arguments", "bias is the first argument without a partner"),
    ),
    "a gradient for a number": Fault(
        id="REG006",
        operator="squares",
        stage="gradient",
        edits=((SOURCE, ", at::Tensor()};", ", gradients[0]};"),),
        place=(SOURCE, BACKWARD),
        words=("a gradient for bias, which is no tensor",),
    ),
    "a gradient of another shape": Fault(
        id="REG006",
        operator="squares",
        stage="gradient",
        edits=((SOURCE, GRADIENT, "gradients[0].sum()"),),
        place=(SOURCE, BACKWARD),
        words=("the gradient of x has shape []", "Return each gradient in the shape of its argument"),
    ),
    "a wrong factor": Fault(
        id="REG007",
        operator="squares",
        stage="gradient",
        edits=((SOURCE, "[0]), 2)", "[0]), 3)"),),
        place=(SOURCE, BACKWARD),
        words=("The gradient of x is wrong", "8 of 8 elements differ", "grad_y[0][0][0] =", "Derive the formula"),
    ),
    "a forward that is computed twice": Fault(
        id="REG022",
        operator="squares",
        stage="gradient",
        edits=((SOURCE, "    return call_squares(x, bias);", "    return at::mul(x, x).add(bias);"),),
        place=(SOURCE, "at::Tensor forward("),
        words=("below autograd a call runs aten::mul, aten::add, but never myops::squares", "through the dispatcher"),
    ),
    "a number that is read as another type": Fault(
        id="REG008",
        operator="squares",
        stage="gradient",
        edits=(
            (SOURCE, SAVE, f'{SAVE}\n    context->saved_data["bias"] = bias;'),
            (SOURCE, f"    return {{{GRADIENT}", f"{READ}    return {{{GRADIENT}"),
        ),
        place=(SOURCE, '["bias"].toInt()'),
        words=("backward reads bias with toInt()", "double with toDouble()"),
        mend=(
            (
                SOURCE,
                'const int64_t bias = context->saved_data["bias"].toInt()',
                'const double bias = context->saved_data["bias"].toDouble()',
            ),
        ),
    ),
}


@pytest.fixture(scope="module")
def seeded(raw: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(raw, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_wrong_gradient_is_told(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
