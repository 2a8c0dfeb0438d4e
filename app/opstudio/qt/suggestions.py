"""What the welcome page offers to try."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.qt.welcome import Suggestion


def first_suggestions(
    *, break_kernel: Callable[[], None], new_operator: Callable[[], None], show_evidence: Callable[[], None]
) -> tuple[Suggestion, ...]:
    """Return three things to try in a workspace that has operators."""
    return (
        Suggestion(
            icon="kernels",
            title=str(QT_TRANSLATE_NOOP("Welcome", "Break a kernel")),
            text=str(
                QT_TRANSLATE_NOOP(
                    "Welcome",
                    "Change a number in a kernel and save. Within a second the verdict turns bad and names the line; "
                    "undo, save, and it is good again.",
                )
            ),
            button=str(QT_TRANSLATE_NOOP("Welcome", "Open the kernel")),
            run=break_kernel,
        ),
        Suggestion(
            icon="evidence",
            title=str(QT_TRANSLATE_NOOP("Welcome", "Ask a verdict for its reasons")),
            text=str(
                QT_TRANSLATE_NOOP(
                    "Welcome",
                    "Every chip above the editor is a stage. A click shows what it measured: shapes side by side, the "
                    "worst elements with their inputs, the commands to copy.",
                )
            ),
            button=str(QT_TRANSLATE_NOOP("Welcome", "Show the evidence")),
            run=show_evidence,
        ),
        Suggestion(
            icon="add",
            title=str(QT_TRANSLATE_NOOP("Welcome", "Start an operator of your own")),
            text=str(
                QT_TRANSLATE_NOOP(
                    "Welcome",
                    "A template builds and passes at once: contract, kernel, reference. Make it yours step by step, "
                    "and watch the chips.",
                )
            ),
            button=str(QT_TRANSLATE_NOOP("Welcome", "New operator…")),
            run=new_operator,
        ),
    )


def start_suggestions(
    *, try_bundled: Callable[[], None], make_workspace: Callable[[], None], open_workspace: Callable[[], None]
) -> tuple[Suggestion, ...]:
    """Return three ways to begin without a workspace."""
    return (
        Suggestion(
            icon="kernels",
            title=str(QT_TRANSLATE_NOOP("Welcome", "Try the bundled operators")),
            text=str(
                QT_TRANSLATE_NOOP(
                    "Welcome",
                    "Six operators with kernel, gradient, reference and model, to read, to break and to copy from.",
                )
            ),
            button=str(QT_TRANSLATE_NOOP("Welcome", "Open them")),
            run=try_bundled,
        ),
        Suggestion(
            icon="folder",
            title=str(QT_TRANSLATE_NOOP("Welcome", "Open a workspace")),
            text=str(
                QT_TRANSLATE_NOOP(
                    "Welcome", "A folder with opstudio.toml, yours or a colleague's. What is there can be read."
                )
            ),
            button=str(QT_TRANSLATE_NOOP("Welcome", "Choose a folder…")),
            run=open_workspace,
        ),
        Suggestion(
            icon="add",
            title=str(QT_TRANSLATE_NOOP("Welcome", "Make a workspace")),
            text=str(
                QT_TRANSLATE_NOOP(
                    "Welcome", "A folder for operators of your own; a template gives the first one in a second."
                )
            ),
            button=str(QT_TRANSLATE_NOOP("Welcome", "Choose a folder…")),
            run=make_workspace,
        ),
    )
