"""The entry point: parses the command line, runs a command, turns errors into exit codes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from opstudio import __version__
from opstudio.base.codec import to_json
from opstudio.base.discovery import discover
from opstudio.base.errors import CancelledError, InputError, SetupError, StudioError, bug_finding
from opstudio.base.finding import Finding
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.output import Output, OutputGoneError, silence, tell
from opstudio.cli.terminal import Terminal, plain
from opstudio.jobs.cancel import CancelToken


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except OutputGoneError as gone:
        silence()
        if gone.reason:
            tell(f"opstudio: nothing can be printed: {gone.reason}")
        return int(ExitCode.IMPOSSIBLE)
    except KeyboardInterrupt:
        tell("cancelled")
        return int(ExitCode.CANCELLED)


class _UsageError(Exception):
    """The arguments are wrong; the message is argparse's, with the usage above it."""


class _Parser(argparse.ArgumentParser):
    """A parser that leaves it to its caller how a mistake is told."""

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{self.format_usage()}{self.prog}: error: {message}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help; argparse itself passes over what cannot be written."""
        output = Output(file or sys.stderr)
        output.write(message)
        output.flush()


def _run(given: list[str]) -> int:
    """Parse the arguments and run the command.

    Raises:
        OutputGoneError: what it prints cannot be written.
    """
    cancel = CancelToken()
    _cancel_on_interrupt(cancel)
    commands = find_commands()
    verb = next((word for word in given if any(word == command.name for command in commands)), "gui")
    _require_streams(has_window=verb == "gui" and not {"-h", "--help", "--version", "--json"} & set(given))
    terminal = Terminal(as_json="--json" in given)
    try:
        parsed = _parse(commands, given)
        verb, terminal = parsed.verb, Terminal(as_json=parsed.json)
        cancel.check()
        _require_folder(parsed.workspace)
        command = next(command for command in commands if command.name == verb)
        return int(command.run(Invocation(parsed, terminal, cancel)))
    except (CancelledError, KeyboardInterrupt):
        terminal.err.print("cancelled")
        terminal.document(verb, {"cancelled": True})
        return int(ExitCode.CANCELLED)
    except _UsageError as error:
        terminal.err.print(plain(str(error)))
        return _give_up(terminal, verb, _usage_error(error).findings)
    except StudioError as error:
        terminal.show_findings(error.findings, on_errors=True)
        return _give_up(terminal, verb, error.findings)
    except OutputGoneError:
        raise
    except Exception as error:  # noqa: BLE001 - a bug of the studio is told as one, whatever it is
        finding = bug_finding(error)
        traceback.print_exc()
        terminal.show_findings([finding], on_errors=True)
        return _give_up(terminal, verb, (finding,))


def _parse(commands: Sequence[Command], given: list[str]) -> argparse.Namespace:
    parser = build_parser(commands)
    parsed = parser.parse_args(given)
    return parsed if parsed.verb is not None else parser.parse_args([*given, "gui"])


def _usage_error(error: _UsageError) -> InputError:
    usage, _, message = str(error).rpartition(": error: ")
    return InputError.of(
        "The arguments are wrong", cause=message, fix=f"See {usage.split()[-1]} --help", stage="arguments"
    )


def _give_up(terminal: Terminal, verb: str, findings: Sequence[Finding]) -> int:
    terminal.document(verb, {"error": True, "findings": [to_json(finding) for finding in findings]})
    return int(ExitCode.IMPOSSIBLE)


def _require_folder(workspace: Path) -> None:
    """Make sure that the current folder is there, where paths are told from it.

    Raises:
        SetupError: it was removed while the shell stood in it.
    """
    if workspace.is_absolute():
        return
    try:
        Path.cwd()
    except FileNotFoundError as error:
        raise SetupError.of(
            "The current folder is gone",
            cause="it was removed or replaced while the shell stood in it",
            fix="Change to a folder that is there, or name the workspace: -C DIR",
        ) from error


def _require_streams(*, has_window: bool) -> None:
    """Make sure that there is something to print to; a window needs none.

    Raises:
        OutputGoneError: standard output is closed.
    """
    # Python's names for closed streams are None, whatever their types say.
    if sys.stdout is None and not has_window:
        raise OutputGoneError("standard output is closed")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for as long as we run


def find_commands() -> tuple[Command, ...]:
    """Return all commands in the order of the help."""
    found = discover("opstudio.cli.commands", "COMMAND", Command)
    assert not found.broken, found.broken
    return tuple(sorted(found.manifests, key=lambda command: command.order))


def build_parser(commands: Sequence[Command]) -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
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
        if command.runs_workspace:
            verb.add_argument("--trust", action="store_true", help="trust the workspace from now on, without asking")
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
