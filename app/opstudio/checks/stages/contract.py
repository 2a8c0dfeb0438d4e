"""The contract is readable, and breaks nothing that was published under its version."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.checks.check import Check, Pace, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractEvidence:
    """The schema of the contract, the published versions, and what it takes away from them."""

    schema: str
    version: int
    published: tuple[int, ...]
    breaking: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether nothing published is broken."""
        return not self.breaking

    @property
    def summary(self) -> str:
        """One line for people."""
        return self.schema


CHECK = Check(
    id="contract",
    title="Contract",
    order=5,
    pace=Pace.FAST,
    evidence=ContractEvidence,
    depends=frozenset({Part.CONTRACT}),
)
