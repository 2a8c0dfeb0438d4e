"""No library that is registered provides a domain that several operators of the model are of.

## What it finds
Domains that nobody provides, with all operators of them that the model uses. ONNX Runtime names one of them, and only
that it is not registered.

## Why it happens
The operator library was not registered, was registered after the session was made, or for another session: each has
options of its own.

## How to fix
Register the library in the options that the session is made with:
``SessionOptions.register_custom_ops_library(path)``, before ``InferenceSession``.

## Source
The domains of the runtime and of the libraries that were named, against those of the model's nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opstudio.base.finding import Finding
from opstudio.diagnosis.contract_differences import how_to_build
from opstudio.diagnosis.missing_domains import domains_without_library, how_to_register
from opstudio.diagnosis.models import ModelContext, NodeGroup, count_nodes
from opstudio.diagnosis.rule import Rule
from opstudio.diagnosis.wording import join_names
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.known_domains import how_to_get

_MOST_PLACES = 20


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each domain once."""
    for domain, members in domains_without_library(evidence).items():
        nodes = [item for group in members for item in group.nodes]
        types = sorted({group.type for group in members})
        near = [name for name in members[0].fault.candidates if name != domain]
        yield RULE.finding(
            context,
            title=f"No registered library provides the domain {domain}",
            cause=f"{count_nodes(nodes)} of {len(types)} operators, {join_names(types)}, are of the domain {domain}"
            + (f"; {near[0]} comes near" if near else ""),
            fix=_fix(evidence, domain, members),
            places=[context.place(item) for item in nodes[:_MOST_PLACES]],
            evidence={"domain": domain, "types": types, "step": "domain", "nodes": len(nodes)},
        )


def _fix(evidence: GraphEvidence, domain: str, members: Sequence[NodeGroup]) -> str:
    ways = [how_to_build(evidence, domain, group.type) or how_to_get(domain, group.type) for group in members]
    if known := list(dict.fromkeys(way for way in ways if way)):
        return ". ".join(known)
    near = next(iter(members[0].fault.candidates), "")
    if known := list(dict.fromkeys(way for group in members if (way := how_to_get(near, group.type)))):
        return f"Did you mean the domain {near}? {'. '.join(known)}"
    return how_to_register(domain)


RULE = Rule(id="ORT002", title="No registered library provides a domain", needs=GraphEvidence, check=check)
