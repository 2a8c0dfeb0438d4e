"""A contract made from nothing but a schema, for operators that have none: what a node of the operator would hold.

It states no more than the schema does. A translation may write other nodes (``expand``), and an argument that may be
absent is no attribute that must be there.
"""

from __future__ import annotations

from opstudio.base.data_type import DataType
from opstudio.contract.operator import (
    Attribute,
    AttributeKind,
    AttributeValue,
    ExportOptions,
    Input,
    Kernel,
    KernelKind,
    OperatorContract,
    Output,
)
from opstudio.model.export_debugging.signature import Kind, Parameter, Signature

_KINDS = {
    (Kind.INT, False): AttributeKind.INT,
    (Kind.FLOAT, False): AttributeKind.FLOAT,
    (Kind.BOOL, False): AttributeKind.BOOL,
    (Kind.STRING, False): AttributeKind.STRING,
    (Kind.INT, True): AttributeKind.INTS,
    (Kind.FLOAT, True): AttributeKind.FLOATS,
}
_NOTHING: dict[AttributeKind, AttributeValue] = {
    AttributeKind.INT: 0,
    AttributeKind.FLOAT: 0.0,
    AttributeKind.BOOL: False,
    AttributeKind.STRING: "",
    AttributeKind.INTS: (),
    AttributeKind.FLOATS: (),
}


def contract_of(signature: Signature, *, file: str) -> OperatorContract:
    """Return what is known of an operator of the person's ``file``, which registers its translations as well."""
    return OperatorContract(
        name=signature.name,
        domain=signature.namespace,
        version=1,
        summary="",
        onnx_type=signature.onnx_type,
        inputs=tuple(
            Input(name=item.name, types=tuple(DataType), optional=item.is_optional, variadic=item.is_list)
            for item in signature.tensors
        ),
        attributes=tuple(
            Attribute(name=item.name, kind=kind, default=None if item.default is None else _NOTHING[kind])
            for item in signature.attributes
            if (kind := _kind(item)) is not None and not item.is_optional
        ),
        outputs=tuple(
            Output(name=f"output_{index}", type=DataType.FLOAT32, shape="") for index in range(len(signature.returns))
        ),
        kernel=Kernel(kind=KernelKind.RAW),
        gradient=None,
        reference="",
        model=None,
        samples=(),
        tolerances={},
        export=ExportOptions(registration=file, expand=True),
    )


def contract_of_model(file: str, *, opset: int) -> OperatorContract:
    """Return what takes a contract's place where a model calls no operator but PyTorch's own."""
    return OperatorContract(
        name="model",
        domain="",
        version=1,
        summary="",
        onnx_type="",
        inputs=(),
        attributes=(),
        outputs=(),
        kernel=Kernel(kind=KernelKind.RAW),
        gradient=None,
        reference="",
        model=None,
        samples=(),
        tolerances={},
        export=ExportOptions(opset=opset, registration=file, expand=True),
    )


def _kind(item: Parameter) -> AttributeKind | None:
    return _KINDS.get((item.kind, item.is_list))
