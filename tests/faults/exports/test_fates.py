"""Exports that succeed and lose something all the same: what became of each operator is told for each exporter."""

from __future__ import annotations

from opstudio.model.export_debugging.records import Fate, OperatorFate
from opstudio.model.export_request import Exporter
from tests.faults.exports.explaining import LAST, NET, Explainer, applied, line_of

NODE = 'return g.op("lab::Swish", x, beta_f=beta).setType(x.type())'


def fates_of(explanation: object, operator: str) -> dict[Exporter, OperatorFate]:
    attempts = explanation.attempts  # type: ignore[attr-defined]
    return {item.exporter: next(fate for fate in item.fates if fate.operator == operator) for item in attempts}


def test_that_equal_calls_become_one_node(explainer: Explainer) -> None:
    text = applied(NET, (LAST, "return torch.ops.lab.swish(y, 0.5) + torch.ops.lab.swish(y, 0.5)"))

    explanation = explainer.explain(text, dynamic={"x": "batch"})

    fates = fates_of(explanation, "lab::swish")
    assert [(item.fate, item.calls, item.nodes) for item in fates.values()] == [
        (Fate.MERGED, 2, {"lab:Swish": 1}),
    ] * 2
    assert explanation.good


def test_that_a_translation_may_take_an_operator_apart(explainer: Explainer) -> None:
    text = applied(NET, (NODE, 'return g.op("Mul", x, g.op("Sigmoid", x))'))

    explanation = explainer.explain(text, dynamic={"x": "batch"})

    fates = fates_of(explanation, "lab::swish")
    apart, kept = fates[Exporter.TORCHSCRIPT], fates[Exporter.DYNAMO]
    assert (apart.fate, apart.nodes) == (Fate.DECOMPOSED, {"Sigmoid": 1, "Mul": 1})
    assert (kept.fate, kept.nodes) == (Fate.KEPT, {"lab:Swish": 1})
    assert explanation.good


def test_that_a_lost_attribute_is_told_of_the_exporter_that_loses_it(explainer: Explainer) -> None:
    text = applied(NET, ("x, beta_f=beta)", "x)"))

    explanation = explainer.explain(text, dynamic={"x": "batch"})

    fates = fates_of(explanation, "lab::swish")
    assert {exporter: fate.lost for exporter, fate in fates.items()} == {
        Exporter.TORCHSCRIPT: ("beta",),
        Exporter.DYNAMO: (),
    }
    (finding,) = explanation.findings
    assert (finding.id, finding.title) == ("EXP008", "Attribute beta is lost in the file")
    assert [place.line for place in finding.places] == [line_of(text, 'g.op("lab::Swish"')]


def test_that_a_number_that_torchscript_keeps_is_told_by_its_line(explainer: Explainer) -> None:
    text = applied(NET, ("y = self.linear(x)", "y = self.linear(x) * int(x.shape[0])"))

    explanation = explainer.explain(text, dynamic={"x": "batch"})

    (dimension,) = explanation.attempt(Exporter.TORCHSCRIPT).dimensions
    assert dimension.is_kept
    assert [item.at.line for item in dimension.because if item.at] == [line_of(text, "int(x.shape[0])")]
    assert [item.id for item in explanation.findings][:1] == ["EXP018"]
