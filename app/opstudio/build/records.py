"""What a build was asked for, what it plans to do, and what came of it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.finding import Severity
from opstudio.build.toolchain import Compiler, FrameworkBuild
from opstudio.contract.operator import OperatorContract
from opstudio.workspace.artifact_store import Artifact


@dataclass(frozen=True, slots=True)
class OperatorSources:
    """An operator's contract and the folder that its paths are relative to."""

    folder: Path
    contract: OperatorContract


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """What to build, and with what. ``torch`` is there for backends that need PyTorch's headers."""

    operators: tuple[OperatorSources, ...] = ()
    compiler: Compiler | None = None
    torch: FrameworkBuild | None = None
    flags: tuple[str, ...] = ()
    objects: tuple[Path, ...] = ()
    """Finished object files to link to."""
    headers: Path | None = None
    """The folder of the kernel header, parsed and compiled in advance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildStep:
    """One command. ``{out}`` in an argument stands for the folder that is built in."""

    title: str
    command: tuple[str, ...]
    dependency_file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPlan:
    """All that a build will do.

    ``key`` holds whatever the outputs depend on beside the content of files. ``generated`` are files that are written
    before the first step, by their name in the build folder.
    """

    kind: str
    key: Mapping[str, str | tuple[str, ...]]
    inputs: tuple[Path, ...]
    outputs: tuple[str, ...]
    steps: tuple[BuildStep, ...]
    versions: Mapping[str, str] = field(default_factory=dict)
    generated: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Whether a backend can work on this machine: an empty ``missing`` means that it can."""

    missing: str = ""
    fix: str = ""


class Scope(enum.StrEnum):
    """What a backend builds from."""

    OPERATOR = "operator"
    """The sources of one operator."""
    DOMAIN = "domain"
    """The sources of all operators of a domain together."""
    SUPPORT = "support"
    """Sources of the studio, alone or around an operator: checks ask for it, people do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildBackend:
    """The manifest of a backend: what it is called, what it builds from, whether it can work here, how it plans."""

    id: str
    title: str
    scope: Scope
    probe: Callable[[BuildRequest], Availability]
    plan: Callable[[BuildRequest], BuildPlan]
    needs_torch: bool = False
    """Whether it compiles against PyTorch's headers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message of a compiler or linker, at its place.

    ``origins`` are the lines that asked for the template it is in, innermost first.
    """

    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    notes: tuple[str, ...] = ()
    origins: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRecord:
    """What came of a build; the evidence of the stage ``build``."""

    backend: str
    succeeded: bool
    cached: bool
    seconds: float
    commands: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    output: str = ""
    artifact: str = ""

    @property
    def good(self) -> bool:
        """Whether the tools accepted the sources."""
        return self.succeeded

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{self.backend}, artifact {self.artifact}"


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A record and, where the build succeeded, the files."""

    record: BuildRecord
    artifact: Artifact | None
