"""Models that call an operator of one's own and cannot be exported as they are meant."""

from __future__ import annotations

from tests.faults.seeding import Fault, FaultWorkspace, assert_found_and_mended

MODEL = """import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = -x
        return torch.ops.myops.powers(x, 0.5)


def make():
    return Model()


def example_inputs():
    return (torch.linspace(-1.0, 2.0, 12).reshape(3, 4),)
"""

BRANCH = Fault(
    id="REG021",
    operator="powers",
    stage="export",
    edits=(
        ("contract.toml", "reference = ", 'model = "model.py:make"\nreference = '),
        ("contract.toml", "", '\n[export.dynamic]\nx = { 0 = "batch" }\n'),
        ("model.py", "", MODEL),
    ),
    place=("model.py", "if x.sum() > 0:"),
    words=("The model branches on a tensor's value", "Choose with torch.where"),
    mend=(("model.py", "if x.sum() > 0:\n            x = -x", "x = torch.where(x.sum() > 0, -x, x)"),),
    arguments=("--only", "export"),
)


def test_that_a_branch_on_a_value_is_told_by_its_line(both: FaultWorkspace) -> None:
    assert_found_and_mended(both, BRANCH)
