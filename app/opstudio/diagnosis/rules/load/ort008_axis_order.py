"""A kernel assumes another order of dimensions than the contract states: NHWC for NCHW.

## What it finds
Values that differ from the reference and are right in another order of the axes: of an input that is read, of an output
that is written, or of both. Every small sample must agree with that, those that are right by accident included. Where
the data cannot tell (few elements, a wrong sign or factor on symmetrical data, large samples only), it is NUM012.

## Why it happens
A framework, a library or an article has images as [N, H, W, C], another as [N, C, H, W]. A kernel that walks memory by
hand, or takes sizes from fixed axes, goes on without an error: every byte is there, in another place.

## How to fix
Walk the axes in the order of the contract, best by the strides of the view. If the kernel's order is the one that is
meant, change shape, samples and reference of the contract instead, and transpose around the operator in the model.

## Source
The reference, run on transposed inputs or read in transposed outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opstudio.base.finding import Finding, Place
from opstudio.checks.stages.parity import ParityEvidence
from opstudio.checks.stages.value import ValueEvidence
from opstudio.diagnosis.recognition import is_axis_order
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.runtime_sources import is_of_the_runtime, place_of_computing
from opstudio.diagnosis.wording import axis_order_evidence, join_names
from opstudio.parity.axis_order import AxisOrder, Side

_LETTERS = {3: ("first", "second", "third"), 4: ("first", "second", "third", "fourth")}


def check(evidence: ValueEvidence | ParityEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the likeliest order, and the next one where the data fit it as well."""
    search = evidence.axis_orders
    if search is None or not is_axis_order(evidence):
        return
    first, *others = search.orders
    wrong = [case.name for case in evidence.cases if not case.good]
    other = f"; the data fit as well that {_describe(others[0], context)}" if others else ""
    yield RULE.finding(
        context,
        cause=f"the values are right if {_describe(first, context)}{other}; in {join_names(wrong)}",
        fix=_fix(first, context),
        places=[_place(evidence, context)],
        evidence=axis_order_evidence(search),
    )


def _describe(order: AxisOrder, context: RuleContext) -> str:
    names = _axis_names(order, context)
    ours, theirs = _render(names), _render([names[axis] for axis in order.axes])
    verb = {Side.INPUT: "read", Side.OUTPUT: "written", Side.BOTH: "read, and the output written,"}[order.side]
    what = "as if its memory were" if order.is_memory else "as if its shape were"
    return f"{order.tensor}, by the contract {ours}, is {verb} {what} {theirs}"


def _fix(order: AxisOrder, context: RuleContext) -> str:
    names = _axis_names(order, context)
    ours, theirs = _render(names), _render([names[axis] for axis in order.axes])
    verb = {Side.INPUT: "Read", Side.OUTPUT: "Write", Side.BOTH: "Read and write"}[order.side]
    strides = " + ".join(f"{name.lower()}·stride({index})" for index, name in enumerate(names))
    return f"{verb} {order.tensor} in the order {ours}: {strides}; or, if {theirs} is meant, change the contract to it"


def _axis_names(order: AxisOrder, context: RuleContext) -> Sequence[str]:
    """Return the names of the axes in the contract, else which they are."""
    rank = len(order.axes)
    for shape in _shapes(order.tensor, context):
        names = [name.strip() for name in shape.strip("[] ").split(",")]
        if len(names) == rank and len(set(names)) == rank and all(name.isidentifier() for name in names):
            return names
    return _LETTERS[rank]


def _shapes(tensor: str, context: RuleContext) -> Iterable[str]:
    """Yield the shape of a tensor in the contract; for an output that has the shape of an input, that one's."""
    inputs = {item.name: item.shape or "" for item in context.contract.inputs}
    outputs = {item.name: item.shape for item in context.contract.outputs}
    shape = inputs.get(tensor) or outputs.get(tensor, "")
    yield inputs.get(shape, shape)


def _render(names: Iterable[str]) -> str:
    return f"[{', '.join(names)}]"


def _place(evidence: ValueEvidence | ParityEvidence, context: RuleContext) -> Place:
    if isinstance(evidence, ParityEvidence):
        wrong = next(case for case in evidence.cases if not case.good)
        if is_of_the_runtime(wrong, context):
            return place_of_computing(context)
    return context.place_of_function("forward")


RULE = Rule(
    id="ORT008",
    title="The order of dimensions is assumed differently",
    needs=(ValueEvidence, ParityEvidence),
    check=check,
)
