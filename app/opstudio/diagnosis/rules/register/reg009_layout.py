"""The operator gives another result when its input lies in memory another way.

## What it finds
The operator is called with the same values contiguous, as a slice, stepped, transposed and expanded. A result that
changes means that the kernel reads memory as if it were contiguous.

## Why it happens
``x[i]`` for ``i`` from 0 to ``count()`` reads neighbours in memory, which are neighbours in the tensor only where it is
contiguous. Results look nearly right: shifted, or with foreign values in between.

## How to fix
Leave ``strided`` out of the contract: the host then hands over contiguous data, at the price of a copy where needed. Or
follow the strides, with ``opstudio::map`` or ``Rows``. In sources of your own, call ``x.contiguous()`` first.

## Source
The operator itself, on contiguous copies of the same views.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.checks.results import CaseResult
from opstudio.checks.stages.layout import LayoutEvidence
from opstudio.contract.operator import KernelKind
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import comparison_evidence, describe_comparison, first_bad, join_names


def check(evidence: LayoutEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell which layouts change the result; shapes without elements are REG010's."""
    wrong = [case for case in evidence.cases if not case.good and not case.name.startswith("no elements")]
    found = first_bad(wrong)
    if found is None:
        return
    case, comparison = found
    yield RULE.finding(
        context,
        title="Strides are ignored",
        cause=f"the result changes when the input is {join_names([_layout(item) for item in wrong])}: in {case.name}, "
        f"{describe_comparison(comparison)}".replace("the reference", "contiguous data gives"),
        fix=_fix(evidence, context),
        places=_places(evidence, context),
        evidence=comparison_evidence(comparison),
    )


def _layout(case: CaseResult) -> str:
    return case.name.partition(",")[0]


def _fix(evidence: LayoutEvidence, context: RuleContext) -> str:
    if context.contract.kernel.kind is KernelKind.RAW:
        return "Call x.contiguous() before data_ptr(), or follow x.stride()"
    if evidence.strided:
        return "Follow the strides (opstudio::map, Rows, view.stride(axis)), or remove strided = true from the contract"
    return "Report this: the host should have handed over contiguous data"


def _places(evidence: LayoutEvidence, context: RuleContext) -> list[Place]:
    places = [context.place_of_function("forward")]
    if evidence.strided and context.contract.kernel.kind is KernelKind.NATIVE:
        places.append(context.place_in_contract(("kernel", "strided")))
    return places


RULE = Rule(id="REG009", title="The operator ignores strides", needs=LayoutEvidence, check=check)
