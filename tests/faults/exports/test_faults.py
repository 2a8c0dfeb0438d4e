"""Exports that fail or lose something: the cause, the person's line, the rule, and code that mends it when pasted."""

from __future__ import annotations

import pytest

from opstudio.model.export_debugging.records import StubKind
from opstudio.model.export_request import Exporter
from tests.faults.exports.explaining import (
    LAST,
    NET,
    NO_FAKE,
    NO_SYMBOLIC,
    NO_TRANSLATION,
    Explainer,
    Fault,
    Said,
    applied,
    assert_said,
)

TORCHSCRIPT, DYNAMO = Exporter.TORCHSCRIPT, Exporter.DYNAMO

FAULTS = {
    "an operator without symbolic": Fault(
        edits=(NO_SYMBOLIC, NO_TRANSLATION),
        said=(
            Said(
                id="EXP001",
                words=("The torchscript exporter cannot translate lab::swish", "register_custom_op_symbolic"),
                line=LAST,
            ),
        ),
        fails=(TORCHSCRIPT, DYNAMO),
        paste=(StubKind.SYMBOLIC, StubKind.TRANSLATION),
    ),
    "an operator without translation": Fault(
        edits=(NO_TRANSLATION, NO_SYMBOLIC),
        said=(
            Said(
                id="EXP001",
                words=("The dynamo exporter cannot translate lab::swish", "torch.ops.lab.swish.default"),
                line=LAST,
            ),
        ),
        fails=(TORCHSCRIPT, DYNAMO),
        paste=(StubKind.SYMBOLIC, StubKind.TRANSLATION),
    ),
    "an operator without Meta kernel": Fault(
        edits=(NO_FAKE,),
        said=(Said(id="EXP023", words=("lab::swish has no Meta kernel", "register_fake"), line=LAST),),
        fails=(DYNAMO,),
        paste=(StubKind.FAKE,),
    ),
    "a result that nobody uses": Fault(
        edits=((LAST, "torch.ops.lab.swish(y, 0.25)\n        return y"),),
        said=(
            Said(
                id="EXP016",
                words=("lab::swish is not in the file", "no output depends on its result"),
                line="torch.ops.lab.swish(y, 0.25)",
                severity="note",
            ),
        ),
        mend=(("torch.ops.lab.swish(y, 0.25)\n        return y", LAST),),
    ),
    "a symbolic under another name": Fault(
        edits=(('register_custom_op_symbolic("lab::swish"', 'register_custom_op_symbolic("lab::Swish"'),),
        said=(
            Said(
                id="EXP003",
                words=("a translation is registered for lab::Swish, the operator is lab::swish",),
                line='register_custom_op_symbolic("lab::Swish"',
            ),
        ),
        fails=(TORCHSCRIPT,),
        offered=(StubKind.SYMBOLIC,),
        mend=(('register_custom_op_symbolic("lab::Swish"', 'register_custom_op_symbolic("lab::swish"'),),
    ),
    "a symbolic under a name with a dot": Fault(
        edits=(('register_custom_op_symbolic("lab::swish"', 'register_custom_op_symbolic("lab.swish"'),),
        said=(
            Said(
                id="EXP003",
                words=("a translation is registered for lab.swish", 'Register it as "lab::swish"'),
                line='register_custom_op_symbolic("lab.swish"',
            ),
        ),
        fails=(TORCHSCRIPT, DYNAMO),
        offered=(StubKind.SYMBOLIC, StubKind.TRANSLATION),
        mend=(('register_custom_op_symbolic("lab.swish"', 'register_custom_op_symbolic("lab::swish"'),),
    ),
    "a size that becomes a number": Fault(
        edits=(
            (
                "        y = self.linear(x)\n",
                "        rows = x.shape[0]\n        y = self.linear(x) * (2 if rows == 3 else 1)\n",
            ),
        ),
        said=(Said(id="EXP018", words=("dynamo", "static shape of 3"), line="rows == 3"),),
        fails=(DYNAMO,),
        mend=((" * (2 if rows == 3 else 1)", ""),),
    ),
    "a branch on a value": Fault(
        edits=(
            (
                "        y = self.linear(x)\n",
                "        y = self.linear(x)\n        if y.sum() > 0:\n            y = -y\n",
            ),
        ),
        said=(Said(id="REG021", words=("torch.where",), line="if y.sum() > 0"),),
        fails=(DYNAMO,),
        mend=(("        if y.sum() > 0:\n            y = -y\n", "        y = torch.where(y.sum() > 0, -y, y)\n"),),
    ),
    "a symbolic for the other exporter": Fault(
        edits=(NO_TRANSLATION,),
        said=(
            Said(
                id="EXP001",
                words=("a symbolic is registered, which only the torchscript exporter reads", "lab::swish"),
                line=LAST,
            ),
        ),
        fails=(DYNAMO,),
        paste=(StubKind.TRANSLATION,),
    ),
    "a translation for the other exporter": Fault(
        edits=(NO_SYMBOLIC,),
        said=(
            Said(
                id="EXP001",
                words=("register() returns a translation, which only the dynamo exporter reads", "lab::swish"),
                line=LAST,
            ),
        ),
        fails=(TORCHSCRIPT,),
        paste=(StubKind.SYMBOLIC,),
    ),
    "a symbolic above the opset": Fault(
        edits=(("swish_symbolic, 9)", "swish_symbolic, 19)"),),
        said=(
            Said(
                id="EXP002",
                words=("the translation of lab::swish is for opset 19 and later, the export asks for 18",),
                line="swish_symbolic, 19)",
            ),
        ),
        fails=(TORCHSCRIPT,),
        offered=(StubKind.SYMBOLIC,),
        mend=(("swish_symbolic, 19)", "swish_symbolic, 18)"),),
    ),
    "a symbolic without parse_args": Fault(
        edits=(('@symbolic_helper.parse_args("v", "f")\n', ""), ("x, beta_f=beta)", "x, beta)")),
        said=(
            Said(
                id="EXP020",
                words=("Attributes arrive as inputs", '@parse_args("v", "f")'),
                line='register_custom_op_symbolic("lab::swish"',
            ),
        ),
        mend=(
            ("def swish_symbolic", '@symbolic_helper.parse_args("v", "f")\ndef swish_symbolic'),
            ('"lab::Swish", x, beta)', '"lab::Swish", x, beta_f=beta)'),
        ),
    ),
    "axes of an input that is not there": Fault(
        edits=(),
        dynamic={"input": "batch"},
        said=(Said(id="EXP006", words=("input is not an input of the model; known are x",), line=None),),
        fails=(DYNAMO,),
        again={"x": "batch"},
    ),
    "dropout that trains": Fault(
        edits=(("y = self.linear(x)", "y = functional.dropout(self.linear(x), 0.5)"),),
        said=(
            Said(
                id="EXP024", words=("dropout is exported in training mode", "training=self.training"), line="dropout("
            ),
        ),
        mend=(("self.linear(x), 0.5)", "self.linear(x), 0.5, self.training)"),),
    ),
    "batch statistics": Fault(
        edits=(
            (
                "y = self.linear(x)",
                "y = functional.batch_norm(self.linear(x), torch.zeros(4), torch.ones(4), training=True)",
            ),
        ),
        said=(Said(id="EXP024", words=("batch_norm is exported in training mode",), line="batch_norm("),),
        mend=(("training=True", "training=self.training"),),
    ),
    "an operator that writes its input": Fault(
        edits=(
            ('"lab::swish", mutates_args=()', '"lab::swish", mutates_args=("x",)'),
            (
                "beta: float = 1.0) -> torch.Tensor:\n    return x * torch.sigmoid(beta * x)",
                "beta: float = 1.0) -> None:\n    x.mul_(torch.sigmoid(beta * x))",
            ),
            ("    return torch.empty_like(x)", "    return None"),
            (LAST, "torch.ops.lab.swish(y, 0.5)\n        return y"),
        ),
        said=(
            Said(
                id="EXP025",
                words=("lab::swish writes its input", "the torchscript exporter", "computes something else"),
                line="torch.ops.lab.swish(y, 0.5)",
            ),
            Said(
                id="EXP025",
                words=("the dynamo exporter", "mutates_args=()"),
                line="torch.ops.lab.swish(y, 0.5)",
            ),
        ),
        fails=(DYNAMO,),
        mend=(
            ('"lab::swish", mutates_args=("x",)', '"lab::swish", mutates_args=()'),
            (
                "beta: float = 1.0) -> None:\n    x.mul_(torch.sigmoid(beta * x))",
                "beta: float = 1.0) -> torch.Tensor:\n    return x * torch.sigmoid(beta * x)",
            ),
            ("    return None", "    return torch.empty_like(x)"),
            ("torch.ops.lab.swish(y, 0.5)\n        return y", LAST),
        ),
    ),
    "a symbolic that says no type": Fault(
        edits=((".setType(x.type())", ""), (LAST, "return torch.ops.lab.swish(y, 0.5).relu()")),
        said=(
            Said(
                id="EXP015",
                words=("the torchscript exporter", "lab::swish", "node.setType(x.type())", "[3, 4]"),
                line="lab.swish(y, 0.5).relu()",
                severity="warning",
            ),
        ),
        mend=(("beta_f=beta)", "beta_f=beta).setType(x.type())"),),
    ),
    "a Meta kernel of another rank": Fault(
        edits=(("    return torch.empty_like(x)", "    return x.new_empty(x.shape[0])"),),
        said=(Said(id="EXP015", words=("has another rank", "the Meta kernel of lab::swish", "[3, 4]"), line=LAST),),
        mend=(("    return x.new_empty(x.shape[0])", "    return torch.empty_like(x)"),),
    ),
    "an opset that the runtime does not know": Fault(
        edits=(),
        opset=20,
        runtime="1.16",
        said=(
            Said(id="EXP012", words=("does not know opset 20", "--opset 19", "the torchscript exporter"), line=None),
            Said(id="EXP012", words=("does not read IR version 10", "up to 9", "the dynamo exporter"), line=None),
        ),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_failing_export_is_told_by_cause_and_line_and_mended(explainer: Explainer, name: str) -> None:
    fault = FAULTS[name]
    text = applied(NET, *fault.edits)

    explanation = explainer.explain(text, dynamic=fault.dynamic, opset=fault.opset, runtime=fault.runtime)

    failed = tuple(item.exporter for item in explanation.attempts if not item.has_file)
    assert failed == fault.fails, [item.record.error for item in explanation.attempts]
    for said in fault.said:
        assert_said(said, explanation, text)
    pasted = [stub.text for stub in explanation.stubs if stub.kind in fault.paste]
    assert {stub.kind for stub in explanation.stubs} == set(fault.offered or fault.paste)
    if fault.runtime is None:
        mended = applied(text, *fault.mend) + "\n\n".join(["", *pasted])
        again = explainer.explain(mended, dynamic=fault.again or fault.dynamic, opset=fault.opset)
        assert (again.good, again.findings) == (True, ()), again.findings
        assert [item.node_types.get("lab:Swish") for item in again.attempts] == [1, 1]
