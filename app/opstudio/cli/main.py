"""The entry point: parses the command line, runs a command, turns errors into exit codes."""

from __future__ import annotations

import argparse
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from opstudio import __version__
from opstudio.base.codec import to_json
from opstudio.base.discovery import discover
from opstudio.base.errors import CancelledError, StudioError, bug_finding
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import Terminal
from opstudio.jobs.cancel import CancelToken


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    cancel = CancelToken()
    _cancel_on_interrupt(cancel)
    commands = find_commands()
    parser = build_parser(commands)
    given = list(sys.argv[1:] if arguments is None else arguments)
    parsed = parser.parse_args(given)
    if parsed.verb is None:
        parsed = parser.parse_args([*given, "gui"])
    terminal = Terminal(as_json=getattr(parsed, "json", False))
    command = next(command for command in commands if command.name == parsed.verb)
    try:
        cancel.check()
        return int(command.run(Invocation(parsed, terminal, cancel)))
    except (CancelledError, KeyboardInterrupt):
        terminal.err.print("cancelled")
        return int(ExitCode.CANCELLED)
    except StudioError as error:
        terminal.show_findings(error.findings, on_errors=True)
        terminal.document(parsed.verb, {"error": True, "findings": [to_json(item) for item in error.findings]})
        return int(ExitCode.IMPOSSIBLE)
    except BrokenPipeError:
        # The reader (head, less) has seen enough.
        sys.stderr.close()
        return int(ExitCode.GOOD)
    except Exception as error:  # noqa: BLE001 - a bug of the studio is told as one, whatever it is
        finding = bug_finding(error)
        traceback.print_exc()
        terminal.show_findings([finding], on_errors=True)
        terminal.document(parsed.verb, {"error": True, "findings": [to_json(finding)]})
        return int(ExitCode.IMPOSSIBLE)


def find_commands() -> tuple[Command, ...]:
    """Return all commands in the order of the help."""
    found = discover("opstudio.cli.commands", "COMMAND", Command)
    assert not found.broken, found.broken
    return tuple(sorted(found.manifests, key=lambda command: command.order))


def build_parser(commands: Sequence[Command]) -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="opstudio",
        description="A studio for custom operators: PyTorch, ONNX, ONNX Runtime and Ascend C from one contract.",
        epilog="Without a verb the window opens. Exit codes: 0 good, 1 bad, 2 could not be done, 130 cancelled.",
    )
    parser.add_argument("--version", action="version", version=f"opstudio {__version__}")
    parser.add_argument(
        "-C", dest="workspace", metavar="DIR", type=Path, default=Path(), help="the workspace (default: here)"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    for command in commands:
        verb = verbs.add_parser(command.name, help=command.help, description=command.help)
        verb.add_argument(
            "-C", dest="workspace", metavar="DIR", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
        verb.add_argument("--json", action="store_true", help="print one JSON document on standard output")
        command.add_arguments(verb)
    return parser


def _cancel_on_interrupt(cancel: CancelToken) -> None:
    """Let Ctrl-C end the work in an orderly way; a second one ends the studio at once."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if cancel.is_cancelled:
            raise KeyboardInterrupt
        cancel.cancel("interrupted")

    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, interrupt)
