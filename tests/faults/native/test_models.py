"""What shows only in a whole model: another result at run time, and an operator that is not worth its library."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.native.softening import FORMULA
from tests.faults.seeding import Fault, FaultWorkspace

MODEL = '''"""A small model around the operator."""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.ops.myops.softening(x, 0.75)
        return torch.nn.functional.dropout(y, 0.5)


def make():
    return Model().eval()


def example_inputs():
    return (torch.linspace(-4.0, 4.0, 64).reshape(4, 16),)
'''
QUICK = f"return {FORMULA};"
SLOW = f"for (volatile int turn = 0; turn < 60;) turn = turn + 1; {QUICK}"

FAULTS = {
    "dropout that stays on": Fault(
        id="ORT010",
        operator="softening",
        stage="optimization",
        edits=(
            ("model.py", "", MODEL),
            ("contract.toml", "[kernel]\n", '[kernel]\nmodel = "model.py:make"\n'),
            ("contract.toml", "", '\n[export.dynamic]\nx = { 0 = "batch" }\n'),
        ),
        arguments=("--only", "export,optimization"),
        place=("contract.toml", 'name = "softening"'),
        words=("does not run as PyTorch does", "ORT_DISABLE_ALL", "ORT_ENABLE_ALL", "Compare export and kernel first"),
        mend=(("model.py", "dropout(y, 0.5)", "dropout(y, 0.5, self.training)"),),
    ),
    "a slow kernel": Fault(
        id="PRF007",
        operator="softening",
        stage="speed",
        edits=(("softening.cpp", QUICK, SLOW),),
        arguments=("--only", "export,speed"),
        place=("softening.cpp", "void forward("),
        words=("standard nodes take", "times as long", "--route standard"),
        severity="note",
    ),
}


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fault_of_a_model_is_told_and_mended(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()
