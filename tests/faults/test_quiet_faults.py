"""Eight faults that run quietly: nothing raises, and only the check that looks for it sees each.

Every one is bad in a full check. With the stages that see it left out, the operator passes as good.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from tests.faults.batch import check_together, copy_operator
from tests.faults.native.softening import FORMULA, MAPPED, each_element
from tests.faults.seeding import Fault, FaultWorkspace, assert_told
from tests.support.workspaces import CheckResult

IN_A_ROW = each_element("for (int64_t i = 0; i < y.count(); ++i)")
ROWS = "  const opstudio::Rows rows(x, axis), results(y, -1);\n"
WRITTEN = """        y.data<T>()[results.offset(row)] = T(total / Compute(length));
      }
    });
"""
KEPT = """        means[row] = total / Compute(length);
      }
    });
    for (int64_t row = 0; row < rows.count(); ++row) y.data<T>()[results.offset(row)] = T(Compute(means[row]));
"""
SHARED = (
    ("mean_square.cpp", ROWS, f"{ROWS}  static double means[1 << 16];\n"),
    ("mean_square.cpp", WRITTEN, KEPT),
)
RACES = 10
LONG = ("export", "opcheck", "optimization", "speed")
"""Stages that take long and stand on others; a check that leaves out what sees a fault leaves them out as well."""


@dataclass(frozen=True, kw_only=True)
class Quiet:
    """A fault and the stages that see it, the one that tells it first."""

    fault: Fault
    seen_by: tuple[str, ...]


FAULTS = {
    "wrong value": Quiet(
        fault=Fault(
            id="NUM012",
            operator="softening",
            stage="value",
            edits=(("softening.cpp", FORMULA, "value / (1 + std::abs(value))"),),
            arguments=(),
            place=("softening.cpp", "void forward("),
            words=("elements differ", "typical (float32)"),
        ),
        seen_by=("value", "extreme", "gradient", "parity"),
    ),
    "a step in float32": Quiet(
        fault=Fault(
            id="NUM012",
            operator="softening",
            stage="value",
            edits=(("softening.cpp", FORMULA, "Compute(float(value)) / (1 + Compute(scale) * std::abs(value))"),),
            arguments=(),
            place=("softening.cpp", "void forward("),
            words=("in typical (float64)", "Only float64 is wrong", "where x[", "scale = 0.5"),
        ),
        seen_by=("value", "extreme", "parity"),
    ),
    "one of two inputs in float32": Quiet(
        fault=Fault(
            id="NUM012",
            operator="affine_pick",
            stage="value",
            edits=(("forward.cpp", "(bias ? bias[pick] : T(0))", "(bias ? T(float(bias[pick])) : T(0))"),),
            arguments=(),
            place=("forward.cpp", "void forward("),
            words=("in typical (float64)", "Only float64 is wrong"),
        ),
        seen_by=("value", "extreme", "parity"),
    ),
    "wrong gradient": Quiet(
        fault=Fault(
            id="REG007",
            operator="softening",
            stage="gradient",
            edits=(("softening.cpp", "gradient / (divisor * divisor)", "gradient / divisor"),),
            arguments=(),
            place=("softening.cpp", "void backward("),
            words=("The gradient of x is wrong",),
        ),
        seen_by=("gradient",),
    ),
    "wrong shape rule": Quiet(
        fault=Fault(
            id="REG004",
            operator="mean_square",
            stage="meta",
            edits=(("contract.toml", 'shape = "[*B]" ', 'shape = "[*B, 1]" '),),
            arguments=(),
            place=("contract.toml", 'shape = "[*B, 1]"'),
            words=("Meta says [1]", "the reference says []"),
        ),
        seen_by=("meta", "value", "extreme", "gradient", "parity"),
    ),
    "ignored strides": Quiet(
        fault=Fault(
            id="REG009",
            operator="softening",
            stage="layout",
            edits=(("softening.cpp", MAPPED, IN_A_ROW),),
            arguments=(),
            place=("contract.toml", "strided = true"),
            words=("Strides are ignored", "transposed"),
        ),
        seen_by=("layout",),
    ),
    "shared state": Quiet(
        fault=Fault(
            id="REG014",
            operator="mean_square",
            stage="concurrency",
            edits=SHARED,
            arguments=(),
            place=("mean_square.cpp", "static double means"),
            words=("calls returned something else", "call.scratch<T>(count)"),
        ),
        seen_by=("concurrency", "sanitizer"),
    ),
    "wrong default": Quiet(
        fault=Fault(
            id="REG024",
            operator="softening",
            stage="register",
            edits=(("reference.py", "scale: float = 1.0", "scale: float = 0.5"),),
            arguments=(),
            place=("contract.toml", "default = 1.0"),
            words=("the reference has 0.5",),
        ),
        seen_by=("register",),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a full check said, and what one without the stages that see the fault said."""

    line: int
    full: CheckResult
    blind: CheckResult


