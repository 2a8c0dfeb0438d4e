"""The questions of ONNX Runtime to one node, in its order; the answers need no session."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from opstudio.model.graph.records import NodeRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.function_imports import refused_by_function
from opstudio.model.resolution.library_operators import resolve_by_library
from opstudio.model.resolution.output_types import Types
from opstudio.model.resolution.records import Resolution, Step, Unresolved
from opstudio.model.resolution.runtime_operators import resolve_by_runtime


def resolve_node(
    catalogue: Catalogue,
    node: NodeRecord,
    opsets: Mapping[str, int],
    inputs: Types,
    own: Mapping[str, int] | None = None,
) -> Resolution:
    """Return who implements a node that is no call of a local function.

    ``opsets`` are the imports of the model, ``own`` those of the function that the node stands in, where it does;
    ``inputs`` are the types of its inputs, empty where they are not known.
    """
    refusal = refused_by_function(catalogue, node, own, inputs) if own is not None else None
    answer = refusal or _resolve(catalogue, node, opsets, inputs)
    if isinstance(answer, Unresolved) and answer.step in _NOBODY and not answer.library:
        known = catalogue.contract(node.domain, node.type)
        if known is not None:
            reason = f"{answer.reason}; the contract of {known.name} declares it"
            return dataclasses.replace(answer, reason=reason, contract=known.name)
    return answer


_NOBODY = (Step.IMPORT, Step.DOMAIN, Step.OPERATOR, Step.VERSION)


def _resolve(catalogue: Catalogue, node: NodeRecord, opsets: Mapping[str, int], inputs: Types) -> Resolution:
    if node.domain not in opsets and not catalogue.has_domain(node.domain):
        return Unresolved(
            step=Step.IMPORT,
            reason=f"the file does not import the domain {node.domain}, and nobody who is loaded provides it",
            candidates=catalogue.nearest_domains(node.domain, opsets),
        )
    if not catalogue.has_domain(node.domain):
        return Unresolved(
            step=Step.DOMAIN,
            reason=f"nobody who is loaded provides the domain {node.domain}",
            candidates=catalogue.nearest_domains(node.domain),
        )
    version = opsets.get(node.domain, catalogue.tables.newest_opsets.get(node.domain, 1))
    if provided := catalogue.provided(node.domain, node.type):
        return resolve_by_library(catalogue, node, provided, inputs)
    schema = catalogue.schema(node.domain, node.type, version)
    if schema is None or schema.deprecated:
        return _no_definition(catalogue, node, version, deprecated=schema is not None)
    return resolve_by_runtime(catalogue, node, schema, inputs)


def _no_definition(catalogue: Catalogue, node: NodeRecord, version: int, *, deprecated: bool) -> Unresolved:
    where = f"the domain {node.domain}" if node.domain else "the standard domain"
    versions = catalogue.versions_of(node.domain, node.type)
    if deprecated:
        return Unresolved(
            step=Step.VERSION,
            reason=f"{node.type} was taken out of {where} before version {version}",
            candidates=tuple(str(number) for number in reversed(versions[:-1])),
        )
    if versions:
        return Unresolved(
            step=Step.VERSION,
            reason=f"{node.type} exists in {where} since version {versions[0]}; the file imports {version}",
            candidates=tuple(str(number) for number in versions),
        )
    release = f" in ONNX Runtime {catalogue.tables.release}" if node.domain in catalogue.runtime_domains else ""
    elsewhere = [f"{domain or 'ai.onnx'}:{node.type}" for domain in catalogue.domains_of(node.type)]
    return Unresolved(
        step=Step.OPERATOR,
        reason=f"{where} has no operator {node.type}{release}",
        candidates=(*elsewhere, *catalogue.nearest_types(node.domain, node.type)),
    )
