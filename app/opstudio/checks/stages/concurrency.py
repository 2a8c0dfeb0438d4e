"""Calls that run at the same time return what they return one after another.

Several threads call the PyTorch operator on their own inputs; then two sessions that share the operator library do.
A kernel that keeps scratch data in a global or static variable mixes the results.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from opstudio.checks.cases import Case, make_case
from opstudio.checks.check import Check, Pace
from opstudio.checks.node_model import one_node_model, open_session, run_session
from opstudio.checks.results import CallError, plain_message
from opstudio.checks.stages.load import applies as loads
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Sample

_THREADS = 4
_BUDGET_SECONDS = 0.6
_MOST_CALLS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcurrencyResult:
    """One kind of caller: how many calls were made, and how many returned something else than in a row."""

    caller: str
    calls: int
    mismatches: int
    error: CallError | None = None

    @property
    def good(self) -> bool:
        """Whether no call noticed the others."""
        return self.error is None and self.mismatches == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcurrencyEvidence:
    """All kinds of callers."""

    sample: str
    threads: int
    callers: tuple[ConcurrencyResult, ...]

    @property
    def good(self) -> bool:
        """Whether no caller noticed another."""
        return all(caller.good for caller in self.callers)

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{sum(caller.calls for caller in self.callers)} calls at the same time"


def run(subject: Subject) -> ConcurrencyEvidence:
    """Run threads of both frameworks on the largest sample."""
    contract = subject.contract
    sample = max(contract.samples, key=lambda sample: sample.element_count)
    cases = [_own_case(subject, sample, index) for index in range(_THREADS)]
    subject.set_guards(False, False)
    try:
        callers = [_race("PyTorch operator", [_operator_call(subject, case) for case in cases], subject)]
        if not loads(contract):
            calls = [_session_call(subject, case) for case in cases[:2]]
            callers.append(_race("two ONNX Runtime sessions", calls, subject))
    finally:
        subject.set_guards(True, False)
    return ConcurrencyEvidence(sample=sample.name, threads=_THREADS, callers=tuple(callers))


def _own_case(subject: Subject, sample: Sample, index: int) -> Case:
    """Return a case whose values differ from those of the other threads."""
    named = Sample(name=f"{sample.name}/{index}", shapes=sample.shapes, attributes=sample.attributes)
    return make_case(subject.contract, named, sample.shapes, next(subject.contract.type_combinations()))


def _operator_call(subject: Subject, case: Case) -> Callable[[], tuple[Any, ...]]:
    return lambda: subject.call(case)


def _session_call(subject: Subject, case: Case) -> Callable[[], tuple[Any, ...]]:
    shapes = {name: tuple(tuple(tensor.shape) for tensor in group) for name, group in case.inputs.items()}
    model = one_node_model(subject.contract, case.types, shapes, case.attributes)
    session = open_session(model, subject.library, threads=2)
    return lambda: run_session(session, case)


def _race(caller: str, calls: list[Callable[[], tuple[Any, ...]]], subject: Subject) -> ConcurrencyResult:
    """Run each call in a row first, then all of them at the same time, again and again."""
    try:
        alone = [call() for call in calls]
    except Exception as error:  # noqa: BLE001 - evidence
        return ConcurrencyResult(caller=caller, calls=0, mismatches=0, error=CallError(message=plain_message(error)))
    tally = _Tally()
    deadline = time.perf_counter() + _BUDGET_SECONDS

    def work(index: int) -> None:
        for _ in range(_MOST_CALLS):
            if time.perf_counter() > deadline:
                return
            try:
                results = calls[index]()
            except Exception as error:  # noqa: BLE001 - evidence
                tally.fail(plain_message(error))
                return
            same = all(_equal_bits(a, b) for a, b in zip(results, alone[index], strict=True))
            tally.count(same=same)
            subject.progress("concurrency", caller)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failure = CallError(message=tally.error) if tally.error else None
    return ConcurrencyResult(caller=caller, calls=tally.calls, mismatches=tally.mismatches, error=failure)


class _Tally:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.calls = 0
        self.mismatches = 0
        self.error = ""

    def count(self, *, same: bool) -> None:
        with self._lock:
            self.calls += 1
            self.mismatches += not same

    def fail(self, message: str) -> None:
        with self._lock:
            self.error = self.error or message


def _equal_bits(first: Any, second: Any) -> bool:
    import torch

    if first.shape != second.shape:
        return False
    return bool(torch.equal(first.view(-1).view(torch.uint8), second.view(-1).view(torch.uint8)))


CHECK = Check(
    id="concurrency",
    title="Concurrency",
    order=150,
    pace=Pace.SLOW,
    evidence=ConcurrencyEvidence,
    run=run,
    needs=("value",),
    quiet_seconds=10.0,
)
