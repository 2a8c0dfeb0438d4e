"""What sessions of one node say against what tables say: the runtime's own answer counts."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from opstudio.model.resolution.catalogue import CPU, Catalogue
from opstudio.model.resolution.records import Origin, Resolution, Resolved, ResolvedNode, Step, Through, Unresolved
from opstudio.model.shapes.records import ModelShapes, NodeRefusal, RefusalKind

_STEPS = {
    RefusalKind.UNREADABLE: Step.FORM,
    RefusalKind.TYPES: Step.TYPES,
    RefusalKind.SHAPES: Step.SHAPES,
    RefusalKind.KERNEL: Step.KERNEL,
    RefusalKind.CREATION: Step.CREATION,
}
_NEEDS_LOCALE = "StringNormalizer"
"""Its kernel refuses a node for the system's sake; what is looked for in files tells that."""
_ASSERTION = re.compile(r"^.{1,300}? was false\.\s+(?=\S)", re.DOTALL)
"""The condition in the kernel's source that did not hold, where the kernel says in words as well what is wrong."""
_ABOUT_KERNELS = (RefusalKind.KERNEL, RefusalKind.CREATION)


def with_answers(nodes: Iterable[ResolvedNode], shapes: ModelShapes, catalogue: Catalogue) -> Iterator[ResolvedNode]:
    """Yield the nodes with the answers that sessions gave. They ran on the processor: of others, kernels stay open."""
    refusals = {refusal.node: refusal for refusal in shapes.refusals}
    taken = frozenset(shapes.taken)
    for item in nodes:
        answer = item.resolution
        refusal = refusals.get(item.node.offset)
        if refusal is not None and isinstance(answer, Resolved):
            answer = _refused(item, answer, refusal, catalogue)
        elif item.node.offset in taken and isinstance(answer, Unresolved):
            answer = _taken(answer, catalogue)
        if answer is item.resolution:
            yield item
        else:
            yield dataclasses.replace(item, resolution=answer, remark=refusal.remark if refusal is not None else "")


def _refused(item: ResolvedNode, answer: Resolved, refusal: NodeRefusal, catalogue: Catalogue) -> Resolution:
    if refusal.kind in _ABOUT_KERNELS and (catalogue.providers != (CPU,) or answer.origin is Origin.FUNCTION):
        return answer
    if refusal.kind is RefusalKind.CREATION and (item.node.domain, item.node.type) == ("", _NEEDS_LOCALE):
        return answer
    reason = refusal.reason
    if refusal.kind is RefusalKind.KERNEL:
        types = ", ".join(text for text in item.input_types if text)
        reason = f"the runtime finds no kernel of {CPU} for {types or 'it'}"
    if refusal.kind is RefusalKind.CREATION:
        reason = _ASSERTION.sub("", reason)
    return Unresolved(step=_STEPS[refusal.kind], reason=reason, library=answer.library, tensor=refusal.tensor)


def _taken(answer: Unresolved, catalogue: Catalogue) -> Resolution:
    """Return the answer to a node for which tables know no kernel: the runtime writes it as others."""
    if answer.step not in (Step.PROVIDER, Step.KERNEL) or answer.library or CPU not in catalogue.providers:
        return answer
    return Resolved(origin=Origin.RUNTIME, through=Through.OTHERS)
