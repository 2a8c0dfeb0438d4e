"""ONNX models of one node, and running models with tensors of any type."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from opstudio.base.data_type import DataType
from opstudio.checks.cases import Case
from opstudio.contract.operator import AttributeValue, OperatorContract

IR_VERSION = 10
OPSET = 21
"""The oldest release in which Cast and Identity know every type of the contract, bfloat16 included."""

Dimensions = Sequence[int | str]


def one_node_model(
    contract: OperatorContract,
    types: Mapping[str, DataType],
    shapes: Mapping[str, Sequence[Dimensions]],
    attributes: Mapping[str, AttributeValue],
) -> bytes:
    """Return a model whose only node is the operator; outputs have neither shape nor type, so that they are inferred.

    Sizes may be names of dimensions that vary. An absent optional input is left out.
    """
    import onnx
    from onnx import helper

    inputs: list[Any] = []
    node_inputs: list[str] = []
    for item in contract.inputs:
        group = shapes.get(item.name, ())
        names = [item.name] if not item.variadic else [f"{item.name}_{index}" for index in range(len(group))]
        if not group:
            node_inputs.append("")
            continue
        node_inputs += names
        for name, shape in zip(names, group, strict=True):
            inputs.append(helper.make_tensor_value_info(name, types[item.name].onnx_code, list(shape)))
    while node_inputs and not node_inputs[-1]:
        node_inputs.pop()
    node = helper.make_node(
        contract.onnx_type,
        node_inputs,
        [output.name for output in contract.outputs],
        name=contract.name,
        domain=contract.domain,
        **{name: onnx_attribute(value) for name, value in attributes.items()},
    )
    graph = helper.make_graph(
        [node], contract.name, inputs, [onnx.ValueInfoProto(name=output.name) for output in contract.outputs]
    )
    imports = [helper.make_opsetid("", OPSET), helper.make_opsetid(contract.domain, contract.version)]
    model: bytes = helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION).SerializeToString()
    return model


def onnx_attribute(value: AttributeValue) -> Any:
    """Return an attribute value in the form that ONNX keeps: bools are integers there."""
    if isinstance(value, bool):
        return int(value)
    return list(value) if isinstance(value, tuple) else value


def open_session(
    model: bytes | str, library: str | None, *, level: str | None = None, threads: int = 1, save_to: str | None = None
) -> Any:
    """Return a CPU session of a model, by content or path; ``save_to`` keeps the optimised graph.

    Raises:
        Exception: what the runtime refuses the model with.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Threads that spin after a run would take the processor from whatever is timed next, PyTorch above all.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if level is not None:
        options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    if save_to is not None:
        options.optimized_model_filepath = save_to
    if library is not None:
        options.register_custom_ops_library(library)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def run_session(session: Any, case: Case) -> tuple[Any, ...]:
    """Run a session on a case and return PyTorch tensors.

    Tensors travel as ``OrtValue``, since NumPy has no bfloat16.
    """
    return run_tensors(session, tuple(tensor for group in case.inputs.values() for tensor in group))


def run_tensors(session: Any, tensors: tuple[Any, ...]) -> tuple[Any, ...]:
    """Run a session on tensors in the order of its inputs and return PyTorch tensors."""
    names = [item.name for item in session.get_inputs()]
    feeds = {name: _ort_value(tensor) for name, tensor in zip(names, tensors, strict=True)}
    outputs = session.run_with_ort_values(None, feeds)
    return tuple(_to_torch(value) for value in outputs)


def bound_run(session: Any, case: Case, outputs: tuple[Any, ...]) -> Callable[[], None]:
    """Return a call that runs a session on memory bound beforehand, so that no copy is timed."""
    binding = session.io_binding()
    tensors = [tensor for group in case.inputs.values() for tensor in group]
    for item, tensor in zip(session.get_inputs(), tensors, strict=True):
        binding.bind_ortvalue_input(item.name, _ort_value(tensor))
    for item, tensor in zip(session.get_outputs(), outputs, strict=True):
        binding.bind_ortvalue_output(item.name, _ort_value(tensor.clone()))
    return lambda: session.run_with_iobinding(binding)


def _ort_value(tensor: Any) -> Any:
    import onnxruntime

    data_type = DataType(str(tensor.dtype).removeprefix("torch."))
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(_raw(tensor), data_type.onnx_code)


def _raw(tensor: Any) -> Any:
    import torch

    plain = tensor.contiguous()
    return plain.view(torch.uint16).numpy() if plain.dtype == torch.bfloat16 else plain.numpy()


def _to_torch(value: Any) -> Any:
    import torch

    if value.element_type() != DataType.BFLOAT16.onnx_code:
        return torch.from_numpy(value.numpy())
    size = value.tensor_size_in_bytes()
    raw = bytearray(ctypes.string_at(value.data_ptr(), size)) if size else bytearray()
    return torch.frombuffer(raw, dtype=torch.bfloat16).reshape(value.shape()) if size else _empty(value.shape())


def _empty(shape: Sequence[int]) -> Any:
    import torch

    return torch.empty(tuple(shape), dtype=torch.bfloat16)
