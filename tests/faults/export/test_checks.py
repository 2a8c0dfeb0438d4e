"""Export faults as the loop tells them: with their stage, beside what the other exports say."""

from __future__ import annotations

from pathlib import Path

from tests.faults.export.seeding import OPERATOR, ExportWorkspace

CLAMP = "    return torch.clamp(x * scale, 0.0, max_val)\n"
MANY_NODES = """    scaled = x * scale
    raised = torch.where(scaled > 0.0, scaled, scaled * 0.0)
    return torch.where(raised < max_val, raised, raised * 0.0 + max_val)
"""
ONLY_EXPORT = ("--only", "export")


def test_that_an_operator_of_many_standard_nodes_is_advised_to_stay_one(exports: ExportWorkspace) -> None:
    line = exports.line(OPERATOR, "contract.toml", 'name = "relu6_scale"')
    with exports.edited(OPERATOR, ("reference.py", CLAMP, MANY_NODES)):
        many = exports.check(OPERATOR, *ONLY_EXPORT)
    few = exports.check(OPERATOR, *ONLY_EXPORT)

    note = many.finding("EXP010")
    assert (many.verdict, note["severity"], note["stage"]) == ("good", "note", "export")
    # Multiply, compare and choose, twice, and what the two branches compute.
    assert "8 standard nodes compose the operator: 1 × Add, 1 × Greater, 1 × Less, 3 × Mul, 2 × Where" in note["cause"]
    assert many.lines("EXP010") == {("contract.toml", line)}
    assert "--route custom" in note["fix"]
    assert (few.verdict, few.ids) == ("good", set())


def test_that_the_fix_names_the_exporter_that_keeps_an_attribute(exports: ExportWorkspace) -> None:
    with exports.edited(OPERATOR, ("export.py", ", max_val_f=max_val", "")):
        line = exports.line(OPERATOR, "export.py", "graph.op(")
        result = exports.check(OPERATOR, *ONLY_EXPORT)

    assert (result.status, result.state("export"), result.ids) == (1, "bad", {"EXP008"})
    assert result.finding("EXP008")["fix"] == "Pass max_val by name in the translation; the dynamo exporter keeps it"
    assert result.lines("EXP008") == {("export.py", line)}


def test_that_a_model_that_does_not_run_is_told_by_its_line(exports: ExportWorkspace) -> None:
    with exports.edited(OPERATOR, ("model.py", "x + 0.5", "x + torch.ones(7)")):
        line = exports.line(OPERATOR, "model.py", "torch.ones(7)")
        result = exports.check(OPERATOR, *ONLY_EXPORT)

    assert (result.status, result.state("export"), result.ids) == (1, "bad", {"STU002"})
    finding = result.finding("STU002")
    assert finding["title"] == "The model does not run in PyTorch"
    assert [(Path(place["file"]).name, place["line"]) for place in finding["places"]] == [("model.py", line)]
