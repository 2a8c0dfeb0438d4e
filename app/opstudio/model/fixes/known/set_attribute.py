"""Sets an attribute to the word that was meant, where the operator takes certain words and one is mistyped.

## When it is offered
An attribute of a standard operator whose word the operator does not know, where the word that was meant is certain.

## What it changes
The word, in the nodes that have the wrong one.

## What it never touches
Attributes with words that the operator knows; values that a function is given by its caller; operators of libraries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.model_places import open_fields
from opstudio.model.fixes.node_context import fault_groups, is_call
from opstudio.model.fixes.node_edits import reworded_attribute
from opstudio.model.fixes.parameters import operator_text, split_operator, split_pair
from opstudio.model.graph.records import AttributeKind
from opstudio.model.resolution.attribute_words import is_wrong_word, operators_with_words, word_meant, words_of
from opstudio.model.resolution.records import ResolvedNode, Step, Unresolved

_ID, _FORM = "set-attribute", "DOMAIN:TYPE.NAME=WORD"
_STEPS = (Step.SHAPES, Step.CREATION)
"""What kernels and the inference of shapes refuse: definitions of operators do not say which words there are."""
_LONGEST = 100


def _offers(target: FixTarget) -> Iterator[Offer]:
    for group in fault_groups(target):
        if group.domain or group.fault.library or group.fault.step not in _STEPS:
            continue
        names = operators_with_words().get(group.operator, ())
        for name in names:
            meant = {_meant(target, item, name) for item in group.nodes}
            # Of several wrong words, the kernel refuses the first that it reads.
            is_only = not any(
                _is_wrong(target, item, other) for item in group.nodes for other in names if other != name
            )
            is_told = all((_written(item, name) or "") in group.fault.reason for item in group.nodes)
            solves = len(meant) == 1 and (is_only or is_told)
            operator = operator_text("", group.operator)
            for word in sorted(word for word in meant if word is not None):
                yield Offer(
                    id=f"{_ID}:{operator}.{name}={word}",
                    title=f"Set the attribute {name} of {operator} to {word}, the nearest that there is",
                    solves=target.findings_of("", group.operator, group.fault) if solves else (),
                )


def _meant(target: FixTarget, item: ResolvedNode, name: str) -> str | None:
    """Return the word that a mistyped attribute was meant to be; ``None`` where it is right or that is not certain."""
    written = _written(item, name)
    return word_meant(written, _words(target, item, name)) if written and _is_wrong(target, item, name) else None


def _is_wrong(target: FixTarget, item: ResolvedNode, name: str) -> bool:
    written, opset = _written(item, name), target.model.opsets.get("", 0)
    return written is not None and is_wrong_word(item.node.type, name, opset, written)


def _words(target: FixTarget, item: ResolvedNode, name: str) -> tuple[str, ...]:
    return words_of(item.node.type, name, target.model.opsets.get("", 0))


def _written(item: ResolvedNode, name: str) -> str | None:
    """Return the text of an attribute; ``None`` where it is none, or given by the caller of a function."""
    values = [attribute for attribute in item.node.attributes if attribute.name == name]
    if len(values) != 1 or values[0].kind is not AttributeKind.STRING:
        return None
    value = values[0].value
    return value if isinstance(value, str) and len(value) <= _LONGEST else None


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    first, word = split_pair(_ID, parameters, _FORM)
    operator, _, name = first.rpartition(".")
    domain, kind = split_operator(_ID, operator, _FORM)
    if not name:
        raise wrong_parameters(_ID, parameters, _FORM)
    wrong = [
        (item, _meant(target, item, name))
        for item in target.evidence.nodes
        if (item.node.domain, item.node.type) == (domain, kind)
        and not domain
        and isinstance(item.resolution, Unresolved)
        and not is_call(target, item.node)
        and word in _words(target, item, name)
        and _is_wrong(target, item, name)
    ]
    # A word that is near none is set only where a person asks for it: no offer means such a node.
    found = [item for item, meant in wrong if meant == word] or [item for item, meant in wrong if meant is None]
    if not found:
        raise refused(
            f"The attribute {name} of {operator_text(domain, kind)} cannot be set to {word}",
            cause="the operator does not take it, no node fails with another word there, or a word that it takes is "
            "nearer",
            fix="Take an id that opstudio fix lists",
        )
    with open_fields(target.model) as reader:
        return [reworded_attribute(reader, item, name, word) for item in found]


FIX = Fix(id=_ID, title="Set a mistyped word of an attribute", form=_FORM, offers=_offers, edits=_edits)
