"""A translation for the dynamo exporter: each call becomes one node of the operator's own domain.

The node is written through a schema of its own, since without one the exporter drops attributes in silence.
"""

from __future__ import annotations

from opstudio.base.data_type import DataType
from opstudio.model.export_debugging.eager_records import TensorNote
from opstudio.model.export_debugging.records import StubKind
from opstudio.model.export_debugging.signature import Kind, Parameter, Signature
from opstudio.model.export_debugging.stubs.stub import Draft
from opstudio.model.export_request import Exporter

_ATTRIBUTES = {Kind.INT: "INT", Kind.FLOAT: "FLOAT", Kind.BOOL: "INT", Kind.STRING: "STRING"}
_ANNOTATIONS = {Kind.INT: "int", Kind.FLOAT: "float", Kind.BOOL: "bool", Kind.STRING: "str"}
_ELEMENTS = "float double float16 bfloat16 int8 int16 int32 int64 uint8 bool"
_VERSION = 1


def draft_translation(signature: Signature) -> Draft:
    """Return the translation and its entry of ``custom_translation_table``."""
    name = f"{signature.identifier}_translation"
    schema = f"{signature.identifier}_schema"
    node = f"{signature.identifier}_node"
    domain, kind = signature.namespace, signature.onnx_type
    imports = ["import onnx", "import onnxscript", "import torch"]
    if any(item.is_list for item in signature.attributes):
        imports.append("from collections.abc import Sequence")
    code = [
        f"def {schema}({_counts(signature)}):",
        "    parameter, option = onnx.defs.OpSchema.FormalParameter, onnx.defs.OpSchema.FormalParameterOption",
        "    attribute, kinds = onnx.defs.OpSchema.Attribute, onnx.defs.OpSchema.AttrType",
        f'    names = "{_ELEMENTS}"',
        '    tensors = [f"tensor({name})" for name in names.split()]',
        "    return onnx.defs.OpSchema(",
        f'        "{kind}",',
        f'        "{domain}",',
        f"        {_VERSION},",
        f"        inputs=[{', '.join(map(_input, signature.tensors))}],",
        f"        outputs=[{', '.join(_output(signature, index) for index in range(len(signature.returns)))}],",
        f"        type_constraints=[{', '.join(_constraints(signature))}],",
        f"        attributes=[{', '.join(map(_attribute, signature.attributes))}],",
        "    )",
        "",
        "",
        f"def {name}({', '.join(_declared(item) for item in signature.parameters)}):",
        *(f"    {line}" for line in _body(signature, node, schema)),
    ]
    return Draft(
        kind=StubKind.TRANSLATION,
        signature=signature,
        exporter=Exporter.DYNAMO,
        imports=tuple(imports),
        code=tuple(code),
        entry=f"torch.ops.{domain}.{signature.name}.{signature.overload}: {name}",
    )


def table_lines(drafts: list[Draft], *, has_register: bool) -> list[str]:
    """Return the function that hands the table to the exporter."""
    entries = [f"        {draft.entry}," for draft in drafts]
    before = ["registered_before = register", "", ""] if has_register else []
    rest = ["        **(registered_before() or {}),"] if has_register else []
    return [
        *before,
        "def register():",
        '    """Pass it on: torch.onnx.export(…, dynamo=True, custom_translation_table=register())."""',
        "    return {",
        *rest,
        *entries,
        "    }",
    ]


def _counts(signature: Signature) -> str:
    """Return the arguments of the schema: how many tensors each list has, since each is an input of its own."""
    return ", ".join(f"{item.variable}_count" for item in signature.tensors if item.is_list)


def _input(item: Parameter) -> str:
    label = f"T_{item.name}"
    if item.is_list:
        return f'*(parameter(f"{item.name}_{{index}}", "{label}") for index in range({item.variable}_count))'
    option = ", param_option=option.Optional" if item.is_optional else ""
    return f'parameter("{item.name}", "{label}"{option})'


def _output(signature: Signature, index: int) -> str:
    name = "y" if len(signature.returns) == 1 else f"y{index}"
    note = signature.outputs[index] if index < len(signature.outputs) else None
    alike = [] if note is None else [item for item in signature.tensors if _type_of(signature, item) == note.type]
    if alike and not alike[0].is_list:
        return f'parameter("{name}", "T_{alike[0].name}")'
    return f'parameter("{name}", "{onnx_type("float32" if note is None else note.type)}")'


def _constraints(signature: Signature) -> list[str]:
    return [f'("T_{item.name}", tensors, "")' for item in signature.tensors]


def _type_of(signature: Signature, item: Parameter) -> str:
    note: TensorNote | None = signature.first_input(item)
    return "" if note is None else note.type


def onnx_type(name: str) -> str:
    """Return ONNX's name of a tensor with elements of a type of PyTorch."""
    names = {DataType.FLOAT32.value: "float", DataType.FLOAT64.value: "double", "complex64": "complex64"}
    return f"tensor({names.get(name, name)})"


def _attribute(item: Parameter) -> str:
    kind = _ATTRIBUTES[item.kind] + ("S" if item.is_list else "")
    return f'attribute("{item.name}", kinds.{kind}, required={not item.is_optional})'


def _declared(item: Parameter) -> str:
    annotation = _annotation(item)
    if item.default is None:
        return f"{item.variable}{annotation}"
    return f"{item.variable}{annotation} = {item.default}" if annotation else f"{item.variable}={item.default}"


def _annotation(item: Parameter) -> str:
    """Say the type of an attribute: what has none is taken for a tensor."""
    if not item.is_attribute:
        return ""
    text = _ANNOTATIONS[item.kind]
    text = f"Sequence[{text}]" if item.is_list else text
    return f": {text} | None" if item.is_optional else f": {text}"


def _body(signature: Signature, node: str, schema: str) -> list[str]:
    counts = ", ".join(f"len({item.variable})" for item in signature.tensors if item.is_list)
    inputs = [f"*{item.variable}" if item.is_list else item.variable for item in signature.tensors]
    lines = []
    optional = any(item.is_optional for item in signature.tensors)
    if optional:
        lines += [f"inputs = [{', '.join(inputs)}]", "while inputs and inputs[-1] is None:", "    inputs.pop()"]
        inputs = ["*inputs"]
    values = [f'"{item.name}": {_value(item)}' for item in signature.attributes]
    if values:
        given = f"{{{', '.join(values)}}}"
        if any(item.is_optional for item in signature.attributes):
            lines += [f"given = {given}", "given = {name: value for name, value in given.items() if value is not None}"]
        else:
            lines.append(f"given = {given}")
        inputs = [*inputs, "**given"]
    opset = f'onnxscript.values.Opset("{signature.namespace}", {_VERSION})'
    lines += [
        f'{node} = onnxscript.values.Op({opset}, "{signature.onnx_type}", {schema}({counts}))',
        f"return {node}({', '.join(inputs)})",
    ]
    return lines


def _value(item: Parameter) -> str:
    name = item.variable
    text = name
    if item.kind is Kind.BOOL:
        text = f"[int(value) for value in {name}]" if item.is_list else f"int({name})"
    elif item.is_list:
        text = f"list({name})"
    return f"None if {name} is None else {text}" if item.is_optional and text != name else text
