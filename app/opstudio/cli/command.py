"""What a command is, and what it may use."""

from __future__ import annotations

import argparse
import enum
from collections.abc import Callable
from dataclasses import dataclass

from opstudio.cli.terminal import Terminal
from opstudio.jobs.cancel import CancelToken


class ExitCode(enum.IntEnum):
    """What the studio tells scripts."""

    GOOD = 0
    """Done, and the answer is good."""
    BAD = 1
    """Done, and the answer is bad."""
    IMPOSSIBLE = 2
    """Could not be done."""
    CANCELLED = 130


@dataclass(frozen=True, slots=True)
class Invocation:
    """One run of a command."""

    arguments: argparse.Namespace
    terminal: Terminal
    cancel: CancelToken


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The manifest of a command. ``order`` places it in the help; what runs a workspace takes ``--trust``."""

    name: str
    help: str
    order: int
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Invocation], ExitCode]
    runs_workspace: bool = False
