"""Functions of autograd: no operators, so that exporters see through them until they are made operators."""

from __future__ import annotations

from opstudio.base.finding import Severity
from opstudio.model.export_debugging.records import Fate, StubKind
from opstudio.model.export_request import Exporter
from tests.faults.exports.explaining import LAST, NET, Explainer, applied, line_of

TWICE = """class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * factor


class Net(torch.nn.Module):"""
SYMBOLIC = """        return x * factor

    @staticmethod
    def symbolic(g, x, factor):
        return g.op("lab::Twice", x, factor_f=factor).setType(x.type())
"""
CALLED = "return torch.ops.lab.swish(Twice.apply(y, 2.0), 0.5)"
TEXT = applied(NET, ("class Net(torch.nn.Module):", TWICE), (LAST, CALLED))


def test_that_a_function_that_is_traced_through_becomes_an_operator(explainer: Explainer) -> None:
    explanation = explainer.explain(TEXT, dynamic={"x": "batch"})

    found = [item for item in explanation.findings if item.id == "EXP016"]
    assert [item.title for item in found] == ["Twice is not in the file"] * 2
    assert all("1 × Mul" in item.cause and item.severity is Severity.WARNING for item in found)
    assert [[place.line for place in item.places] for item in found] == [[line_of(TEXT, CALLED)]] * 2
    stubs = {stub.kind: stub for stub in explanation.stubs}
    assert set(stubs) == {StubKind.OPERATOR, StubKind.SYMBOLIC, StubKind.TRANSLATION}
    assert "call torch.ops.lab.twice where the model calls Twice.apply" in stubs[StubKind.OPERATOR].todo
    pasted = "\n\n".join(["", *(stub.text for stub in explanation.stubs)])
    again = explainer.explain(
        applied(TEXT, ("Twice.apply(y, 2.0)", "torch.ops.lab.twice(y, 2.0)")) + pasted, dynamic={"x": "batch"}
    )
    assert (again.good, again.findings) == (True, ())
    assert [item.node_types.get("lab:Twice") for item in again.attempts] == [1, 1]


def test_that_the_symbolic_of_a_function_is_read_by_one_exporter_only(explainer: Explainer) -> None:
    explanation = explainer.explain(applied(TEXT, ("        return x * factor\n", SYMBOLIC)), dynamic={"x": "batch"})

    fates = {
        item.exporter: next(fate for fate in item.fates if fate.operator == "Twice") for item in explanation.attempts
    }
    kept, lost = fates[Exporter.TORCHSCRIPT], fates[Exporter.DYNAMO]
    assert (kept.fate, kept.nodes, kept.lost) == (Fate.KEPT, {"lab:Twice": 1}, ())
    assert (lost.fate, lost.nodes) == (Fate.TRACED_THROUGH, {"Mul": 1})
    (finding,) = explanation.findings
    assert (finding.id, "the dynamo exporter" in finding.cause) == ("EXP016", True)


COMPOSITE = """library = torch.library.Library("lab", "FRAGMENT")
library.define("gated(Tensor x, float slope) -> Tensor")
library.impl("gated", lambda x, slope: torch.relu(x) * slope, "CompositeImplicitAutograd")


class Net(torch.nn.Module):"""


def test_that_a_composite_operator_is_seen_through_by_one_exporter(explainer: Explainer) -> None:
    """TorchScript records the call itself, and dynamo what it is made of."""
    called = "return torch.ops.lab.swish(torch.ops.lab.gated(y, 0.25), 0.5)"
    text = applied(NET, ("class Net(torch.nn.Module):", COMPOSITE), (LAST, called))

    explanation = explainer.explain(text, dynamic={"x": "batch"})

    refused, seen_through = explanation.findings
    assert (refused.id, refused.title) == ("EXP001", "The torchscript exporter cannot translate lab::gated")
    assert (seen_through.id, seen_through.title) == ("EXP016", "lab::gated is not in the file")
    assert "it is composite" in seen_through.cause
    assert "1 × Relu" in seen_through.cause
    assert "CompositeImplicitAutograd" in seen_through.fix
    assert [item.places[0].line for item in explanation.findings] == [line_of(text, called)] * 2
    assert [(stub.kind, stub.operators) for stub in explanation.stubs] == [(StubKind.SYMBOLIC, ("lab::gated",))]
