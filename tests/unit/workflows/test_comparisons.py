"""Comparisons of stages: the values of inputs at an element, the largest errors, and what people see of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from opstudio.checks.results import CallError, CaseResult, shapes_of, with_inputs
from opstudio.checks.stages.parity import ParityEvidence, ParityResult
from opstudio.checks.stages.value import ValueEvidence
from opstudio.contract.operator import Tolerance
from opstudio.parity.comparison import Comparison, compare
from opstudio.workflows.comparisons import compared_cases, error_figures
from opstudio.workflows.evidence.values import describe
from opstudio.workflows.evidence_sections import EvidenceContext, Table
from opstudio.workspace.build_history import ErrorFigure
from opstudio.workspace.folder import Workspace
from opstudio.workspace.settings import Settings

TOLERANCE = Tolerance(relative=0.0, absolute=0.5)
REFERENCE = np.ones((2, 3), dtype=np.float32)


def off_by(amount: float, at: tuple[int, int] = (1, 2), kind: str = "float32") -> Comparison:
    value = REFERENCE.copy()
    value[at] += amount
    return compare(value, REFERENCE, TOLERANCE, type_name=kind)


def test_that_elements_get_the_inputs_at_their_place() -> None:
    import torch

    inputs = {
        "x": (torch.arange(6, dtype=torch.bfloat16).reshape(2, 3),),
        "flags": (torch.tensor([[True, False, True], [False, False, True]]),),
        "many": (torch.full((2, 3), 7), torch.full((2, 3), 8)),
        "bias": (torch.ones(3),),
        "absent": (),
    }

    comparison = with_inputs(off_by(2.0), inputs)

    assert comparison.critical is not None
    wanted = {"x": 5.0, "flags": 1.0, "many[0]": 7.0, "many[1]": 8.0}
    assert comparison.critical.inputs == wanted
    assert [element.inputs for element in comparison.worst] == [wanted]
    assert shapes_of(inputs)["many"] == ((2, 3), (2, 3))


def test_that_equal_arrays_get_no_inputs() -> None:
    import torch

    comparison = compare(REFERENCE, REFERENCE, TOLERANCE)

    assert with_inputs(comparison, {"x": (torch.zeros(2, 3),)}) is comparison


def test_that_a_number_has_an_input_as_well() -> None:
    import torch

    comparison = compare(np.array(2.0), np.array(0.0), TOLERANCE)

    filled = with_inputs(comparison, {"x": (torch.tensor(3.5),)})

    assert filled.critical is not None
    assert filled.critical.inputs == {"x": 3.5}


def test_that_the_largest_errors_are_told_by_type_over_all_layers() -> None:
    cases = (
        ParityResult(name="a", sample="a", torch_reference=(off_by(0.25),), runtime_torch=(off_by(0.75),)),
        ParityResult(name="b", sample="a", runtime_reference=(off_by(-1.0), off_by(0.125, kind="float16"))),
        ParityResult(name="c", sample="a", error=CallError(message="RuntimeError: no")),
    )

    figures = error_figures("parity", ParityEvidence(cases=cases))

    assert figures == (
        ErrorFigure(stage="parity", type="float32", largest_ratio=2.0, largest_absolute=1.0),
        ErrorFigure(stage="parity", type="float16", largest_ratio=0.25, largest_absolute=0.125),
    )
    assert [case.error for case in compared_cases(ParityEvidence(cases=cases))] == ["", "", "RuntimeError: no"]
    assert error_figures("register", object()) == ()


def test_that_a_wrong_shape_is_an_endless_error() -> None:
    wrong = compare(np.zeros(3), np.zeros(4), TOLERANCE, type_name="float64")

    (figure,) = error_figures("value", ValueEvidence(cases=(CaseResult(name="a", sample="a", comparisons=(wrong,)),)))

    assert figure.largest_ratio == math.inf


def tables_of(*cases: CaseResult) -> dict[str, Table]:
    context = EvidenceContext(
        workspace=Workspace(Path("/nowhere"), Settings(name="none")), stage="value", evidence=ValueEvidence(cases=cases)
    )
    found: dict[str, Table] = {}
    for section in describe(context):
        assert isinstance(section.content, Table)
        found[section.title] = section.content
    return found


def test_that_shapes_stand_for_inputs_which_map_to_no_element() -> None:
    tables = tables_of(
        CaseResult(name="a", sample="a", comparisons=(off_by(2.0),), inputs={"x": ((2, 3, 9),), "w": ((9, 9), (9,))})
    )

    (row,) = tables["Worst elements"].rows
    assert row == ("a", "[1, 2]", "1", "3", "0.5", "x [2, 3, 9], w [9, 9] [9]")


def test_that_the_largest_errors_are_shown_where_nothing_is_wrong() -> None:
    tables = tables_of(
        CaseResult(name="a", sample="a", comparisons=(off_by(0.125),)),
        CaseResult(name="b", sample="a", comparisons=(off_by(-0.25),)),
    )

    assert [row[0] for row in tables["Largest errors"].rows] == ["b", "a"]
    assert (tables["Largest errors"].bad, tables["Errors"].bad) == (frozenset(), frozenset())
    assert "Worst elements" not in tables


def test_that_values_which_are_not_finite_come_first() -> None:
    tables = tables_of(
        CaseResult(name="a", sample="a", comparisons=(off_by(1e9),)),
        CaseResult(name="b", sample="a", comparisons=(off_by(math.nan),)),
        CaseResult(name="c", sample="a", error=CallError(message="RuntimeError: no")),
    )

    assert [row[0] for row in tables["Worst elements"].rows] == ["b", "a"]
    assert tables["Errors"].rows[2][:2] == ("c", "RuntimeError: no")
    assert tables["Errors"].bad == frozenset({0, 1, 2})
