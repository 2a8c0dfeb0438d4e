"""An operator around a function that the dispatcher does not know, so that exporters keep it whole."""

from __future__ import annotations

import re

from opstudio.model.export_debugging.eager_records import CustomCall
from opstudio.model.export_debugging.records import StubKind
from opstudio.model.export_debugging.signature import Signature, signature_of
from opstudio.model.export_debugging.stubs.fake import draft_fake
from opstudio.model.export_debugging.stubs.stub import Draft

_TYPES = {
    "Tensor": "torch.Tensor",
    "Parameter": "torch.Tensor",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
}
_SCHEMA_TYPES = {
    "Tensor": "Tensor",
    "Parameter": "Tensor",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
}


def signature_of_function(call: CustomCall, namespace: str) -> Signature | None:
    """Return the signature that an operator around an ``autograd.Function`` would have.

    ``None`` where an argument is of a type that no operator takes.
    """
    arguments = []
    for name, kind in call.kinds.items():
        if (text := _SCHEMA_TYPES.get(kind)) is None:
            return None
        arguments.append(f"{text} {name}")
    returns = ["Tensor"] * len(call.outputs)
    result = returns[0] if len(returns) == 1 else f"({', '.join(returns)})"
    schema = f"{namespace}::{operator_name(call.operator)}({', '.join(arguments)}) -> {result}"
    return signature_of(
        CustomCall(
            operator=f"{namespace}::{operator_name(call.operator)}",
            schema=schema,
            at=call.at,
            module=call.module,
            attributes=call.attributes,
            inputs=call.inputs,
            outputs=call.outputs,
        )
    )


def operator_name(function: str) -> str:
    """Return the name of an operator for a class: ``swish`` of ``SwishFunction``."""
    short = re.sub(r"(?:Function|Fn|Op)$", "", function) or function
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", short).lower()


def draft_operator(signature: Signature, call: CustomCall) -> Draft:
    """Return the operator, its Meta kernel, and what to call in the model."""
    name = signature.name
    arguments = ", ".join(f"{key}: {_TYPES[kind]}" for key, kind in call.kinds.items())
    plain = ", ".join(call.kinds)
    returned = "torch.Tensor" if len(call.outputs) == 1 else f"tuple[{', '.join(['torch.Tensor'] * len(call.outputs))}]"
    fake = draft_fake(signature)
    code = [
        f'@torch.library.custom_op("{signature.qualified_name}", mutates_args=())',
        f"def {name}({arguments}) -> {returned}:",
        f"    return {call.operator}.apply({plain})",
        "",
        "",
        *fake.code,
    ]
    called = f"torch.ops.{signature.namespace}.{name}"
    return Draft(
        kind=StubKind.OPERATOR,
        signature=signature,
        exporter=None,
        imports=("import torch",),
        code=tuple(code),
        todo=(f"call {called} where the model calls {call.operator}.apply", *fake.todo),
    )
