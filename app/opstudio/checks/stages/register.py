"""The operator is registered with PyTorch as its contract says: schema, kernels by dispatch key, defaults."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opstudio.base.errors import InputError
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Attribute, AttributeKind, OperatorContract
from opstudio.contract.schema_parser import parse_schema
from opstudio.contract.torch_schema import compare_schemas, render_default, render_schema

DISPATCH_KEYS = (
    "CPU",
    "CUDA",
    "Meta",
    "Autograd",
    "AutogradCPU",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutograd",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultRecord:
    """The default of an attribute as each side states it, as schema text; ``None`` where a side has none."""

    attribute: str
    contract: str | None
    schema: str | None
    reference: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEvidence:
    """What the dispatcher holds. ``kernels`` tells for each dispatch key whether there is a kernel of its own.

    ``schema`` is empty where the operator is not registered; ``defined`` then lists what the domain has instead, and
    operators of that name in other namespaces.
    """

    schema: str
    contract_schema: str
    kernels: Mapping[str, bool]
    defaults: tuple[DefaultRecord, ...]
    reference_parameters: tuple[str, ...]
    needs_autograd: bool
    defined: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether the dispatcher holds what the contract says."""
        return bool(self.schema) and not (self.schema_differences or self.missing_kernels or self.wrong_defaults)

    @property
    def schema_differences(self) -> tuple[str, ...]:
        """In which respects the registered schema differs from that of the contract, defaults aside."""
        if not self.schema:
            return ()
        return compare_schemas(parse_schema(self.schema, check_defaults=False), parse_schema(self.contract_schema))

    @property
    def missing_kernels(self) -> tuple[str, ...]:
        """The kernels that the contract calls for and the dispatcher lacks."""
        if not self.schema:
            return ()
        composite = self.kernels["CompositeImplicitAutograd"]
        explicit = composite or self.kernels["CompositeExplicitAutograd"]
        autograd = composite or self.kernels["Autograd"] or self.kernels["AutogradCPU"]
        present = {"CPU": explicit or self.kernels["CPU"], "Meta": explicit or self.kernels["Meta"]}
        missing = [key for key, found in present.items() if not found]
        return (*missing, *(["Autograd"] if self.needs_autograd and not autograd else []))

    @property
    def wrong_defaults(self) -> tuple[DefaultRecord, ...]:
        """The attributes whose default is not the same on all sides."""
        return tuple(
            record
            for record in self.defaults
            if record.schema != record.contract or record.reference not in (None, record.contract)
        )

    @property
    def summary(self) -> str:
        """One line for people."""
        return self.schema


def run(subject: Subject) -> RegisterEvidence:
    """Ask the dispatcher."""
    import torch

    contract = subject.contract
    if subject.operator is None:
        return _not_registered(contract)
    schema = subject.operator.default._schema  # noqa: SLF001 - no public form exists
    reference = _signature(subject)
    return RegisterEvidence(
        schema=str(schema),
        contract_schema=f"{contract.domain}::{render_schema(contract)}",
        kernels={
            key: torch._C._dispatch_has_kernel_for_dispatch_key(contract.qualified_name, key)  # noqa: SLF001
            for key in DISPATCH_KEYS
        },
        defaults=tuple(_defaults(contract, schema, reference)),
        reference_parameters=tuple(reference.parameters),
        needs_autograd=contract.gradient is not None,
    )


def _signature(subject: Subject) -> inspect.Signature:
    """Return the signature of the reference; an empty one where there is none, which the reference stage tells."""
    try:
        return inspect.signature(subject.load_reference())
    except InputError:
        return inspect.Signature()


def _not_registered(contract: OperatorContract) -> RegisterEvidence:
    import torch

    # Names with a schema: those that only have an implementation are no operators.
    names = {schema.name for schema in torch._C._jit_get_all_schemas()}  # noqa: SLF001 - no public list exists
    return RegisterEvidence(
        schema="",
        contract_schema=f"{contract.domain}::{render_schema(contract)}",
        kernels={},
        defaults=(),
        reference_parameters=(),
        needs_autograd=contract.gradient is not None,
        defined=tuple(
            sorted(name for name in names if contract.domain in name.split("::") or _is_alike(name, contract))
        ),
    )


def _is_alike(name: str, contract: OperatorContract) -> bool:
    """Whether an operator of another namespace has the name of the contract."""
    return name.rpartition("::")[2] == contract.name


def _defaults(contract: OperatorContract, schema: Any, reference: inspect.Signature) -> list[DefaultRecord]:
    # The values themselves: PyTorch prints 6.0 as 6, and letters beyond ASCII in a form that nobody can read.
    in_schema = {item.name: item.default_value for item in schema.arguments if item.has_default_value()}
    records: list[DefaultRecord] = []
    for attribute in contract.attributes:
        parameter = reference.parameters.get(attribute.name)
        has_default = parameter is not None and parameter.default is not inspect.Parameter.empty
        records.append(
            DefaultRecord(
                attribute=attribute.name,
                contract=None if attribute.default is None else render_default(attribute.default),
                schema=_render(attribute, in_schema[attribute.name]) if attribute.name in in_schema else None,
                reference=_render(attribute, parameter.default) if parameter is not None and has_default else None,
            )
        )
    return records


def _render(attribute: Attribute, value: Any) -> str:
    """Render a default as the contract's is: people write 6 for 6.0 and a list for a tuple."""
    if isinstance(value, list | tuple):
        return render_default(tuple(_number(attribute, item) for item in value))
    return render_default(_number(attribute, value))


def _number(attribute: Attribute, value: Any) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if whole and attribute.kind in (AttributeKind.FLOAT, AttributeKind.FLOATS) else value


CHECK = Check(
    id="register",
    title="Register",
    order=30,
    pace=Pace.FAST,
    evidence=RegisterEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.BINDING, Part.REFERENCE, Part.FRAMEWORKS}),
    needs=("build",),
)
