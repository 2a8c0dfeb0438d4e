"""Questions that the runtime answers by taking or refusing a model of one node. Runs in a worker."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from opstudio.model.runtime.element_types import element_type_number
from opstudio.model.runtime.records import Arity, OperatorSchema

_PLAIN_OPSET, _PLAIN_IR_VERSION = 13, 8
_MOST_VERSIONS = 100


def newest_opset(domain: str) -> int:
    """Return the highest version of a domain that a file may import, used or not."""
    return _newest(lambda version: _takes_nothing({domain: version}, _PLAIN_IR_VERSION))


def newest_ir_version() -> int:
    """Return the highest version of the file format."""
    return _newest(lambda version: _takes_nothing({}, version))


def expanded_types(schema: OperatorSchema, version: int, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return those types of an operator's first input with which it is taken, though no kernel has them.

    The runtime writes such an operator as others, where these have kernels. All inputs get the same type where they
    may; shapes are not given, so that they do not decide. ``version`` is that of the operator's domain.
    """
    return tuple(text for text in wanted if _takes_operator(schema, version, text))


def _newest(takes: Any) -> int:
    """Return the last version in a row that is taken, from the first that is."""
    first = next((version for version in range(1, _MOST_VERSIONS) if takes(version)), 0)
    if not first:
        return 0
    return next((version - 1 for version in range(first + 1, _MOST_VERSIONS) if not takes(version)), _MOST_VERSIONS)


def _takes_nothing(opsets: Mapping[str, int], ir_version: int) -> bool:
    """Whether a node that does nothing is taken, in a file of these versions."""
    return _is_taken("Identity", "", (1,), 1, {"": _PLAIN_OPSET, **opsets}, ir_version)


def _takes_operator(schema: OperatorSchema, version: int, text: str) -> bool:
    parameters = [item for item in schema.inputs if item.arity is not Arity.OPTIONAL]
    types: dict[str, str] = {parameters[0].type: text} if parameters else {}
    numbers: list[int] = []
    for parameter in parameters:
        allowed = schema.types.get(parameter.type, (parameter.type,))
        chosen = types.setdefault(parameter.type, text if text in allowed else allowed[0])
        numbers.append(element_type_number(chosen))
    if not numbers or not all(numbers):
        return False
    opsets = {"": _PLAIN_OPSET if schema.domain else version, schema.domain: version}
    outputs = max(schema.least_outputs, 1)
    return _is_taken(schema.type, schema.domain, tuple(numbers), outputs, opsets, _PLAIN_IR_VERSION)


def _is_taken(
    operator: str, domain: str, inputs: tuple[int, ...], outputs: int, opsets: Mapping[str, int], ir_version: int
) -> bool:
    import onnx
    import onnxruntime

    helper = onnx.helper
    names, made = [f"x{number}" for number in range(len(inputs))], [f"y{number}" for number in range(outputs)]
    values = [helper.make_tensor_value_info(name, kind, None) for name, kind in zip(names, inputs, strict=True)]
    results = [onnx.ValueInfoProto(name=name) for name in made]
    graph = helper.make_graph([helper.make_node(operator, names, made, domain=domain)], "one", values, results)
    imports = [helper.make_opsetid(*item) for item in opsets.items()]
    model = helper.make_model(graph, opset_imports=imports, ir_version=ir_version)
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), _options(), providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - its errors have no common class
        return False
    return True


@functools.cache
def _options() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return options
