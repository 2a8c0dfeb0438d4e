from __future__ import annotations

from opstudio.jobs.events import JobOutcome, StageState, Verdict
from opstudio.qt.models.operator_view import Activity, OperatorView, StageView, begin, end, recall, request, take
from opstudio.workspace.result_store import StageResult
from tests.qt.events import a_finding, bad_stage, finished, stage_finished, stage_started, verdict


def after_good_run() -> OperatorView:
    view = begin(OperatorView(name="op"))
    for stage in ("build", "value"):
        view = take(view, stage_finished(stage))
    return end(take(view, verdict(seconds=0.4)), finished())


def test_that_the_last_result_stays_while_a_new_run_is_under_way() -> None:
    view = take(begin(after_good_run()), stage_started("build"))
    assert (view.verdict, view.has_verdict) == (Verdict.GOOD, False)
    assert view.stages["value"].state is StageState.GOOD
    assert view.stages["value"].stale
    assert view.running_stage is not None
    assert view.running_stage.stage == "build"


def test_that_a_stage_is_of_the_present_run_once_it_ended() -> None:
    view = take(begin(after_good_run()), bad_stage("build"))
    assert not view.stages["build"].stale
    assert view.stages["value"].stale


def test_that_the_time_to_the_verdict_is_that_of_the_first_one() -> None:
    view = begin(OperatorView(name="op"))
    view = take(view, verdict(seconds=0.4, final=False))
    view = take(view, verdict(Verdict.BAD, seconds=9.0, final=True))
    assert (view.verdict, view.seconds, view.is_final) == (Verdict.BAD, 0.4, True)


def test_that_a_cancelled_stage_keeps_its_earlier_result() -> None:
    view = take(begin(after_good_run()), stage_started("value"))
    view = end(view, finished(JobOutcome.CANCELLED))
    assert view.activity is Activity.IDLE
    assert view.is_cancelled
    assert view.stages["value"].state is StageState.GOOD
    assert view.running_stage is None


def test_that_a_stage_that_never_ended_is_forgotten() -> None:
    view = take(begin(OperatorView(name="op")), stage_started("build"))
    assert dict(end(view, finished(JobOutcome.CANCELLED)).stages) == {}


def test_that_a_check_that_could_not_be_done_says_why() -> None:
    problem = a_finding("STU003", line=None)
    view = end(begin(OperatorView(name="op")), finished(JobOutcome.FAILED, problem))
    assert view.problems == (problem,)
    assert view.first_id == "STU003"
    assert take(begin(view), stage_finished("build")).problems == ()


def test_that_findings_come_in_the_order_of_the_stages() -> None:
    view = begin(OperatorView(name="op"))
    for stage, finding in (("gradient", "REG007"), ("value", "NUM012")):
        view = take(view, bad_stage(stage, a_finding(finding)))
    assert [shown.finding.id for shown in view.findings(("build", "value", "gradient"))] == ["NUM012", "REG007"]


def test_that_a_request_does_not_hide_that_a_check_runs() -> None:
    assert request(OperatorView(name="op")).activity is Activity.WAITING
    assert request(begin(OperatorView(name="op"))).activity is Activity.RUNNING


def test_that_results_of_earlier_sessions_never_replace_those_of_this_one() -> None:
    known = StageResult(
        operator="op",
        stage="value",
        key="k",
        state=StageState.BAD,
        seconds=1.0,
        at=0.0,
        summary="",
        findings=(),
        evidence=None,
    )
    assert recall(OperatorView(name="op"), [known]).stages["value"] == StageView(
        stage="value", state=StageState.BAD, seconds=1.0, cached=True, stale=True
    )
    assert recall(after_good_run(), [known]) == after_good_run()