@pytest.fixture(scope="module")
def seen(workspace: FaultWorkspace) -> dict[str, Seen]:
    copies = {
        name: copy_operator(workspace, item.fault.operator, name, item.fault.edits) for name, item in FAULTS.items()
    }
    full = check_together(workspace, dict.fromkeys(copies.values(), ()))
    skipped = {copies[name]: ("--skip", ",".join((*item.seen_by, *LONG))) for name, item in FAULTS.items()}
    blind = check_together(workspace, skipped)
    return {
        name: Seen(line=workspace.line(copy, *FAULTS[name].fault.place), full=full[copy], blind=blind[copy])
        for name, copy in copies.items()
    }


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_quiet_fault_is_told_by_its_own_stage(seen: dict[str, Seen], name: str) -> None:
    item, result = FAULTS[name], seen[name].full

    assert_told(item.fault, result, seen[name].line)
    bad = [stage["id"] for stage in result.operator["stages"] if stage["state"] == "bad"]
    assert bad[0] == item.fault.stage
    assert set(bad) <= set(item.seen_by)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_quiet_fault_passes_where_its_stages_are_left_out(seen: dict[str, Seen], name: str) -> None:
    result = seen[name].blind

    assert result.verdict == "good", result.operator["findings"]
    assert {stage["id"] for stage in result.operator["stages"]}.isdisjoint(FAULTS[name].seen_by)
    assert {stage["state"] for stage in result.operator["stages"]} <= {"good", "skipped"}


def test_that_a_race_is_found_every_time(workspace: FaultWorkspace) -> None:
    copies = [copy_operator(workspace, "mean_square", f"race {turn}", SHARED) for turn in range(RACES)]

    results = check_together(workspace, dict.fromkeys(copies, ("--only", "concurrency")))

    assert [result.state("concurrency") for result in results.values()] == ["bad"] * RACES
    assert [result.ids for result in results.values()] == [{"REG014"}] * RACES


def test_that_a_slow_stage_counts_before_its_end_for_the_same_sources_only(workspace: FaultWorkspace) -> None:
    copy = copy_operator(workspace, "mean_square", "race that is mended", SHARED)
    source = workspace.root / copy / "mean_square.cpp"
    broken = source.read_text(encoding="utf-8")
    good = (workspace.root / "mean_square" / "mean_square.cpp").read_text(encoding="utf-8")
    assert _verdicts(workspace, copy, "concurrency") == [("good", False), ("bad", True)]

    source.write_text(good + "// mended\n", encoding="utf-8")
    mended = _verdicts(workspace, copy, "value,concurrency")
    source.write_text(broken, encoding="utf-8")
    back = _verdicts(workspace, copy, "value,concurrency")

    assert mended == [("good", False), ("good", True)]
    assert back == [("bad", False), ("bad", True)]


def _verdicts(workspace: FaultWorkspace, operator: str, stages: str) -> list[tuple[str, bool]]:
    """Check an operator; return the verdicts in their order, and whether each was the last word."""
    workspace.check(operator, "--only", stages)
    journal = max((workspace.root / ".opstudio" / "runs").glob("*-check.ndjson"), key=lambda path: path.stat().st_mtime)
    events = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return [(event["verdict"], event["final"]) for event in events if event["event"] == "verdict_reached"]
