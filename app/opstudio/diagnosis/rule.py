"""What a rule is, and what it may know beside the evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.finding import Finding, Json, Place, Severity
from opstudio.base.toml_document import TomlDocument
from opstudio.base.toml_positions import TomlPath
from opstudio.build.symbols import SourceLine
from opstudio.contract.operator import AttributeValue, OperatorContract
from opstudio.diagnosis.functions import blank_comments, find_function

Frames = Sequence[tuple[str, int]]
"""A call stack as ``(library, offset)`` pairs, innermost first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What evidence is about. ``stage`` is where it was seen."""

    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleContext(Context):
    """The operator that the evidence is about, and ways to point at its files."""

    folder: Path
    contract: OperatorContract
    document: TomlDocument
    locate: Callable[[Frames], tuple[SourceLine, ...]]
    relative: Callable[[str], str]

    def place_in_contract(self, path: TomlPath, *, at_value: bool = False) -> Place:
        """Return where a key of the contract stands."""
        place = self.document.place(path, at_value=at_value)
        return Place(file=self.relative(place.file or ""), line=place.line, column=place.column)

    def place_of_frames(self, frames: Frames) -> Place | None:
        """Return the innermost line of a call stack that belongs to the operator's own files."""
        for line in self.locate(frames):
            if Path(line.file).is_relative_to(self.folder):
                return Place(file=self.relative(line.file), line=line.line)
        return None

    def place_of_function(self, role: str) -> Place:
        """Return where the function with a role (``forward``, ``backward``, ``meta``, ``autograd``) is defined.

        The sources are searched as text. Where they do not tell, it is the first of them as a whole.
        """
        paths = [self.folder / name for name in self.contract.kernel.sources]
        texts = {
            str(path): blank_comments(path.read_text(encoding="utf-8", errors="replace"))
            for path in paths
            if path.is_file()
        }
        found = find_function(texts, role, self.contract.name)
        if found is not None:
            return Place(file=self.relative(found[0]), line=found[1])
        return Place(file=self.relative(str(paths[0] if paths else self.folder)))

    def attributes_of(self, sample: str) -> dict[str, AttributeValue]:
        """Return the attributes of a sample as the operator gets them; none where the contract has no such sample."""
        found = next((item for item in self.contract.samples if item.name == sample), None)
        return {} if found is None else dict(self.contract.complete_attributes(found.attributes))

    def output_path(self, name: str, key: str) -> TomlPath:
        """Return the path of a key of an output in the contract."""
        index = next(index for index, item in enumerate(self.contract.outputs) if item.name == name)
        return ("output", index, key)

    def attribute_path(self, name: str, key: str) -> TomlPath:
        """Return the path of a key of an attribute in the contract."""
        index = next(index for index, item in enumerate(self.contract.attributes) if item.name == name)
        return ("attribute", index, key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The manifest of a rule.

    ``needs`` is the class of the evidence it looks at (or several of them). ``check`` gets it and its context;
    ``stages`` limits it to some stages, where several have that class of evidence.
    """

    id: str
    title: str
    needs: type[Any] | tuple[type[Any], ...]
    check: Callable[[Any, Any], Iterable[Finding]]
    severity: Severity = Severity.ERROR
    stages: tuple[str, ...] = ()

    def finding(  # noqa: PLR0913 - the parts of a finding
        self,
        context: Context,
        *,
        cause: str,
        fix: str,
        places: Iterable[Place | None] = (),
        evidence: Mapping[str, Json] | None = None,
        title: str = "",
        severity: Severity | None = None,
    ) -> Finding:
        """Return a finding of this rule."""
        return Finding(
            id=self.id,
            stage=context.stage,
            severity=severity or self.severity,
            title=title or self.title,
            cause=cause,
            fix=fix,
            places=tuple(place for place in places if place is not None),
            evidence=evidence or {},
        )
