"""A node is of a domain that the file, or the function that it stands in, does not import.

## What it finds
Domains that nodes use, also inside of functions and nested graphs, without an import in the file. A function must
import the domains of its nodes itself, the standard one as well; the model must import those that nobody else provides.

## Why it happens
The node was added by hand or by a tool that forgot the import. ONNX Runtime takes such a file once a library for the
domain is registered, but for functions, whose imports it always asks for; ONNX's checker, the quantiser and converters
refuse it all the same.

## How to fix
Add the import: ``opstudio fix MODEL`` offers it. For a domain of your own the version is the contract's, mostly 1; in a
function it is the model's.

## Source
The file's imports against its nodes.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.contract_differences import how_to_build
from opstudio.diagnosis.models import ModelContext, NodeGroup, count_nodes, groups
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.known_domains import how_to_get
from opstudio.model.resolution.records import Step

_MESSAGE = r"In Node, \(\"([^\"]*)\", (.{1,200}?), .{0,4000}? Error No opset import for domain '([^']*)'"


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator once."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    for group in groups(evidence, lambda _item, fault: fault.step is Step.IMPORT):
        yield group.finding(
            RULE,
            context,
            title=f"The domain {group.domain or 'ai.onnx'} is not imported",
            cause=f"{count_nodes(group.nodes)} of {group.operator}: {group.fault.reason}{_near(evidence, group)}",
            fix=_fix(evidence, group),
        )


def _fix(evidence: GraphEvidence, group: NodeGroup) -> str:
    version = evidence.model.opsets.get(group.domain)
    if version is not None:
        return f"Import {group.domain or 'ai.onnx'} {version} in the function, as the model does"
    if evidence.catalogue.has_domain(group.domain):
        return f"Import {group.domain or 'ai.onnx'} in the function"
    known = how_to_build(evidence, group.domain, group.type) or how_to_get(group.domain, group.type)
    return f"Add the import {group.domain}:1 and register the library that brings it{known and f'. {known}'}"


def _near(evidence: GraphEvidence, group: NodeGroup) -> str:
    """Return which domains come near, those that the file imports apart from others."""
    imported = [name for name in group.fault.candidates if name in evidence.model.opsets]
    others = [name for name in group.fault.candidates if name not in imported and name != group.domain]
    told = f"; the file imports {', '.join(imported)}" if imported else ""
    return told or (f"; {others[0]} comes near" if others else "")


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for match in message.find(_MESSAGE):
        name, kind, domain = match.groups()
        known = how_to_get(domain, kind)
        yield RULE.finding(
            context,
            title=f"The domain {domain} is not imported",
            cause=f"the file does not import the domain {domain}, and no library that was registered provides it",
            fix=f"Add the import {domain}:1 and register the library that brings it{known and f'. {known}'}",
            places=[Place(node=name)] if name else [],
        )


RULE = Rule(id="MOD003", title="A domain is used and not imported", needs=(GraphEvidence, RuntimeMessage), check=check)
