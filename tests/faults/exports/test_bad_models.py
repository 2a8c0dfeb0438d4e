"""Models that cannot be explained: one clear finding each, whatever they do to the worker."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from opstudio.base.errors import StudioError
from opstudio.model.export_request import Exporter
from tests.faults.exports.explaining import LAST, NET, Edit, Explainer, applied, line_of


@dataclass(frozen=True, kw_only=True)
class Bad:
    """One edit of the good file, what must be said, and a text on the line that must be named."""

    edit: Edit | None
    words: tuple[str, ...]
    line: str | None = None
    factory: str = "make"


MAKE = "    return Net()"
BAD = {
    "a factory that is not there": Bad(edit=None, words=("has no mak", "did you mean make?"), factory="mak"),
    "a factory that raises": Bad(
        edit=(MAKE, "    raise RuntimeError('no weights')"),
        words=("make of", "RuntimeError: no weights"),
        line="no weights",
    ),
    "a factory without end": Bad(
        edit=(MAKE, "    while True:\n        pass"),
        words=("ended before the export was done", "stalled", "make the model"),
    ),
    "a factory that crashes": Bad(
        edit=(MAKE, "    import ctypes\n    ctypes.string_at(8)"),
        words=("ended before the export was done", "SIGSEGV", "make the model"),
    ),
    "a factory that exits": Bad(
        edit=(MAKE, "    import os\n    os._exit(0)"), words=("ended before the export was done", "make the model")
    ),
    "an import that fails": Bad(
        edit=("import torch\n", "import torch\nimport not_there\n"),
        words=("cannot be imported", "not_there"),
        line="import not_there",
    ),
    "a mistake of syntax": Bad(
        edit=("def make():", "def make(:"), words=("cannot be imported", "SyntaxError"), line="def make(:"
    ),
    "a model that raises": Bad(
        edit=(LAST, "return y @ y"), words=("does not run in PyTorch", "shapes cannot be multiplied"), line="y @ y"
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_that_a_bad_model_is_one_clear_finding(explainer: Explainer, name: str) -> None:
    bad = BAD[name]
    text = NET if bad.edit is None else applied(NET, bad.edit)

    with pytest.raises(StudioError) as raised:
        explainer.explain(text, factory=bad.factory)

    (finding,) = raised.value.findings
    said = f"{finding.title} | {finding.cause} | {finding.fix}"
    assert [word for word in bad.words if word not in said] == [], said
    (place,) = finding.places
    assert place.line == (None if bad.line is None else line_of(text, bad.line))


CRASH = """
@symbolic_helper.parse_args("v", "f")
def swish_symbolic(g, x, beta):
    import ctypes

    ctypes.string_at(8)
"""


def test_that_a_crash_of_one_exporter_leaves_the_other_one(explainer: Explainer) -> None:
    explanation = explainer.explain(NET.replace("def register():", f"{CRASH}\n\ndef register():"), dynamic={"x": "n"})

    crashed, good = explanation.attempt(Exporter.TORCHSCRIPT), explanation.attempt(Exporter.DYNAMO)
    assert (crashed.ending, crashed.has_file) == ("crashed", False)
    assert (good.ending, good.node_types.get("lab:Swish")) == ("", 1)
    (finding,) = explanation.findings
    assert finding.id == "EXP026"
    assert "SIGSEGV" in finding.cause
    assert "torchscript" in finding.title
