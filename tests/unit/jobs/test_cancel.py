"""Cancellation."""

from __future__ import annotations

import threading
import time

import pytest

from opstudio.base.errors import CancelledError
from opstudio.jobs.cancel import CancelToken


def test_that_a_fresh_token_lets_work_go_on() -> None:
    token = CancelToken()

    token.check()
    assert (token.is_cancelled, token.wait(0.001)) == (False, False)


def test_that_a_cancelled_token_ends_the_work_with_its_reason() -> None:
    token = CancelToken()
    token.cancel("a newer save")

    assert (token.is_cancelled, token.reason) == (True, "a newer save")
    with pytest.raises(CancelledError, match="a newer save"):
        token.check()


def test_that_sleeping_work_is_woken_at_once() -> None:
    token = CancelToken()
    threading.Timer(0.02, token.cancel).start()
    start = time.monotonic()

    assert token.wait(30.0)
    assert time.monotonic() - start < 5.0


def test_that_the_first_reason_stays() -> None:
    token = CancelToken()
    token.cancel("superseded by a newer request")
    token.cancel("the studio is closing")

    assert token.reason == "superseded by a newer request"
