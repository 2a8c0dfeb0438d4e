"""Translations of an operator's own: each mistake is told by its line, and the fix that is offered mends it."""

from __future__ import annotations

import pytest

from tests.faults.export.seeding import DYNAMO, TORCHSCRIPT, ExportWorkspace, Fault

REGISTER = '    register_custom_op_symbolic("myops::relu6_scale", symbolic, 9)\n'
DECORATOR = '@symbolic_helper.parse_args("v", "f", "f")\n'
TABLE = "return {torch.ops.myops.relu6_scale.default: translate}"
NODE = 'graph.op("myops::Relu6Scale", x, scale_f=scale, max_val_f=max_val)'
SCRIPT_NODE = "return myops.Relu6Scale(x, scale=scale, max_val=max_val)"
CALL = "torch.ops.myops.relu6_scale(shifted, 0.75, 4.0)"

FAULTS = {
    "no entry in the table": Fault(
        id="EXP001",
        edits=(("export.py", TABLE, "return {}"),),
        arguments=DYNAMO,
        place=("export.py", "def register"),
        words=("myops::relu6_scale", "Return {torch.ops.myops.relu6_scale.default: translate} from register()"),
        mend=(("export.py", "return {}", TABLE),),
        writes=False,
    ),
    "no symbolic": Fault(
        id="EXP001",
        edits=(("export.py", REGISTER, ""),),
        arguments=TORCHSCRIPT,
        place=("model.py", "torch.ops"),
        words=('torch.onnx.register_custom_op_symbolic("myops::relu6_scale", symbolic, 9)', "--route standard"),
        mend_arguments=(*TORCHSCRIPT, "--route", "standard"),
        writes=False,
    ),
    "a symbolic for a later opset": Fault(
        id="EXP002",
        edits=(("export.py", "symbolic, 9)", "symbolic, 19)"),),
        arguments=TORCHSCRIPT,
        place=("export.py", "register_custom_op_symbolic("),
        words=("is for opset 19 and later", "the export asks for 18", "Register it for opset 18 or earlier"),
        mend=(("export.py", "symbolic, 19)", "symbolic, 18)"),),
        writes=False,
    ),
    "the later opset itself": Fault(
        id="EXP002",
        edits=(("export.py", "symbolic, 9)", "symbolic, 19)"),),
        arguments=TORCHSCRIPT,
        place=("export.py", "register_custom_op_symbolic("),
        words=("export with --opset 19",),
        mend_arguments=(*TORCHSCRIPT, "--opset", "19"),
        writes=False,
    ),
    "a name in other letters": Fault(
        id="EXP003",
        edits=(("export.py", '"myops::relu6_scale"', '"myops::Relu6Scale"'),),
        arguments=TORCHSCRIPT,
        place=("export.py", "register_custom_op_symbolic("),
        words=("registered for myops::Relu6Scale, the operator is myops::relu6_scale",),
        mend=(("export.py", '"myops::Relu6Scale", symbolic', '"myops::relu6_scale", symbolic'),),
        writes=False,
    ),
    "a name with a dot": Fault(
        id="EXP003",
        edits=(("export.py", '"myops::relu6_scale"', '"myops.relu6_scale"'),),
        arguments=TORCHSCRIPT,
        place=("export.py", "register_custom_op_symbolic("),
        words=('Register it as "myops::relu6_scale"',),
        writes=False,
    ),
    "another version of the domain": Fault(
        id="EXP004",
        edits=(("export.py", 'Opset("myops", 1)', 'Opset("myops", 2)'),),
        arguments=DYNAMO,
        place=("export.py", "Opset("),
        words=("asked for myops:1, the file has myops:2",),
        mend=(("export.py", 'Opset("myops", 2)', 'Opset("myops", 1)'),),
    ),
    "two versions of the domain": Fault(
        id="EXP004",
        edits=(
            (
                "model.py",
                CALL,
                f'{CALL} + torch.onnx.ops.symbolic("myops::Other", (x,), dtype=x.dtype, shape=x.shape, version=2)',
            ),
        ),
        arguments=DYNAMO,
        place=("export.py", "Opset("),
        words=("myops", "version 2", "version 1"),
        mend=(("model.py", "version=2", "version=1"),),
        writes=False,
    ),
    "a number as an input": Fault(
        id="EXP007",
        edits=(("export.py", '"v", "f", "f"', '"v", "v", "f"'), ("export.py", "x, scale_f=scale", "x, scale")),
        arguments=TORCHSCRIPT,
        place=("export.py", "graph.op("),
        words=("has 2 inputs, the call has 1 input", "scale is no attribute there", "scale_f="),
        mend=(
            ("export.py", '"v", "v", "f"', '"v", "f", "f"'),
            ("export.py", "x, scale, max_val_f", "x, scale_f=scale, max_val_f"),
        ),
    ),
    "an attribute that is left out": Fault(
        id="EXP008",
        edits=(("export.py", ", max_val_f=max_val", ""),),
        arguments=TORCHSCRIPT,
        place=("export.py", "graph.op("),
        words=("Attribute max_val is lost", "max_val is 4.0 in the call", "Pass max_val by name"),
        mend=(("export.py", "scale_f=scale", "scale_f=scale, max_val_f=max_val"),),
    ),
    "an attribute at its default": Fault(
        id="EXP008",
        edits=(("export.py", SCRIPT_NODE, "return myops.Relu6Scale(x, scale=scale, max_val=6.0)"),),
        arguments=DYNAMO,
        place=("export.py", "myops.Relu6Scale("),
        words=("Attribute max_val is changed", "max_val is 4.0 in the call, the file has 6.0"),
        mend=(("export.py", "max_val=6.0)", "max_val=max_val)"),),
    ),
    "nodes of other kinds": Fault(
        id="EXP016",
        edits=(("export.py", NODE, 'graph.op("Mul", x, x)'),),
        arguments=TORCHSCRIPT,
        place=("export.py", "register_custom_op_symbolic("),
        words=("The operator is not in the file", "1 × Mul", "Emit myops:Relu6Scale"),
        mend=(("export.py", 'graph.op("Mul", x, x)', NODE),),
    ),
    "a type in other letters": Fault(
        id="EXP016",
        edits=(("export.py", SCRIPT_NODE, SCRIPT_NODE.replace("Relu6Scale", "Relu6scale")),),
        arguments=DYNAMO,
        place=("export.py", "myops.Relu6scale("),
        words=("asked for myops:Relu6Scale, there is myops:Relu6scale",),
        mend=(("export.py", "Relu6scale", "Relu6Scale"),),
    ),
    "a domain in other letters": Fault(
        id="EXP016",
        edits=(("export.py", '"myops::Relu6Scale"', '"MyOps::Relu6Scale"'),),
        arguments=TORCHSCRIPT,
        place=("export.py", "graph.op("),
        words=("there is MyOps:Relu6Scale",),
        mend=(("export.py", "MyOps", "myops"),),
    ),
    "a symbolic that returns nothing": Fault(
        id="EXP016",
        edits=(("export.py", "    return node.setType(x.type())\n", ""),),
        arguments=TORCHSCRIPT,
        place=("export.py", "register_custom_op_symbolic("),
        words=("there is myops:relu6_scale", "Return the node from the symbolic"),
        mend=(("export.py", f"{NODE}\n", f"{NODE}\n    return node.setType(x.type())\n"),),
    ),
    "a node that writes itself": Fault(
        id="EXP016",
        edits=(
            (
                "model.py",
                CALL,
                'torch.onnx.ops.symbolic("myops::Relu6Scale", (shifted,), dtype=x.dtype, shape=x.shape, version=1)',
            ),
        ),
        arguments=(*DYNAMO, "--route", "standard"),
        place=("model.py", None),
        words=("A custom node is left", "Call the operator as torch.ops"),
    ),
    "the form of an old opset": Fault(
        id="EXP019",
        edits=(
            (
                "export.py",
                "    return node.setType(x.type())\n",
                '    return graph.op("Clip", node, min_f=0.0, max_f=9.0).setType(x.type())\n',
            ),
        ),
        arguments=TORCHSCRIPT,
        place=("export.py", '"Clip"'),
        words=("Unrecognized attribute", "Clip", "Write the node in the form of opset 18"),
        mend=(
            (
                "export.py",
                'graph.op("Clip", node, min_f=0.0, max_f=9.0)',
                'graph.op("Clip", node, *(graph.op("Constant", value_t=torch.tensor(v)) for v in (0.0, 9.0)))',
            ),
        ),
    ),
    "no parse_args": Fault(
        id="EXP020",
        edits=(("export.py", DECORATOR, ""),),
        arguments=TORCHSCRIPT,
        place=("export.py", "graph.op("),
        words=("f_(): incompatible function arguments", 'Decorate the symbolic with @parse_args("v", "f", "f")'),
        mend=(("export.py", "def symbolic(", f"{DECORATOR}def symbolic("),),
        writes=False,
    ),
    "no parse_args, and all by position": Fault(
        id="EXP020",
        edits=(("export.py", DECORATOR, ""), ("export.py", "scale_f=scale, max_val_f=max_val", "scale, max_val")),
        arguments=TORCHSCRIPT,
        place=("export.py", "register_custom_op_symbolic("),
        words=("Attributes arrive as inputs", "3 inputs instead of 1 input", '@parse_args("v", "f", "f")'),
        mend=(
            ("export.py", "def symbolic(", f"{DECORATOR}def symbolic("),
            ("export.py", "x, scale, max_val)\n    return", "x, scale_f=scale, max_val_f=max_val)\n    return"),
        ),
    ),
    "an integer for a number": Fault(
        id="EXP020",
        edits=(("export.py", '"v", "f", "f"', '"v", "f", "i"'), ("export.py", "max_val_f=", "max_val_i=")),
        arguments=TORCHSCRIPT,
        place=("export.py", "parse_args("),
        words=("Attribute max_val has another type", "max_val is FLOAT 4.0, there is INT 4"),
        mend=(("export.py", '"v", "f", "i"', '"v", "f", "f"'), ("export.py", "max_val_i=", "max_val_f=")),
    ),
    "a letter too few": Fault(
        id="EXP020",
        edits=(("export.py", '"v", "f", "f"', '"v", "f"'),),
        arguments=TORCHSCRIPT,
        place=("export.py", "parse_args("),
        words=("number of arguments (3) and their descriptors (2)",),
        mend=(("export.py", '"v", "f")', '"v", "f", "f")'),),
        writes=False,
    ),
    "an attribute without its type": Fault(
        id="EXP020",
        edits=(("export.py", "scale_f=scale", "scale=scale"),),
        arguments=TORCHSCRIPT,
        place=("export.py", "graph.op("),
        words=("Name it with its type: scale_f=scale",),
        mend=(("export.py", "x, scale=scale, max_val_f", "x, scale_f=scale, max_val_f"),),
        writes=False,
    ),
    "all overloads at once": Fault(
        id="EXP022",
        edits=(("export.py", "relu6_scale.default: translate", "relu6_scale: translate"),),
        arguments=DYNAMO,
        place=("export.py", "return {"),
        words=("Use torch.ops.myops.relu6_scale.default as the key",),
        mend=(("export.py", "relu6_scale: translate", "relu6_scale.default: translate"),),
        writes=False,
    ),
    "no word of what is returned": Fault(
        id="EXP022",
        edits=(("export.py", ") -> FLOAT[...]:", "):"),),
        arguments=DYNAMO,
        place=("export.py", "return myops."),
        words=("values and replacements must match", "Annotate what the function returns: -> FLOAT[...]"),
        mend=(("export.py", "max_val: float = 6.0):", "max_val: float = 6.0) -> FLOAT[...]:"),),
        writes=False,
    ),
    "no schema": Fault(
        id="EXP022",
        edits=(("export.py", "@onnxscript.script(myops)\n", ""),),
        arguments=DYNAMO,
        place=("export.py", "return myops."),
        words=("No schema registered for", 'Decorate the function with @onnxscript.script(Opset("myops", 1))'),
        mend=(("export.py", "def translate", "@onnxscript.script(myops)\ndef translate"),),
        writes=False,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_wrong_translation_is_told_and_mended(
    exports: ExportWorkspace, twin: ExportWorkspace, name: str
) -> None:
    exports.assert_told_and_mended(FAULTS[name], twin)


def test_that_swapped_attributes_are_told_one_by_one(exports: ExportWorkspace) -> None:
    swapped = ("export.py", "scale=scale, max_val=max_val", "scale=max_val, max_val=scale")
    with exports.edited("clipped", swapped):
        result = exports.export("clipped", *DYNAMO)

    assert result.command.status == 1
    assert [finding["cause"].partition(": ")[2] for finding in result.findings] == [
        "scale is 0.75 in the call, the file has 4.0",
        "max_val is 4.0 in the call, the file has 0.75",
    ]


def test_that_a_translation_may_take_the_operator_apart_where_the_contract_says_so(exports: ExportWorkspace) -> None:
    apart = ("export.py", NODE, 'graph.op("Mul", x, x)')
    with exports.edited("clipped", apart, ("contract.toml", "opset = 18\n", "opset = 18\nexpand = true\n")):
        result = exports.export("clipped", *TORCHSCRIPT)

    assert (result.command.status, result.ids) == (0, [])
    assert result.command.document["record"]["summary"]["standard_types"][":Mul"] == 1
