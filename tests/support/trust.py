"""Trust in the workspaces of tests: recorded as it is for people, in a state folder that is not theirs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opstudio.workspace.trust import Trust

VARIABLE = "XDG_STATE_HOME"
_MARK = "of-tests"


@contextmanager
def state_of_tests(folder: Path) -> Iterator[Path]:
    """Keep what this process, and all that it starts, trusts below ``folder``."""
    before = os.environ.get(VARIABLE)
    state = folder / _MARK
    os.environ[VARIABLE] = str(state)
    try:
        yield state
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def trust(root: Path) -> None:
    """Trust a workspace that a test made; the user's own record stays as it is."""
    assert Path(os.environ.get(VARIABLE, "")).name == _MARK, "not inside of state_of_tests()"
    Trust.of_user().grant(root)
