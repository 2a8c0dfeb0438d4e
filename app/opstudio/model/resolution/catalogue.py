"""All operators that are at hand: of the runtime and of the libraries that are loaded; and what contracts declare."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from opstudio.model.graph.records import FunctionRecord
from opstudio.model.resolution.contracts import KnownContract
from opstudio.model.resolution.known_domains import known_domains
from opstudio.model.resolution.near_names import NearBudget, NearNames
from opstudio.model.runtime.records import (
    KernelDefinition,
    LibraryContents,
    LibraryOperator,
    OperatorSchema,
    RuntimeTables,
)

CPU = "CPUExecutionProvider"
"""The provider that every build of the runtime has, and that takes what no other one does."""


@dataclass(frozen=True, slots=True)
class ProvidedOperator:
    """An operator of a library, and the library's path."""

    operator: LibraryOperator
    library: str


class Catalogue:
    """Looks operators up by domain and type. ``providers`` are the chosen ones, the preferred first."""

    def __init__(
        self,
        tables: RuntimeTables,
        libraries: Sequence[LibraryContents] = (),
        providers: Sequence[str] = (),
        contracts: Sequence[KnownContract] = (),
    ) -> None:
        self.tables = tables
        self.libraries = tuple(libraries)
        self.providers = tuple(providers) or (CPU,)
        self._schemas: dict[tuple[str, str], list[OperatorSchema]] = {}
        for schema in sorted(tables.schemas, key=lambda schema: schema.since_version):
            self._schemas.setdefault((schema.domain, schema.type), []).append(schema)
        self._kernels: dict[tuple[str, str], list[KernelDefinition]] = {}
        for kernel in tables.kernels:
            self._kernels.setdefault((kernel.domain, kernel.type), []).append(kernel)
        self._provided: dict[tuple[str, str], list[ProvidedOperator]] = {}
        for library in libraries:
            for operator in library.operators:
                entry = ProvidedOperator(operator, library.path)
                self._provided.setdefault((operator.domain, operator.type), []).append(entry)
        self._contracts = {known.key: known for known in reversed(contracts)}
        self.runtime_domains = frozenset(domain for domain, _ in self._schemas)
        self.library_domains = frozenset(domain for library in libraries for domain in library.domains)
        self._domains_of: dict[str, set[str]] = {}
        for domain, name in (*self._schemas, *self._provided):
            self._domains_of.setdefault(name, set()).add(domain)
        self._near_budget = NearBudget()
        self._near_types: dict[str, NearNames] = {}
        self._near_domains: tuple[tuple[str, ...], NearNames] = ((), self._near_domains_with(()))

    def has_domain(self, domain: str) -> bool:
        """Whether the runtime or a library provides operators of a domain."""
        return domain in self.runtime_domains or domain in self.library_domains

    def domains(self) -> frozenset[str]:
        """Return all domains that somebody provides."""
        return self.runtime_domains | self.library_domains

    def types_of(self, domain: str) -> Iterable[str]:
        """Yield the operators of a domain."""
        yield from (name for key, name in self._schemas if key == domain)
        yield from (name for key, name in self._provided if key == domain)

    def nearest_types(self, domain: str, name: str) -> tuple[str, ...]:
        """Return the operators of a domain whose names come near one, the nearest first."""
        if domain not in self._near_types:
            self._near_types[domain] = NearNames(self.types_of(domain), self._near_budget)
        return self._near_types[domain].nearest(name)

    def nearest_domains(self, name: str, imported: Iterable[str] = ()) -> tuple[str, ...]:
        """Return the domains whose names come near one: provided or imported ones, and known ones of other makers."""
        given = tuple(imported)
        if given != self._near_domains[0]:
            # Functions have imports of their own; one after the other is asked about.
            self._near_domains = (given, self._near_domains_with(given))
        return self._near_domains[1].nearest(name)

    def _near_domains_with(self, imported: Iterable[str]) -> NearNames:
        return NearNames([*imported, *self.domains(), *known_domains()], self._near_budget)

    def domains_of(self, name: str) -> tuple[str, ...]:
        """Return the domains that have an operator of exactly this name."""
        return tuple(sorted(self._domains_of.get(name, ())))

    def versions_of(self, domain: str, name: str) -> tuple[int, ...]:
        """Return the versions at which an operator came into being or changed, ascending."""
        schemas = [schema.since_version for schema in self._schemas.get((domain, name), ())]
        return tuple(sorted({*schemas, *(entry.operator.since for entry in self.provided(domain, name))}))

    def schema(self, domain: str, name: str, version: int) -> OperatorSchema | None:
        """Return the runtime's definition in force at a version of the domain."""
        schemas = self._schemas.get((domain, name), [])
        position = bisect.bisect_right([schema.since_version for schema in schemas], version)
        return schemas[position - 1] if position else None

    def provided(self, domain: str, name: str) -> Sequence[ProvidedOperator]:
        """Return the operators of libraries that have this name, in the order of registration."""
        return self._provided.get((domain, name), ())

    def contract(self, domain: str, name: str) -> KnownContract | None:
        """Return the contract of the workspace that declares an operator; it implements nothing."""
        return self._contracts.get((domain, name))

    def contracts_of(self, domain: str) -> tuple[KnownContract, ...]:
        """Return the contracts of the workspace that declare operators of a domain."""
        return tuple(known for (owner, _), known in self._contracts.items() if owner == domain)

    @property
    def contract_paths(self) -> tuple[str, ...]:
        """The paths of the contracts."""
        return tuple(known.path for known in self._contracts.values())

    def kernels(self, schema: OperatorSchema) -> list[KernelDefinition]:
        """Return the kernels of the chosen providers for a definition, in the order of the providers.

        A kernel without a last version is for the definition that it began with: the next one might mean something
        else. Source: observed of ONNX Runtime 1.32, whose lists close the range when a definition goes on unchanged.
        """
        since = schema.since_version
        found = [
            kernel
            for kernel in self._kernels.get((schema.domain, schema.type), ())
            if kernel.provider in self.providers
            and (kernel.since == since or (kernel.since < since <= kernel.until and not kernel.is_open))
        ]
        return sorted(found, key=lambda kernel: self.providers.index(kernel.provider))


def functions_by_name(functions: Iterable[FunctionRecord]) -> Mapping[tuple[str, str, str], FunctionRecord]:
    """Return local functions by domain, name and overload."""
    return {(function.domain, function.name, function.overload): function for function in functions}
