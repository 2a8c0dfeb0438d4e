"""Contracts and references that say something else than the kernel does, or than what was published."""

from __future__ import annotations

import pytest

from tests.faults.batch import Seeded, seed_all
from tests.faults.seeding import Fault, FaultWorkspace, assert_found_and_mended

PUBLISHED = """
[[published]]
version = 3
schema = "affine_pick(Tensor x, Tensor? bias, int[] picks, float scale=1.0) -> Tensor"
onnx = "testops:AffinePick"
"""
ALL_TYPES = 'types = ["float32", "float64", "float16", "bfloat16"]'
FORWARD_SCALE = """y = call.output("y");
  const double scale = call.number("scale");"""
FORWARD = "map<opstudio::FloatingTypes>(call, y,"

FAULTS = {
    "a gradient without its function": Fault(
        id="REG029",
        operator="softening",
        stage="register",
        edits=(("softening.cpp", "OPSTUDIO_KERNEL(forward, backward)", "OPSTUDIO_KERNEL(forward)"),),
        place=("softening.cpp", "OPSTUDIO_KERNEL(forward)"),
        words=("a forward function only", "Write OPSTUDIO_KERNEL(forward, backward)"),
        mend=(("softening.cpp", "OPSTUDIO_KERNEL(forward)", "OPSTUDIO_KERNEL(forward, backward)"),),
    ),
    "a reference of another name": Fault(
        id="STU002",
        operator="mean_square",
        stage="reference",
        edits=(("contract.toml", "reference.py:mean_square", "reference.py:mean_squares"),),
        place=("contract.toml", "reference.py:mean_squares"),
        words=("defines no function of that name", "did you mean mean_square?"),
    ),
    "an attribute that is read as another kind": Fault(
        id="RUN007",
        operator="softening",
        stage="meta",
        edits=(("softening.cpp", FORWARD_SCALE, FORWARD_SCALE.replace("number", "integer")),),
        place=("softening.cpp", 'call.integer("scale")'),
        words=("is of another kind", 'scale has type "float" in the contract: read it with call.number("scale")'),
    ),
    "an attribute of a name that is not there": Fault(
        id="RUN007",
        operator="softening",
        stage="meta",
        edits=(("softening.cpp", FORWARD_SCALE, FORWARD_SCALE.replace('"scale"', '"scael"')),),
        place=("softening.cpp", 'call.number("scael")'),
        words=("there is no attribute scael", "Did you mean scale?"),
    ),
    "a published default is changed": Fault(
        id="REG016",
        operator="affine_pick",
        stage="contract",
        edits=(
            ("history.toml", "", PUBLISHED),
            ("contract.toml", "default = 1.0", "default = 2.0"),
            ("reference.py", "scale: float = 1.0", "scale: float = 2.0"),
        ),
        place=("contract.toml", "version = 3"),
        words=("the default of scale was 1.0 and is 2.0", "raise the version to 4"),
        mend=(("contract.toml", "version = 3", "version = 4"),),
    ),
    "another default in the reference": Fault(
        id="REG024",
        operator="softening",
        stage="register",
        edits=(("reference.py", "scale: float = 1.0", "scale: float = 2.0"),),
        place=("contract.toml", "default = 1.0"),
        words=("The default of scale differs", "the contract has 1.0", "the reference has 2.0"),
    ),
    "a reference that knows matrices only": Fault(
        id="REF001",
        operator="mean_square",
        stage="reference",
        edits=(("reference.py", ".mean(-1)", ".sum(-1) / x.shape[1]"),),
        place=("reference.py", "x.shape[1]"),
        words=("IndexError", "single (float32)", "compute in float64"),
    ),
    "an axis too many": Fault(
        id="REG004",
        operator="mean_square",
        stage="meta",
        edits=(("contract.toml", 'shape = "[*B]" ', 'shape = "[*B, 1]" '),),
        place=("contract.toml", 'shape = "[*B, 1]"'),
        words=("The shape of y is wrong", "Meta says [1], ", "the reference says []"),
    ),
    "a size that is one too large": Fault(
        id="REG004",
        operator="affine_pick",
        stage="meta",
        edits=(("contract.toml", "len(picks)]", "len(picks) + 1]"),),
        place=("contract.toml", "len(picks) + 1]"),
        words=("input [1]: Meta says [2]", "the reference says [1]", "Correct the shape rule"),
    ),
    "types that the kernel lacks": Fault(
        id="REG020",
        operator="softening",
        stage="meta",
        edits=(("softening.cpp", FORWARD, FORWARD.replace("FloatingTypes", "Types<float, double>")),),
        place=("softening.cpp", "opstudio::Types<float, double>"),
        words=("The kernel refuses float16", "the kernel has no code for float16"),
        mend=(("contract.toml", ALL_TYPES, 'types = ["float32", "float64"]'),),
    ),
}


@pytest.fixture(scope="module")
def seeded(workspace: FaultWorkspace) -> dict[str, Seeded]:
    return seed_all(workspace, FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_contract_which_is_not_kept_is_told_and_mended(seeded: dict[str, Seeded], name: str) -> None:
    seeded[name].assert_found_and_mended()


def test_that_a_missing_type_is_told_where_the_contract_lists_it(seeded: dict[str, Seeded]) -> None:
    result = seeded["types that the kernel lacks"].broken

    assert "contract.toml" in {file for file, _ in result.lines("REG020")}
    assert len([item for item in result.operator["findings"] if item["id"] == "REG020"]) == 2


def test_that_a_name_which_is_not_that_of_the_folder_is_told_and_mended(workspace: FaultWorkspace) -> None:
    fault = Fault(
        id="CON006",
        operator="softening",
        stage="contract",
        edits=(("contract.toml", 'name = "softening"', 'name = "softened"'),),
        place=("contract.toml", 'name = "softened"'),
        words=("the folder is softening, the operator myops::softened", 'Write name = "softening"'),
        mend=(("contract.toml", 'name = "softened"', 'name = "softening"'),),
        arguments=("--only", "contract"),
        severity="warning",
    )

    assert_found_and_mended(workspace, fault)
    assert workspace.check("softening", "--only", "contract").operator["findings"] == []
