"""A symbolic function for the TorchScript exporter: each call becomes one node of the operator's own domain."""

from __future__ import annotations

from opstudio.model.export_debugging.eager_records import TensorNote
from opstudio.model.export_debugging.records import StubKind
from opstudio.model.export_debugging.signature import Kind, Parameter, Signature
from opstudio.model.export_debugging.stubs.stub import Draft
from opstudio.model.export_request import Exporter

_SUFFIXES = {Kind.INT: "i", Kind.FLOAT: "f", Kind.BOOL: "i", Kind.STRING: "s"}
"""How ``g.op`` is told the type of an attribute; lists have that of their items."""
_OPSET = 9
"""A symbolic serves this opset and later ones."""


def draft_symbolic(signature: Signature) -> Draft:
    """Return the symbolic function and its registration."""
    name = f"{signature.identifier}_symbolic"
    letters = ", ".join(f'"{_letter(item)}"' for item in signature.parameters)
    arguments = ", ".join(["g", *(_declared(item) for item in signature.parameters)])
    body = [*_inputs(signature), *_node(signature), *_types(signature)]
    code = [
        f"@symbolic_helper.parse_args({letters})",
        f"def {name}({arguments}):",
        *(f"    {line}" for line in body),
        "",
        "",
        f'register_custom_op_symbolic("{signature.qualified_name}", {name}, {_OPSET})',
    ]
    return Draft(
        kind=StubKind.SYMBOLIC,
        signature=signature,
        exporter=Exporter.TORCHSCRIPT,
        imports=("import torch", "from torch.onnx import register_custom_op_symbolic, symbolic_helper"),
        code=tuple(code),
    )


def _letter(item: Parameter) -> str:
    if not item.is_attribute:
        return item.kind.value
    return f"{'i' if item.kind is Kind.BOOL and item.is_list else item.kind.value}{'s' if item.is_list else ''}"


def _declared(item: Parameter) -> str:
    return item.variable if item.default is None else f"{item.variable}={item.default}"


def _has_gaps(signature: Signature) -> bool:
    """Whether a call may leave inputs out, or has lists of them: then they are gathered first."""
    return any(item.is_optional or item.is_list for item in signature.tensors)


def _inputs(signature: Signature) -> list[str]:
    if not _has_gaps(signature):
        return []
    items = [
        f"*symbolic_helper._unpack_list({item.variable})" if item.is_list else item.variable
        for item in signature.tensors
    ]
    lines = [f"inputs = [{', '.join(items)}]"]
    if any(item.is_optional for item in signature.tensors):
        lines += ["while inputs and symbolic_helper._is_none(inputs[-1]):", "    inputs.pop()"]
    return lines


def _node(signature: Signature) -> list[str]:
    inputs = ["*inputs"] if _has_gaps(signature) else [item.variable for item in signature.tensors]
    kind = f'"{signature.namespace}::{signature.onnx_type}"'
    optional = [item for item in signature.attributes if item.is_optional]
    named = [
        f"{item.name}_{_SUFFIXES[item.kind]}={_value(item)}" for item in signature.attributes if not item.is_optional
    ]
    lines = []
    if optional:
        # An attribute cannot be None: it is left out.
        lines.append("optional = {}")
        for item in optional:
            lines += [
                f"if {item.variable} is not None:",
                f'    optional["{item.name}_{_SUFFIXES[item.kind]}"] = {_value(item)}',
            ]
        named.append("**optional")
    if len(signature.returns) != 1:
        named.append(f"outputs={len(signature.returns)}")
    target = "y" if len(signature.returns) == 1 else "outputs"
    return [*lines, f"{target} = g.op({', '.join([kind, *inputs, *named])})"]


def _value(item: Parameter) -> str:
    if item.kind is not Kind.BOOL:
        return item.variable
    return f"[int(value) for value in {item.variable}]" if item.is_list else f"int({item.variable})"


def _types(signature: Signature) -> list[str]:
    """Give the outputs types, without which everything behind the node has neither type nor shape."""
    if len(signature.returns) == 1:
        typed = _typed("y", signature, signature.outputs[0]) if signature.outputs else []
        return [*typed, "return y"]
    lines = [
        line for index, note in enumerate(signature.outputs) for line in _typed(f"outputs[{index}]", signature, note)
    ]
    return [*lines, "return outputs"]


def _typed(value: str, signature: Signature, note: TensorNote) -> list[str]:
    like = _like(signature, note)
    if like is None:
        return []
    parameter, given = like
    source = f"{parameter.variable}.type()"
    if given.sizes != note.sizes:
        source += f".with_sizes({[None] * len(note.sizes)})"  # the rank; sizes may vary
    if given.type != note.type:
        source += f".with_dtype(torch.{note.type})"
    return [f"{value}.setType({source})"]


def _like(signature: Signature, note: TensorNote) -> tuple[Parameter, TensorNote] | None:
    """Return the argument whose type is nearest to an output's: that of the same sizes, else the first one."""
    single = [
        (item, given)
        for item in signature.tensors
        if not item.is_list and not item.is_optional and (given := signature.first_input(item)) is not None
    ]
    alike = [pair for pair in single if pair[1].sizes == note.sizes]
    same = [pair for pair in alike if pair[1].type == note.type]
    return next(iter([*same, *alike, *single]), None)
