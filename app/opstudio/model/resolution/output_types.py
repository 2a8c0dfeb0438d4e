"""The types of a node's outputs: from its definition, or from the attribute that names one.

Only element types; shapes are not needed to find a kernel. Source of the rules: the definitions of the operators in
ONNX, whose type constraints leave open what these attributes and nested graphs decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from opstudio.model.graph.records import AttributeKind, AttributeRecord, NodeRecord
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.value_types import TensorType
from opstudio.model.runtime.element_types import element_type_text
from opstudio.model.runtime.records import Arity, FormalParameter, OperatorSchema
from opstudio.model.runtime.type_texts import element_of, sequence_of, type_text

Types = tuple[str, ...]
_FLOAT, _INT64, _STRING, _UINT8 = (element_type_text(number) for number in (1, 7, 8, 2))


def formal(parameters: Sequence[FormalParameter], slot: int) -> FormalParameter | None:
    """Return the parameter that a slot belongs to: the last one takes all further ones where it is variadic."""
    if slot < len(parameters):
        return parameters[slot]
    if parameters and parameters[-1].arity is Arity.VARIADIC:
        return parameters[-1]
    return None


def bind_types(schema: OperatorSchema, inputs: Types) -> dict[str, str]:
    """Return the type that each type constraint has at a node, as far as its inputs tell."""
    bound: dict[str, str] = {}
    for slot, text in enumerate(inputs):
        parameter = formal(schema.inputs, slot)
        if text and parameter is not None:
            bound.setdefault(parameter.type, text)
    return bound


def output_types(node: NodeRecord, schema: OperatorSchema, inputs: Types) -> Types:
    """Return the types of a node's outputs; empty where they are not known."""
    if (special := _SPECIAL.get(node.type)) is not None and not schema.domain:
        attributes = {attribute.name: attribute for attribute in node.attributes}
        first = special(attributes, inputs)
        return (first, *[""] * (len(node.outputs) - 1))
    bound = bind_types(schema, inputs)
    return tuple(_output_type(schema, bound, slot) for slot in range(len(node.outputs)))


def has_own_rule(node: NodeRecord, schema: OperatorSchema) -> bool:
    """Whether an attribute or something else of a node decides the type of what it makes."""
    return node.type in _SPECIAL and not schema.domain


def _output_type(schema: OperatorSchema, bound: Mapping[str, str], slot: int) -> str:
    parameter = formal(schema.outputs, slot)
    if parameter is None:
        return ""
    allowed = schema.types.get(parameter.type)
    if allowed is None:
        return parameter.type
    return bound.get(parameter.type, allowed[0] if len(allowed) == 1 else "")


_Attributes = Mapping[str, AttributeRecord]
_Rule = Callable[[_Attributes, Types], str]


def _number(attributes: _Attributes, name: str, default: str) -> str:
    """Return the type whose number an attribute holds."""
    attribute = attributes.get(name)
    if attribute is None:
        return default
    return element_type_text(attribute.value) if isinstance(attribute.value, int) and attribute.value > 0 else ""


def _named_by(name: str, default: str = "") -> _Rule:
    return lambda attributes, _inputs: _number(attributes, name, default)


def _named_or_input(name: str, slot: int, default: str = "") -> _Rule:
    def rule(attributes: _Attributes, inputs: Types) -> str:
        if name in attributes and (named := _number(attributes, name, "")):
            return named
        return (inputs[slot] if slot < len(inputs) else "") or default

    return rule


def _input(slot: int) -> _Rule:
    return lambda _attributes, inputs: inputs[slot] if slot < len(inputs) else ""


_CONSTANTS = {
    "value_float": _FLOAT,
    "value_floats": _FLOAT,
    "value_int": _INT64,
    "value_ints": _INT64,
    "value_string": _STRING,
    "value_strings": _STRING,
}


def _constant(attributes: _Attributes, _inputs: Types) -> str:
    for name, attribute in attributes.items():
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        match attribute.value:
            case TensorRecord(element_type=element):
                return element_type_text(element)
            case SparseTensorRecord(values=values):
                return f"sparse_{element_type_text(values.element_type)}"
    return ""


def _filled(attributes: _Attributes, _inputs: Types) -> str:
    value = attributes["value"].value if "value" in attributes else None
    return element_type_text(value.element_type) if isinstance(value, TensorRecord) else _FLOAT


def _empty_sequence(attributes: _Attributes, _inputs: Types) -> str:
    return sequence_of(_number(attributes, "dtype", _FLOAT))


def _sequence(_attributes: _Attributes, inputs: Types) -> str:
    return sequence_of(inputs[0] if inputs else "")


def _element(_attributes: _Attributes, inputs: Types) -> str:
    """Return what a sequence or an optional holds; a value that is neither is its own element."""
    return (element_of(inputs[0]) or inputs[0]) if inputs else ""


def _optional(attributes: _Attributes, inputs: Types) -> str:
    attribute = attributes.get("type")
    inner = inputs[0] if inputs else ""
    if attribute is not None and attribute.kind is AttributeKind.TYPE and isinstance(attribute.value, TensorType):
        inner = type_text(attribute.value)
    return f"optional({inner})" if inner else ""


_SPECIAL: Mapping[str, _Rule] = {
    "Cast": _named_by("to"),
    "BitCast": _named_by("to"),
    "CastLike": _input(1),
    "Constant": _constant,
    "ConstantOfShape": _filled,
    "EyeLike": _named_or_input("dtype", 0),
    "Bernoulli": _named_or_input("dtype", 0),
    "RandomNormalLike": _named_or_input("dtype", 0),
    "RandomUniformLike": _named_or_input("dtype", 0),
    "RandomNormal": _named_by("dtype", _FLOAT),
    "RandomUniform": _named_by("dtype", _FLOAT),
    "Multinomial": _named_by("dtype", element_type_text(6)),
    "HannWindow": _named_by("output_datatype", _FLOAT),
    "HammingWindow": _named_by("output_datatype", _FLOAT),
    "BlackmanWindow": _named_by("output_datatype", _FLOAT),
    "MelWeightMatrix": _named_by("output_datatype", _FLOAT),
    "QuantizeLinear": _named_or_input("output_dtype", 2, _UINT8),
    "DequantizeLinear": _named_or_input("output_dtype", 1, _FLOAT),
    "SequenceEmpty": _empty_sequence,
    "SequenceConstruct": _sequence,
    "SplitToSequence": _sequence,
    "SequenceAt": _element,
    "ConcatFromSequence": _element,
    "OptionalGetElement": _element,
    "Optional": _optional,
}
