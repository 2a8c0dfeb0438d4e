"""Domains of a model that nobody provides, told once each where several of their operators are missing."""

from __future__ import annotations

from collections.abc import Mapping

from opstudio.diagnosis.models import NodeGroup, groups
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Step


def domains_without_library(evidence: GraphEvidence) -> Mapping[str, tuple[NodeGroup, ...]]:
    """Return the domains with several operators that nobody provides, with the nodes of each operator."""
    found: dict[str, list[NodeGroup]] = {}
    for group in groups(evidence, lambda item, fault: bool(item.node.domain) and fault.step is Step.DOMAIN):
        found.setdefault(group.domain, []).append(group)
    return {domain: tuple(members) for domain, members in found.items() if len({item.type for item in members}) > 1}


def how_to_register(domain: str) -> str:
    """Return what to do about a domain that nobody knows but whoever wrote the model."""
    return (
        f"Register the library that brings {domain} before the session; --library PATH, or dropping it on the window, "
        "shows what it resolves"
    )
