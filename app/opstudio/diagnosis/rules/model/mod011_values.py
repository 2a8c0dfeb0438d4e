"""A value is used that nothing makes, is made twice, waits for itself, or has no type where it must.

## What it finds
Inputs of nodes and outputs of the model that no node, input or initializer makes; names that are made more than once;
nodes that need their own output, by way of others or at once; values of nested graphs and functions that are used
before they are made; inputs of the model without a type. ONNX Runtime refuses each.

## Why it happens
A node was taken out or renamed and its neighbours were not, two models were joined without prefixes, or a name was
mistyped.

## How to fix
Name the value as it is made, near names are told; give each value a name of its own.

## Source
The names in the file, graph by graph, with ONNX's rules of what a nested graph sees.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.value_checks import ValueFault, ValueProblem

_MOST_PLACES = 20


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each kind of fault once."""
    for kind in ValueFault:
        problems = [problem for problem in evidence.values if problem.kind is kind]
        if problems:
            more = f", and so it is with {len(problems) - 1} more" if len(problems) > 1 else ""
            yield RULE.finding(
                context,
                cause=f"{_cause(problems[0])}{more}",
                fix=_fix(problems[0]),
                places=[_place(problem, context) for problem in problems[:_MOST_PLACES]],
                evidence={"fault": kind.value, "values": len(problems)},
            )


def _cause(problem: ValueProblem) -> str:
    match problem.kind:
        case ValueFault.UNKNOWN:
            return f"nothing makes {problem.value}, which {'a node' if problem.node else 'the graph'} needs"
        case ValueFault.REPEATED:
            return f"{problem.value} is made more than once"
        case ValueFault.CYCLE:
            return f"{problem.value} is needed to make itself"
        case ValueFault.ORDER:
            return f"{problem.value} is used before it is made, in {'/'.join(problem.path)}, where order counts"
        case ValueFault.PASSED_OUT:
            return f"{'/'.join(problem.path)} hands out {problem.value}, which is made around it"
        case ValueFault.UNTYPED:
            return f"the file does not say which type the input {problem.value} has"


def _fix(problem: ValueProblem) -> str:
    match problem.kind:
        case ValueFault.UNKNOWN if problem.candidates:
            return f"Did you mean {' or '.join(problem.candidates[:3])}?"
        case ValueFault.UNKNOWN:
            return "Name a value that is made, or add what makes it"
        case ValueFault.REPEATED:
            return "Give one of them another name, there and where it is used"
        case ValueFault.CYCLE:
            return "Cut the circle: a node cannot use what follows from its own output"
        case ValueFault.ORDER:
            return "Put the node that makes it first"
        case ValueFault.PASSED_OUT:
            return "Hand out the output of an Identity of it instead"
        case ValueFault.UNTYPED:
            return "Declare the type of the input, or export again"


def _place(problem: ValueProblem, context: ModelContext) -> Place:
    node = (problem.node.name or problem.node.type) if problem.node is not None else ""
    inside = "/".join((*problem.path, *((node,) if node else ())))
    return Place(file=context.file, node=inside or None, tensor=problem.value or None)


RULE = Rule(id="MOD011", title="Names of values do not fit together", needs=GraphEvidence, check=check)
