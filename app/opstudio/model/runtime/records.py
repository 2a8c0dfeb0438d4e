"""Operators and kernels of a runtime, as plain records.

The standard domain, which files call ``ai.onnx`` or nothing at all, has no name here. Types are written as ONNX writes
them: ``tensor(float)``, ``seq(tensor(int64))``.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

LATEST = 2**31 - 1
"""The end of a range of versions that is open. Source: ONNX Runtime's ``INT_MAX``."""


class Arity(enum.StrEnum):
    """How often an input or output occurs."""

    SINGLE = "single"
    OPTIONAL = "optional"
    VARIADIC = "variadic"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormalParameter:
    """An input or output of an operator. ``type`` names a type constraint of the operator, or is a type itself.

    ``homogeneous`` says that all values of a variadic one have one type.
    """

    name: str
    type: str
    arity: Arity = Arity.SINGLE
    homogeneous: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FormalAttribute:
    """An attribute of an operator; ``kind`` is in ONNX's words, such as FLOAT or INTS."""

    name: str
    kind: str
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSchema:
    """One version of an operator. ``types`` are the types that each type constraint allows.

    ``least_inputs`` and ``most_inputs`` bound how many a node may have, those left out at the end not counted; so for
    outputs.
    """

    domain: str
    type: str
    since_version: int
    inputs: tuple[FormalParameter, ...]
    outputs: tuple[FormalParameter, ...]
    attributes: tuple[FormalAttribute, ...]
    types: Mapping[str, tuple[str, ...]]
    least_inputs: int
    most_inputs: int
    least_outputs: int
    most_outputs: int
    deprecated: bool = False
    expanded_types: tuple[str, ...] = ()
    """The types of the first input for which the runtime can do with other operators where it has no kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelDefinition:
    """A kernel of a provider, for versions ``since`` to ``until`` of an operator and for some of its types."""

    provider: str
    domain: str
    type: str
    since: int
    until: int
    types: Mapping[str, tuple[str, ...]]

    @property
    def is_open(self) -> bool:
        """Whether no last version is known."""
        return self.until == LATEST


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeTables:
    """All that a build of ONNX Runtime knows. ``providers`` are those that this machine could use.

    ``newest_opsets`` are the highest versions of domains that a file may import, ``newest_ir_version`` is the highest
    version of the file format; of domains that are not named, any version is taken.
    """

    release: str
    providers: tuple[str, ...]
    schemas: tuple[OperatorSchema, ...]
    kernels: tuple[KernelDefinition, ...]
    newest_opsets: Mapping[str, int]
    newest_ir_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryParameter:
    """An input or output of an operator of a library. ``type`` is empty where the operator takes any.

    ``homogeneous`` says that all values of a variadic one have one type.
    """

    type: str
    arity: Arity = Arity.SINGLE
    least: int = 0
    homogeneous: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryOperator:
    """An operator as a library registers it. ``provider`` is empty where any may run it."""

    domain: str
    type: str
    since: int
    until: int
    provider: str
    inputs: tuple[LibraryParameter, ...]
    outputs: tuple[LibraryParameter, ...]
    infers_shapes: bool
    version: int
    """Of the structure that describes it: the API version that it was compiled with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryContents:
    """What a library registers.

    ``asked`` are the API versions that it asked the runtime for, in order; ``newest_api`` is the newest that there is.
    ``refusal`` is what kept it from registering everything, in its own or the runtime's words; empty where nothing did.
    """

    path: str
    domains: tuple[str, ...]
    operators: tuple[LibraryOperator, ...]
    asked: tuple[int, ...]
    newest_api: int
    refusal: str = ""
