"""What is said of exports, in the words of the window."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from opstudio.model.export_debugging.records import Attempt, Fate, Step, StubKind
from opstudio.model.export_request import Exporter, Route
from opstudio.qt.models.state_marks import Mark

_FATES = {
    Fate.KEPT: QT_TRANSLATE_NOOP("Export", "kept"),
    Fate.TRANSLATED: QT_TRANSLATE_NOOP("Export", "translated"),
    Fate.DECOMPOSED: QT_TRANSLATE_NOOP("Export", "decomposed"),
    Fate.MERGED: QT_TRANSLATE_NOOP("Export", "equal calls merged"),
    Fate.FOLDED: QT_TRANSLATE_NOOP("Export", "folded into a constant"),
    Fate.UNUSED: QT_TRANSLATE_NOOP("Export", "unused, left out"),
    Fate.TRACED_THROUGH: QT_TRANSLATE_NOOP("Export", "never seen: traced through"),
    Fate.LEFT_OUT: QT_TRANSLATE_NOOP("Export", "left out"),
    Fate.FAILED: QT_TRANSLATE_NOOP("Export", "the export ended here"),
    Fate.NOT_REACHED: QT_TRANSLATE_NOOP("Export", "not reached"),
}


def exporter_name(exporter: Exporter) -> str:
    """Return the name of an exporter."""
    match exporter:
        case Exporter.TORCHSCRIPT:
            return QCoreApplication.translate("Export", "TorchScript exporter")
        case Exporter.DYNAMO:
            return QCoreApplication.translate("Export", "dynamo exporter")


def route_word(route: Route) -> str:
    """Return what becomes of custom operators."""
    match route:
        case Route.CUSTOM:
            return QCoreApplication.translate("Export", "custom nodes")
        case Route.STANDARD:
            return QCoreApplication.translate("Export", "standard nodes")


def attempt_mark(attempt: Attempt, *, is_doubtful: bool = False) -> Mark:
    """Return how one export ended; ``is_doubtful`` says that a finding speaks against its file."""
    if attempt.has_file:
        if attempt.differences:
            return Mark("bad", "bad", QCoreApplication.translate("Export", "not as asked"))
        if is_doubtful:
            return Mark("warning", "warn", QCoreApplication.translate("Export", "written, with findings"))
        return Mark("good", "good", QCoreApplication.translate("Export", "written"))
    if attempt.ending:
        return Mark("bad", "bad", QCoreApplication.translate("Export", "its process ended"))
    match attempt.step:
        case Step.CAPTURE:
            return Mark("bad", "bad", QCoreApplication.translate("Export", "cannot capture the model"))
        case Step.TRANSLATE:
            return Mark("bad", "bad", QCoreApplication.translate("Export", "cannot translate an operator"))
        case Step.WRITE | Step.DONE:
            return Mark("bad", "bad", QCoreApplication.translate("Export", "cannot write the file"))


def fate_mark(fate: Fate, *, is_custom: bool) -> Mark:
    """Return what became of an operator. PyTorch's own may come apart; of custom ones that is worth a look."""
    word = QCoreApplication.translate("Export", str(_FATES[fate]))
    match fate:
        case Fate.KEPT | Fate.TRANSLATED:
            return Mark("good", "good", word)
        case Fate.FAILED | Fate.TRACED_THROUGH:
            return Mark("bad", "bad", word)
        case Fate.MERGED | Fate.FOLDED:
            return Mark("note", "text_2", word)
        case Fate.DECOMPOSED | Fate.UNUSED | Fate.LEFT_OUT:
            return Mark("warning", "warn", word) if is_custom else Mark("note", "text_2", word)
        case Fate.NOT_REACHED:
            return Mark("not_run", "text_2", word)


def stub_title(kind: StubKind) -> str:
    """Return what code to paste registers."""
    match kind:
        case StubKind.SYMBOLIC:
            return QCoreApplication.translate("Export", "Symbolic for the TorchScript exporter")
        case StubKind.TRANSLATION:
            return QCoreApplication.translate("Export", "Translation for the dynamo exporter")
        case StubKind.FAKE:
            return QCoreApplication.translate("Export", "Meta (fake) kernel")
        case StubKind.OPERATOR:
            return QCoreApplication.translate("Export", "Operator around a function")


def nodes_text(count: int) -> str:
    """Return how many nodes there are."""
    if count == 1:
        return QCoreApplication.translate("Export", "1 node")
    return QCoreApplication.translate("Export", "{0} nodes").format(f"{count:,}")


def step_text(step: str) -> str:
    """Return what an explanation is at: an exporter, or what comes before."""
    if step in {exporter.value for exporter in Exporter}:
        return QCoreApplication.translate("Export", "Exporting with the {0}").format(exporter_name(Exporter(step)))
    return QCoreApplication.translate("Export", "Building the operators")
