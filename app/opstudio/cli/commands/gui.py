"""``opstudio gui``: the window."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.studio import trust_workspace
from opstudio.workspace.folder import Workspace, open_workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("folder", nargs="?", type=Path, metavar="WORKSPACE", help="the workspace (default: here)")
    parser.add_argument(
        "--open",
        dest="open_file",
        type=Path,
        metavar="FILE",
        help="open this file: a model in its graph, any other in the editor",
    )
    parser.add_argument("--theme", choices=("system", "light", "dark"), help="how the window looks")
    parser.add_argument("--language", choices=("system", "en", "zh_CN"), help="the language of the window")
    parser.add_argument("--reset-layout", action="store_true", help="put all panels where they stand first")
    parser.add_argument("--size", type=_size, metavar="WxH", help="the size of the window, for example 1600x1000")
    parser.add_argument(
        "--screenshot",
        type=Path,
        metavar="FILE.png",
        help="save a picture of the window once every operator has its verdict, and end",
    )


def run(invocation: Invocation) -> ExitCode:
    """Show the window until it is closed."""
    from opstudio.qt.display import require_display

    arguments = invocation.arguments
    workspace = _workspace(arguments.folder or arguments.workspace)
    require_display()
    trust = trust_workspace(invocation, workspace) if arguments.trust and workspace is not None else None
    from opstudio.qt.application import WindowOptions, run_window

    options = WindowOptions(
        open_file=arguments.open_file,
        screenshot=arguments.screenshot,
        theme=arguments.theme,
        language=arguments.language,
        size=arguments.size,
        reset_layout=arguments.reset_layout,
        trust=trust,
    )
    run_window(workspace, options, invocation.cancel)
    picture = None if arguments.screenshot is None else str(arguments.screenshot)
    root = None if workspace is None else str(workspace.root)
    invocation.terminal.document("gui", {"workspace": root, "screenshot": picture})
    return ExitCode.GOOD


def _workspace(folder: Path) -> Workspace | None:
    """Return the workspace; where nobody named one and there is none here, the window offers some.

    Raises:
        InputError: what was named is no workspace.
    """
    try:
        return open_workspace(folder)
    except InputError:
        if folder == Path():
            return None
        raise


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{3,4})[x×](\d{3,4})", text)
    if match is None:
        message = f"{text!r} is not a size such as 1600x1000"
        raise argparse.ArgumentTypeError(message)
    return int(match[1]), int(match[2])


COMMAND = Command(
    name="gui",
    help="the window: operators, editor, pipeline, findings",
    order=10,
    add_arguments=add_arguments,
    run=run,
    runs_workspace=True,
)
