"""Builds that several checks need: once for all of them, going on without them, told to whoever waits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from opstudio.base.errors import CancelledError
from opstudio.build.records import BuildRecord, BuildResult
from opstudio.jobs.cancel import CancelToken
from opstudio.workflows.support_builds import BUILDING_HOSTS, WAITING_FOR_HOSTS, SharedBuilds, SupportBuilds

RESULT = BuildResult(
    BuildRecord(
        backend="torch_host",
        succeeded=True,
        cached=False,
        seconds=1.0,
        commands=(),
        diagnostics=(),
        output="",
        artifact="a",
    ),
    None,
)
LIMIT_SECONDS = 20.0


class Build:
    """A build that goes on until it is told to end."""

    def __init__(self) -> None:
        self.runs = 0
        self.began, self.may_end = threading.Event(), threading.Event()
        self.was_cancelled = False
        self.write: Callable[[str], None] = print

    def __call__(self, closing: CancelToken, write: Callable[[str], None]) -> BuildResult:
        self.runs += 1
        self.write = write
        write("begin\n")
        self.began.set()
        while not self.may_end.wait(0.01):
            if closing.is_cancelled:
                self.was_cancelled = True
                closing.check()
        write("end\n")
        return RESULT


class Verb:
    """Somebody who needs the build, on a thread of its own."""

    def __init__(self, shared: SharedBuilds, build: Build) -> None:
        self.cancel = CancelToken()
        self.output: list[str] = []
        self.waits = 0
        self.outcome: BuildResult | BaseException | None = None
        self._shared, self._build = shared, build
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _wait(self) -> None:
        self.waits += 1

    def _run(self) -> None:
        try:
            self.outcome = self._shared.run(
                "torch_host", self._build, self.cancel, on_output=self.output.append, on_wait=self._wait
            )
        except CancelledError as error:
            self.outcome = error

    def end(self) -> BuildResult | BaseException | None:
        self.thread.join(LIMIT_SECONDS)
        assert not self.thread.is_alive()
        return self.outcome


@pytest.fixture
def shared() -> Iterator[SharedBuilds]:
    made = SharedBuilds()
    yield made
    made.close()


def test_that_what_several_need_is_built_once_and_all_get_it(shared: SharedBuilds) -> None:
    build = Build()
    first = Verb(shared, build)
    assert build.began.wait(LIMIT_SECONDS)
    others = [Verb(shared, build) for _ in range(3)]
    build.may_end.set()
    assert [verb.end() for verb in (first, *others)] == [RESULT] * 4
    assert build.runs == 1
    assert first.waits == 0


def test_that_the_build_goes_on_when_who_began_it_is_cancelled_and_the_next_one_waits(shared: SharedBuilds) -> None:
    build = Build()
    first = Verb(shared, build)
    assert build.began.wait(LIMIT_SECONDS)
    first.cancel.cancel("saved again")
    assert isinstance(first.end(), CancelledError)
    second = Verb(shared, build)
    build.write("between\n")
    build.may_end.set()
    assert second.end() is RESULT
    assert (build.runs, second.waits, build.was_cancelled) == (1, 1, False)
    # Each piece is told once: what the first one heard is not said again, what came since is.
    assert first.output + second.output == ["begin\n", "between\n", "end\n"]
    assert second.output[-1] == "end\n"


def test_that_the_next_one_builds_again_once_the_first_is_done(shared: SharedBuilds) -> None:
    build = Build()
    build.may_end.set()
    assert [Verb(shared, build).end() for _ in range(2)] == [RESULT, RESULT]
    assert build.runs == 2


def test_that_closing_ends_what_is_still_built() -> None:
    shared, build = SharedBuilds(), Build()
    verb = Verb(shared, build)
    assert build.began.wait(LIMIT_SECONDS)
    shared.close()
    assert build.was_cancelled
    assert isinstance(verb.end(), CancelledError)


def test_that_a_row_of_libraries_is_told_once_and_waiting_in_other_words() -> None:
    told: list[str] = []
    support = SupportBuilds(told.append)
    for _ in range(3):
        with support.building() as library:
            library.begin()
    assert told == [BUILDING_HOSTS]
    with support.building() as library:
        library.wait()
    assert told == [BUILDING_HOSTS, WAITING_FOR_HOSTS]
    with support.building():
        pass  # it is there
    assert told == [BUILDING_HOSTS, WAITING_FOR_HOSTS]
    support.summarize()
    assert told[-1].startswith("built the hosts in")


def test_that_nothing_is_told_where_all_libraries_are_there() -> None:
    told: list[str] = []
    support = SupportBuilds(told.append)
    with support.building():
        pass
    support.summarize()
    assert told == []
