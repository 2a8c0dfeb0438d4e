"""How nodes are resolved, as plain records."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from opstudio.model.graph.records import NodeRecord


class Origin(enum.StrEnum):
    """Who implements a node."""

    RUNTIME = "runtime"
    LIBRARY = "library"
    FUNCTION = "function"
    """A local function of the model file; the nodes of its body are resolved on their own."""


class Step(enum.StrEnum):
    """Questions that a node must pass, in the order in which ONNX Runtime asks them: the first that fails counts."""

    IMPORT = "import"
    """The file imports the domain, or somebody who is loaded provides it."""
    DOMAIN = "domain"
    """Somebody provides the domain."""
    OPERATOR = "operator"
    """The domain has an operator of that name."""
    VERSION = "version"
    """The operator exists at the imported version."""
    FORM = "form"
    """Inputs, outputs and attributes are those of that version."""
    TYPES = "types"
    """The types of the inputs are ones that the operator takes."""
    SHAPES = "shapes"
    """The shapes of the inputs, as far as they are known, fit together."""
    PROVIDER = "provider"
    """A chosen execution provider has a kernel of it."""
    KERNEL = "kernel"
    """One of these kernels takes these types."""
    CREATION = "creation"
    """The kernel lets itself be made with the node's attributes."""


class Through(enum.StrEnum):
    """What the runtime does with a node instead of running it as it is."""

    NOTHING = ""
    INITIALIZER = "becomes an initializer"
    FLOAT = "computed as float"
    OTHERS = "expanded into other operators"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A node that somebody implements.

    ``provider`` runs it; empty for functions. ``library`` is the path of the one that brings it. ``through`` says what
    the runtime does on the way: converts half to float, or expands the operator into others. ``unsure`` says that types
    are not known, so that a kernel for them was taken for granted.
    """

    origin: Origin
    provider: str = ""
    library: str = ""
    since_version: int = 0
    through: Through = Through.NOTHING
    unsure: bool = False

    @property
    def party(self) -> str:
        """Who implements it: a library's file, ``function``, a provider, or what the runtime does instead."""
        match self.origin:
            case Origin.LIBRARY:
                return Path(self.library).name
            case Origin.FUNCTION:
                return "function"
            case Origin.RUNTIME:
                return self.provider or self.through


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """A node that nobody implements: the first question that it fails, and the answer in words.

    ``candidates`` are what comes close, the nearest first: domains, operators, versions or types, as the step asks.
    """

    step: Step
    reason: str
    candidates: tuple[str, ...] = ()
    library: str = ""
    """The path of the library whose operator was asked; empty where the runtime's was."""
    tensor: str = ""
    """The value that it is about, where it is about one."""
    contract: str = ""
    """The operator of the workspace whose contract declares such nodes; empty where none does."""


Resolution = Resolved | Unresolved


class DifferenceKind(enum.StrEnum):
    """In what a node differs from its contract."""

    COUNT = "count"
    TYPE = "type"
    ATTRIBUTE = "attribute"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractDifference:
    """What a node has otherwise than the contract of its operator. ``contract`` is the operator's name.

    ``path`` is the contract's; ``candidates`` are the types that it takes, where it is about a type.
    """

    contract: str
    path: str
    kind: DifferenceKind
    reason: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedNode:
    """A node with its answer. ``path`` leads to the graph or function it stands in; empty for the main graph.

    ``input_types`` are ONNX's texts, empty where a type is not known. ``remark`` adds to the answer what holds for this
    node alone: the shapes of its inputs, where they are what is wrong.
    """

    path: tuple[str, ...]
    index: int
    node: NodeRecord
    input_types: tuple[str, ...]
    resolution: Resolution
    remark: str = ""
