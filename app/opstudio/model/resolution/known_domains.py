"""Domains of operators that are no part of ONNX Runtime and that people meet: who brings them, what replaces them."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opstudio.base.assets import asset_root


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownOperator:
    """An operator of such a domain. ``standard`` computes the same, from ``opset`` on; empty where nothing does."""

    standard: str = ""
    opset: int = 0
    library: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDomain:
    """A domain. ``library`` is what to load, empty where there is nothing for ONNX Runtime; ``install`` brings it."""

    title: str
    library: str
    install: str
    source: str
    operators: Mapping[str, KnownOperator] = field(default_factory=dict)


@functools.cache
def known_domains() -> Mapping[str, KnownDomain]:
    """Return the table ``resources/tables/domains.toml``."""
    text = (asset_root("resources") / "tables" / "domains.toml").read_text(encoding="utf-8")
    return {domain: _domain(row) for domain, row in tomllib.loads(text).items()}


def how_to_get(domain: str, operator: str) -> str:
    """Return what to do about an operator of such a domain; empty where the table does not know the domain."""
    known = known_domains().get(domain) or next(
        (row for name, row in known_domains().items() if domain.startswith(f"{name}.")), None
    )
    if known is None:
        return ""
    entry = known.operators.get(operator, KnownOperator())
    library = known.library if entry.library is None else entry.library
    parts = [f"load {library} ({known.title}: {known.install})" if library else f"{known.title}: {known.install}"]
    if entry.standard:
        parts.append(f"or write it as {entry.standard}, which computes the same from opset {entry.opset} on")
    if entry.note:
        parts = [*parts, entry.note] if library or entry.standard else [entry.note]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}"


def _domain(row: dict[str, Any]) -> KnownDomain:
    operators = {name: KnownOperator(**entry) for name, entry in row.pop("operators", {}).items()}
    return KnownDomain(**row, operators=operators)
