"""``opstudio watch``: the loop at every save, in the terminal."""

from __future__ import annotations

import argparse
import queue
import time
from datetime import UTC, datetime
from pathlib import Path

from opstudio.base.errors import SetupError
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.operators import choose_operators
from opstudio.cli.progress import LoopPrinter
from opstudio.cli.studio import open_studio
from opstudio.cli.terminal import plain
from opstudio.jobs.events import JobEvent, event_to_json
from opstudio.workspace.folder import open_workspace

_POLL_SECONDS = 0.2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("operators", nargs="*", metavar="OP", help="names of operators (default: all)")
    parser.add_argument("--skip", metavar="STAGE,…", default="", help="leave these stages out")
    parser.add_argument("--only", metavar="STAGE,…", default="", help="only these stages, and the build")


def run(invocation: Invocation) -> ExitCode:
    """Check at every save until interrupted; with ``--json`` each event is a line."""
    from opstudio.jobs.journal import Journal
    from opstudio.workflows.check import CheckOptions
    from opstudio.workflows.watch import LiveLoop

    arguments, terminal = invocation.arguments, invocation.terminal
    workspace = open_workspace(arguments.workspace)
    if arguments.operators:
        choose_operators(workspace, arguments.operators, everything=False, stage="watch")
    options = CheckOptions.of(only=arguments.only, skip=arguments.skip)
    # Events come on the loop's thread; they are printed on this one.
    events: queue.SimpleQueue[JobEvent] = queue.SimpleQueue()
    printer = LoopPrinter(terminal)
    stamp = datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%S")
    with open_studio(invocation, workspace, warm=True) as studio:
        journal = Journal(workspace.state / "runs" / f"{stamp}-{time.time_ns() % 10**6:06d}-watch.ndjson")
        loop = LiveLoop(studio, events.put, operators=arguments.operators, options=options)
        terminal.out.print(f"[dim]watching {plain(str(workspace.root))}; Ctrl-C ends[/]", soft_wrap=True)
        loop.start()
        identity = _identity(workspace.root)
        try:
            while not invocation.cancel.is_cancelled:
                if _identity(workspace.root) != identity:
                    raise SetupError.of(
                        "The workspace is gone",
                        cause=f"{workspace.root} was removed, moved or replaced while it was watched",
                        fix="Watch it again where it is now",
                    )
                try:
                    event = events.get(timeout=_POLL_SECONDS)
                except queue.Empty:
                    continue
                journal.write(event)
                printer.show(event)
                if terminal.as_json:
                    terminal.line({"schema": "opstudio/watch/1", **event_to_json(event)})
        finally:
            printer.close()
            loop.close()
            journal.close()
    return ExitCode.CANCELLED


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return which folder stands at a path; ``None`` where none does."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


COMMAND = Command(
    name="watch",
    help="the loop at every save: the verdict within a second",
    order=45,
    add_arguments=add_arguments,
    run=run,
    runs_workspace=True,
)
