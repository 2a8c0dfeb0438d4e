"""Weights are missing, too short, or lie where a model may not reach.

## What it finds
Tensors whose file beside the model is not there, is shorter than the model says or lies outside of the model's folder,
and tensors without the values that their shape asks for.

## Why it happens
The model was moved without its weights, a download broke off, or values were stripped to make the file small. A path
that leads out of the folder is a sign of a file that was made to read other files; it is never followed.

## How to fix
Put the weights beside the model under the name that it says, or export again; small models need no second file.

## Source
The places that the model names, against the files that are there.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.graph.tensor_records import ExternalProblem
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.file_checks import FileProblem, FileProblemKind

_MOST_PLACES = 20
_FIXES = {
    FileProblemKind.WEIGHTS_BESIDE: "Put the file with the weights beside the model, under the name that it says",
    FileProblemKind.WEIGHTS: "Export the model again, in ONNX's format: the file itself lacks the values",
}

_OUTSIDE = (ExternalProblem.OUTSIDE, ExternalProblem.LINK_OUTSIDE)
_LEADS_OUT = "Do not load the file unless you know where it comes from; weights lie beside their model"

_ABSENT = r"External data path does not exist: \"(.+?)\""
_ESCAPES = r"External data path escapes model directory\. External data path: \"(.+?)\""


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell tensors with one kind of fault together."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    found: dict[tuple[FileProblemKind, object], list[FileProblem]] = {}
    for problem in evidence.problems:
        if problem.kind in _FIXES:
            found.setdefault((problem.kind, problem.external), []).append(problem)
    for (kind, _), problems in found.items():
        more = f"; so are {len(problems) - 1} more" if len(problems) > 1 else ""
        yield RULE.finding(
            context,
            cause=f"{problems[0].reason}{more}",
            fix=_LEADS_OUT if problems[0].external in _OUTSIDE else _FIXES[kind],
            places=[Place(file=context.file, tensor=problem.subject) for problem in problems[:_MOST_PLACES]],
            evidence={"tensors": len(problems)},
        )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for pattern, words, fix in (
        (_ABSENT, "are missing: there is no file", _FIXES[FileProblemKind.WEIGHTS_BESIDE]),
        (_ESCAPES, "lie outside of the model's folder, at", _LEADS_OUT),
    ):
        for match in message.find(pattern):
            yield RULE.finding(context, cause=f"weights of the model {words} {match[1]}", fix=fix)


RULE = Rule(
    id="MOD002", title="Weights of the model cannot be read", needs=(GraphEvidence, RuntimeMessage), check=check
)
