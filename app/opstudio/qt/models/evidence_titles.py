"""What stands over sections and columns of evidence, and the words among its values, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.qt.models.core_texts import Phrases

_TITLES = (
    QT_TRANSLATE_NOOP("Evidence", "Calls"),
    QT_TRANSLATE_NOOP("Evidence", "Cases"),
    QT_TRANSLATE_NOOP("Evidence", "Command lines"),
    QT_TRANSLATE_NOOP("Evidence", "Defaults"),
    QT_TRANSLATE_NOOP("Evidence", "Defined instead"),
    QT_TRANSLATE_NOOP("Evidence", "Dispatcher entries"),
    QT_TRANSLATE_NOOP("Evidence", "Errors"),
    QT_TRANSLATE_NOOP("Evidence", "Levels"),
    QT_TRANSLATE_NOOP("Evidence", "Library"),
    QT_TRANSLATE_NOOP("Evidence", "Messages"),
    QT_TRANSLATE_NOOP("Evidence", "Published"),
    QT_TRANSLATE_NOOP("Evidence", "Reports"),
    QT_TRANSLATE_NOOP("Evidence", "Run below autograd, in place of the operator"),
    QT_TRANSLATE_NOOP("Evidence", "Runs"),
    QT_TRANSLATE_NOOP("Evidence", "Schema"),
    QT_TRANSLATE_NOOP("Evidence", "Second witness"),
    QT_TRANSLATE_NOOP("Evidence", "Sessions"),
    QT_TRANSLATE_NOOP("Evidence", "Shapes side by side"),
    QT_TRANSLATE_NOOP("Evidence", "Tests"),
    QT_TRANSLATE_NOOP("Evidence", "The model of each session"),
    QT_TRANSLATE_NOOP("Evidence", "Timings"),
    QT_TRANSLATE_NOOP("Evidence", "Tolerances"),
    QT_TRANSLATE_NOOP("Evidence", "What it is checked with"),
    QT_TRANSLATE_NOOP("Evidence", "What the tools printed"),
    QT_TRANSLATE_NOOP("Evidence", "What was timed"),
    QT_TRANSLATE_NOOP("Evidence", "Worst elements"),
    QT_TRANSLATE_NOOP("Evidence", "absolute"),
    QT_TRANSLATE_NOOP("Evidence", "allowed"),
    QT_TRANSLATE_NOOP("Evidence", "artifact"),
    QT_TRANSLATE_NOOP("Evidence", "attribute"),
    QT_TRANSLATE_NOOP("Evidence", "attributes"),
    QT_TRANSLATE_NOOP("Evidence", "case"),
    QT_TRANSLATE_NOOP("Evidence", "compiled in"),
    QT_TRANSLATE_NOOP("Evidence", "contender"),
    QT_TRANSLATE_NOOP("Evidence", "custom nodes"),
    QT_TRANSLATE_NOOP("Evidence", "differ"),
    QT_TRANSLATE_NOOP("Evidence", "dispatch key"),
    QT_TRANSLATE_NOOP("Evidence", "domain"),
    QT_TRANSLATE_NOOP("Evidence", "element"),
    QT_TRANSLATE_NOOP("Evidence", "elements"),
    QT_TRANSLATE_NOOP("Evidence", "error"),
    QT_TRANSLATE_NOOP("Evidence", "expected"),
    QT_TRANSLATE_NOOP("Evidence", "file"),
    QT_TRANSLATE_NOOP("Evidence", "got"),
    QT_TRANSLATE_NOOP("Evidence", "inputs"),
    QT_TRANSLATE_NOOP("Evidence", "inputs there"),
    QT_TRANSLATE_NOOP("Evidence", "kind"),
    QT_TRANSLATE_NOOP("Evidence", "largest"),
    QT_TRANSLATE_NOOP("Evidence", "level"),
    QT_TRANSLATE_NOOP("Evidence", "library"),
    QT_TRANSLATE_NOOP("Evidence", "median"),
    QT_TRANSLATE_NOOP("Evidence", "name"),
    QT_TRANSLATE_NOOP("Evidence", "of tolerance"),
    QT_TRANSLATE_NOOP("Evidence", "operator"),
    QT_TRANSLATE_NOOP("Evidence", "outcome"),
    QT_TRANSLATE_NOOP("Evidence", "outputs"),
    QT_TRANSLATE_NOOP("Evidence", "peak memory"),
    QT_TRANSLATE_NOOP("Evidence", "place"),
    QT_TRANSLATE_NOOP("Evidence", "providers"),
    QT_TRANSLATE_NOOP("Evidence", "real"),
    QT_TRANSLATE_NOOP("Evidence", "reference"),
    QT_TRANSLATE_NOOP("Evidence", "relative"),
    QT_TRANSLATE_NOOP("Evidence", "sample"),
    QT_TRANSLATE_NOOP("Evidence", "size"),
    QT_TRANSLATE_NOOP("Evidence", "symbol"),
    QT_TRANSLATE_NOOP("Evidence", "type"),
    QT_TRANSLATE_NOOP("Evidence", "types"),
    QT_TRANSLATE_NOOP("Evidence", "value"),
    QT_TRANSLATE_NOOP("Evidence", "version"),
    QT_TRANSLATE_NOOP("Evidence", "Largest errors"),
    QT_TRANSLATE_NOOP("Evidence", "The operator alone, of standard nodes"),
    QT_TRANSLATE_NOOP("Evidence", "backward kernel"),
    QT_TRANSLATE_NOOP("Evidence", "beside"),
    QT_TRANSLATE_NOOP("Evidence", "caller"),
    QT_TRANSLATE_NOOP("Evidence", "calls"),
    QT_TRANSLATE_NOOP("Evidence", "changed inputs"),
    QT_TRANSLATE_NOOP("Evidence", "contract"),
    QT_TRANSLATE_NOOP("Evidence", "disagrees at"),
    QT_TRANSLATE_NOOP("Evidence", "in"),
    QT_TRANSLATE_NOOP("Evidence", "inferred"),
    QT_TRANSLATE_NOOP("Evidence", "kernel of its own"),
    QT_TRANSLATE_NOOP("Evidence", "layer"),
    QT_TRANSLATE_NOOP("Evidence", "left"),
    QT_TRANSLATE_NOOP("Evidence", "mean, and the reference's"),
    QT_TRANSLATE_NOOP("Evidence", "moved"),
    QT_TRANSLATE_NOOP("Evidence", "numerical"),
    QT_TRANSLATE_NOOP("Evidence", "registered"),
    QT_TRANSLATE_NOOP("Evidence", "runs"),
    QT_TRANSLATE_NOOP("Evidence", "second witness"),
    QT_TRANSLATE_NOOP("Evidence", "shared memory"),
    QT_TRANSLATE_NOOP("Evidence", "test"),
    QT_TRANSLATE_NOOP("Evidence", "tool"),
    QT_TRANSLATE_NOOP("Evidence", "ONNX's checker"),
    QT_TRANSLATE_NOOP("Evidence", "asked"),
    QT_TRANSLATE_NOOP("Evidence", "exported in"),
    QT_TRANSLATE_NOOP("Evidence", "imports"),
    QT_TRANSLATE_NOOP("Evidence", "inputs and outputs"),
    QT_TRANSLATE_NOOP("Evidence", "model"),
    QT_TRANSLATE_NOOP("Evidence", "samples"),
    QT_TRANSLATE_NOOP("Evidence", "threads"),
    QT_TRANSLATE_NOOP("Evidence", "version of compiler"),
    QT_TRANSLATE_NOOP("Evidence", "warning"),
    QT_TRANSLATE_NOOP("Evidence", "what"),
    QT_TRANSLATE_NOOP("Evidence", "IR version"),
    QT_TRANSLATE_NOOP("Evidence", "call"),
    QT_TRANSLATE_NOOP("Evidence", "where"),
    QT_TRANSLATE_NOOP("Evidence", "torchscript, custom"),
    QT_TRANSLATE_NOOP("Evidence", "torchscript, standard"),
    QT_TRANSLATE_NOOP("Evidence", "dynamo, custom"),
    QT_TRANSLATE_NOOP("Evidence", "dynamo, standard"),
    QT_TRANSLATE_NOOP("Evidence", "Exported by {0}"),
    QT_TRANSLATE_NOOP("Evidence", "Nodes of {0}"),
    QT_TRANSLATE_NOOP("Evidence", "Generated for a release: {0}"),
    QT_TRANSLATE_NOOP("Evidence", "The operator's own {0}"),
    QT_TRANSLATE_NOOP("Evidence", "version of {0}"),
    QT_TRANSLATE_NOOP("Evidence", "{0} threads, sample {1}"),
    QT_TRANSLATE_NOOP("Evidence", "{0}, by hand"),
    QT_TRANSLATE_NOOP("Evidence", "{0} printed"),
)
_NOTES = (
    QT_TRANSLATE_NOOP("Evidence", "The stage has not run yet."),
    QT_TRANSLATE_NOOP("Evidence", "The contract cannot be read now."),
    QT_TRANSLATE_NOOP("Evidence", "Nothing was kept of it: it was broken off, or tidied away."),
    QT_TRANSLATE_NOOP(
        "Evidence", "An older studio kept this result in a form that cannot be read any more; check again."
    ),
    QT_TRANSLATE_NOOP("Evidence", "The contract was changed since build {0}; this is the one of now."),
    QT_TRANSLATE_NOOP("Evidence", "This is an earlier result: {0}."),
    QT_TRANSLATE_NOOP("Evidence", "the stage has not ended since"),
    QT_TRANSLATE_NOOP("Evidence", "not_run"),
    QT_TRANSLATE_NOOP("Evidence", "cancelled"),
    QT_TRANSLATE_NOOP("Evidence", "skipped"),
)
_NONE = QT_TRANSLATE_NOOP("Evidence", "none")
_WORDS = {
    "ONNX's checker": (QT_TRANSLATE_NOOP("Evidence", "content"),),
    "asked": (QT_TRANSLATE_NOOP("Evidence", "{0} varies as {1}"),),
    "beside": (QT_TRANSLATE_NOOP("Evidence", "no gradient of {0}"),),
    "changed inputs": (_NONE,),
    "file": (_NONE,),
    "kernel of its own": (QT_TRANSLATE_NOOP("Evidence", "kernel"), QT_TRANSLATE_NOOP("Evidence", "missing")),
    "library": (_NONE,),
    "outcome": (QT_TRANSLATE_NOOP("Evidence", "passed"), QT_TRANSLATE_NOOP("Evidence", "{0} reports")),
    "peak memory": (QT_TRANSLATE_NOOP("Evidence", "not told here"),),
    "providers": (QT_TRANSLATE_NOOP("Evidence", "not known"),),
    "registered": (QT_TRANSLATE_NOOP("Evidence", "not at all"),),
    "second witness": (_NONE, QT_TRANSLATE_NOOP("Evidence", "gradcheck in float64")),
    "shared memory": (_NONE, QT_TRANSLATE_NOOP("Evidence", "{0} is {1}")),
}
"""By title what the studio itself says below it; everywhere else stands what people and tools called things."""
_KNOWN_TITLES, _KNOWN_NOTES = Phrases("Evidence", _TITLES), Phrases("Evidence", _NOTES)
_KNOWN_WORDS = {title: Phrases("Evidence", words) for title, words in _WORDS.items()}


def evidence_title(text: str) -> str:
    """Return the title of a section or a column; those that translators do not know stay as they are."""
    return _KNOWN_TITLES.translated(text)


def evidence_note(text: str) -> str:
    """Return what is said of evidence that is missing, or of an earlier result."""
    return _KNOWN_NOTES.translated(text)


def evidence_value(title: str, text: str) -> str:
    """Return what stands below a title, which is the one in English."""
    words = _KNOWN_WORDS.get(title)
    return text if words is None else words.listed(text)
