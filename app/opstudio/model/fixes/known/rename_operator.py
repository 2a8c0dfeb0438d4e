"""Makes nodes of one operator nodes of another: a mistyped name, or a name in the wrong domain.

## When it is offered
A node of an operator that nobody implements, where one of a name that comes near, or of the same name in another
domain, takes all these nodes.

## What it changes
Name and domain of these nodes; the import of the new domain is added where it is missing.

## What it never touches
Inputs, outputs and attributes of the nodes; calls of functions; imports that are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.base.names import nearest_names
from opstudio.model.fixes.domain_uses import version_to_import
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.import_edits import added_import
from opstudio.model.fixes.model_places import find_places, open_fields
from opstudio.model.fixes.node_context import FaultGroup, all_would_resolve, fault_groups, function_of, is_call
from opstudio.model.fixes.node_edits import renamed_operator
from opstudio.model.fixes.parameters import operator_text, split_operator, split_pair
from opstudio.model.graph.read_graphs import normalised_domain
from opstudio.model.resolution.records import Step

_ID, _FORM = "rename-operator", "DOMAIN:OLD=DOMAIN:NEW"
_STEPS = (Step.IMPORT, Step.DOMAIN, Step.OPERATOR)


def _offers(target: FixTarget) -> Iterator[Offer]:
    for group in fault_groups(target):
        if group.fault.step not in _STEPS or group.fault.library:
            continue
        old = operator_text(group.domain, group.operator)
        for domain, name in dict.fromkeys(_candidates(target, group)):
            if all_would_resolve(target, group.nodes, domain, name):
                yield Offer(
                    id=f"{_ID}:{old}={operator_text(domain, name)}",
                    title=f"Make the nodes of {old} nodes of {operator_text(domain, name)}",
                    solves=target.findings_of(group.domain, group.operator, group.fault),
                )


def _candidates(target: FixTarget, group: FaultGroup) -> Iterator[tuple[str, str]]:
    """Yield operators that may be meant, the nearest first."""
    if group.fault.step is Step.OPERATOR:
        for text in group.fault.candidates:
            domain, _, name = text.rpartition(":")
            yield (normalised_domain(domain), name) if domain else (group.domain, name)
        return
    # A domain that is nearly right is renamed as a whole, by another fix, unless the name is only nearly right as well.
    for domain in group.fault.candidates:
        for name in nearest_names(group.operator, target.catalogue.types_of(domain), most=1):
            if name != group.operator:
                yield domain, name
    for domain in target.catalogue.domains_of(group.operator):
        if domain != group.domain and domain not in group.fault.candidates:
            yield domain, group.operator


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    first, second = split_pair(_ID, parameters, _FORM)
    (old_domain, old), (domain, name) = split_operator(_ID, first, _FORM), split_operator(_ID, second, _FORM)
    if (old_domain, old) == (domain, name):
        raise wrong_parameters(_ID, parameters, f"two different operators, {_FORM}")
    items = [
        item
        for item in target.evidence.nodes
        if (item.node.domain, item.node.type) == (old_domain, old) and not is_call(target, item.node)
    ]
    if not items:
        raise refused(
            f"No node is of {operator_text(old_domain, old)}",
            cause="the model has no such node, or it calls a function of the file",
            fix="Take an id that opstudio fix lists",
        )
    with open_fields(target.model) as reader:
        edits = [renamed_operator(reader, item, domain, name) for item in items]
    places, version = find_places(target.model), version_to_import(target, domain)
    if not places.imports.of(domain):
        edits.append(added_import(places.imports, domain, version))
    owners = {function_of(item) for item in items} - {""}
    edits += [
        added_import(imports, domain, target.model.opsets.get(domain, version))
        for imports in places.functions
        if imports.owner in owners and not imports.of(domain)
    ]
    return edits


FIX = Fix(id=_ID, title="Make nodes of one operator nodes of another", form=_FORM, offers=_offers, edits=_edits)
