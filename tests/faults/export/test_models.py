"""Models that do not export as they run: each fault is told by its line, and the fix that is offered mends it."""

from __future__ import annotations

import pytest

from tests.faults.export.seeding import DYNAMO, OPERATOR, TORCHSCRIPT, ExportWorkspace, Fault

BODY = "        shifted = x + 0.5\n"
CALL = "return torch.ops.myops.relu6_scale(shifted, 0.75, 4.0)"
TWICE = f"{CALL} + {CALL.removeprefix('return ')}"
DYNAMIC = '\n[export.dynamic]\nx = { 0 = "batch" }\n'
SIDE_EFFECTS = ("contract.toml", "[kernel]\n", "[kernel]\nside_effects = true\n")


def body(new: str) -> tuple[str, str, str]:
    """Return the edit that computes something else before the operator is called."""
    return ("model.py", "x + 0.5", new)


FAULTS = {
    "an operator that ONNX does not have": Fault(
        id="EXP001",
        edits=(body("torch.linalg.svd(x)[1].unsqueeze(-1)"),),
        arguments=DYNAMO,
        place=("model.py", "linalg.svd"),
        words=("cannot translate aten::_linalg_svd", "Write it with other operators at this line"),
        mend=(("model.py", "torch.linalg.svd(x)[1].unsqueeze(-1)", "x.square().sum(-1, keepdim=True)"),),
        writes=False,
    ),
    "an operator of a later opset": Fault(
        id="EXP002",
        edits=(body("torch.nn.functional.scaled_dot_product_attention(x, x, x)"), ("contract.toml", "= 18", "= 12")),
        arguments=TORCHSCRIPT,
        place=("model.py", None),
        words=("aten::scaled_dot_product_attention is for opset 14 and later", "Export with --opset 14"),
        mend_arguments=(*TORCHSCRIPT, "--opset", "14"),
        writes=False,
    ),
    "no axis that varies": Fault(
        id="EXP005",
        edits=(("contract.toml", DYNAMIC, ""),),
        arguments=DYNAMO,
        place=("contract.toml", 'name = "relu6_scale"'),
        words=("the inputs are fixed: x [2, 3, 4]", "--dynamic x:0=batch"),
        mend_arguments=(*DYNAMO, "--dynamic", "x:0=batch"),
        severity="warning",
    ),
    "no axis that varies in the contract": Fault(
        id="EXP005",
        edits=(("contract.toml", DYNAMIC, ""),),
        arguments=TORCHSCRIPT,
        place=("contract.toml", 'name = "relu6_scale"'),
        words=('[export.dynamic] with x = { 0 = "batch" }',),
        mend=(("contract.toml", 'registration = "export.py"\n', f'registration = "export.py"\n{DYNAMIC}'),),
        severity="warning",
    ),
    "an axis of another name": Fault(
        id="EXP006",
        edits=(("contract.toml", "x = { 0", "xs = { 0"),),
        arguments=DYNAMO,
        place=("contract.toml", "xs = { 0"),
        words=("xs is not an input of the model; did you mean x?",),
        mend=(("contract.toml", "xs = { 0", "x = { 0"),),
        writes=False,
    ),
    "an axis of another name, in silence": Fault(
        id="EXP006",
        edits=(("contract.toml", "x = { 0", "input = { 0"),),
        arguments=TORCHSCRIPT,
        place=("contract.toml", "input = { 0"),
        words=("input is not an input of the model; known are x",),
        mend=(("contract.toml", "input = { 0", "x = { 0"),),
    ),
    "an axis too far": Fault(
        id="EXP006",
        edits=(("contract.toml", "x = { 0", "x = { 3"),),
        arguments=DYNAMO,
        place=("contract.toml", "x = { 3"),
        words=("x has 3 dimensions, axis 3 is not among them",),
        mend=(("contract.toml", "x = { 3", "x = { 0"),),
        writes=False,
    ),
    "a layer that is taken apart": Fault(
        id="EXP009",
        edits=(body("torch.nn.functional.layer_norm(x, (4,))"), ("contract.toml", "opset = 18", "opset = 16")),
        arguments=TORCHSCRIPT,
        place=("contract.toml", "opset = 16"),
        words=("LayerNormalization is taken apart", "[export] opset = 17"),
        mend=(("contract.toml", "opset = 16", "opset = 17"),),
        severity="warning",
    ),
    "an activation that is taken apart": Fault(
        id="EXP009",
        edits=(body("torch.nn.functional.gelu(x)"),),
        arguments=DYNAMO,
        place=("contract.toml", "opset = 18"),
        words=("Gelu exists from opset 20", "--opset 20"),
        mend_arguments=(*DYNAMO, "--opset", "20"),
        severity="warning",
    ),
    "equal calls with side effects": Fault(
        id="EXP013",
        edits=(SIDE_EFFECTS, ("model.py", CALL, TWICE)),
        arguments=TORCHSCRIPT,
        place=("model.py", "return torch.ops"),
        words=("2 calls of myops:Relu6Scale in the model, 1 node in the file", "use the dynamo exporter"),
        mend_arguments=DYNAMO,
    ),
    "a call with side effects that nobody reads": Fault(
        id="EXP013",
        edits=(SIDE_EFFECTS, ("model.py", CALL, f"torch.ops.myops.relu6_scale(x, 0.25)\n        {CALL}")),
        arguments=DYNAMO,
        place=("model.py", "relu6_scale(x, 0.25)"),
        words=("Let the output depend on every call",),
        mend=(
            (
                "model.py",
                "        torch.ops.myops.relu6_scale(x, 0.25)",
                "        y = torch.ops.myops.relu6_scale(x, 0.25)",
            ),
            ("model.py", CALL, f"{CALL} + y"),
        ),
    ),
    "a size that is written down": Fault(
        id="EXP018",
        edits=(body("x.view(2, 12).view(-1, 3, 4)"),),
        arguments=DYNAMO,
        place=("model.py", "view(2, 12)"),
        words=("in PyTorch itself, at x [5, 3, 4]", "invalid for input of size 60", "-1 in view"),
        mend=(("model.py", "view(2, 12)", "view(-1, 12)"),),
        writes=False,
    ),
    "a size that is written down, in silence": Fault(
        id="EXP018",
        edits=(body("x.view(2, 12).view(-1, 3, 4)"),),
        arguments=TORCHSCRIPT,
        place=("model.py", "view(2, 12)"),
        words=("The model takes one size only",),
        mend=(("model.py", "view(2, 12)", "view(-1, 12)"),),
    ),
    "a failure that no rule knows": Fault(
        id="EXP021",
        edits=(body("torch.clamp(x, 0, 6.0)"),),
        arguments=DYNAMO,
        place=("model.py", "torch.clamp"),
        words=("Cannot find a compatible OpOverload for aten.clamp", "Pass numbers of one type"),
        mend=(("model.py", "clamp(x, 0, 6.0)", "clamp(x, 0.0, 6.0)"),),
        writes=False,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_model_that_does_not_export_well_is_told_and_mended(
    exports: ExportWorkspace, twin: ExportWorkspace, name: str
) -> None:
    exports.assert_told_and_mended(FAULTS[name], twin)


@pytest.mark.parametrize(
    ("arguments", "opset", "words"),
    [(DYNAMO, 30, "writes opsets up to 25"), (TORCHSCRIPT, 25, "up to 20")],
    ids=["dynamo", "TorchScript"],
)
def test_that_an_opset_which_an_exporter_does_not_reach_is_refused_before_the_export(
    exports: ExportWorkspace, arguments: tuple[str, ...], opset: int, words: str
) -> None:
    with exports.edited(OPERATOR, ("contract.toml", "opset = 18", f"opset = {opset}")):
        command = exports.run("export", OPERATOR, *arguments, "-o", "refused.onnx", "--json")
    (finding,) = command.document["findings"]
    assert (command.status, finding["id"]) == (2, "EXP017")
    assert words in finding["cause"]
    assert not (exports.root / "refused.onnx").exists()


def test_that_a_size_which_torchscript_keeps_as_a_number_is_told_by_its_line(exports: ExportWorkspace) -> None:
    with exports.edited(OPERATOR, body("x * int(x.shape[0])")):
        line = exports.line(OPERATOR, "model.py", "int(x.shape[0])")
        result = exports.export(OPERATOR, *TORCHSCRIPT)

    told = next(finding for finding in result.findings if finding["id"] == "EXP018")
    assert result.command.status == 1
    assert [(place["file"], place["line"]) for place in told["places"]] == [(f"{OPERATOR}/model.py", line)]


@pytest.mark.parametrize("arguments", [TORCHSCRIPT, DYNAMO])
@pytest.mark.parametrize(
    "calls", [TWICE, f"torch.ops.myops.relu6_scale(x, 0.25)\n        {CALL}"], ids=["equal", "unused"]
)
def test_that_calls_which_an_exporter_may_leave_out_are_no_fault(
    exports: ExportWorkspace, arguments: tuple[str, ...], calls: str
) -> None:
    with exports.edited(OPERATOR, ("model.py", CALL, calls)):
        result = exports.export(OPERATOR, *arguments)

    record = result.command.document["record"]
    assert (result.command.status, result.ids) == (0, [])
    assert (len(record["eager"]["calls"]), len(record["summary"]["custom_nodes"])) == (2, 1)
