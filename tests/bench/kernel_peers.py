"""The bundled operators and what they are held against: the same in eager PyTorch, and in standard ONNX nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

OPSET = 18
_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_SCALE, _MAX_VAL = 0.75, 6.0
_EPSILON = 1e-6
_COLUMNS = 1024
_SIDE = 256


@dataclass(frozen=True)
class KernelPeers:
    """One operator: how it is called, and its two peers.

    ``shapes`` gives the shapes of the inputs for so many bytes of the largest tensor; ``eager`` takes the inputs and
    returns the output; ``nodes`` makes the nodes of an ONNX graph with inputs and output named as in the contract, and
    its constants.
    """

    shapes: Callable[[int], Mapping[str, tuple[int, ...]]]
    attributes: Mapping[str, Any]
    eager: Callable[..., Any]
    nodes: Callable[[], tuple[list[Any], Mapping[str, Any]]]


def peers() -> Mapping[str, KernelPeers]:
    """Return them by the operator's name. PyTorch's and ONNX's own forms, the quickest that people would write."""
    import torch

    functional = torch.nn.functional
    mean, std = (torch.tensor(numbers).reshape(-1, 1, 1) for numbers in (_MEAN, _STD))
    return {
        "relu6_scale": KernelPeers(
            shapes=_flat,
            attributes={"scale": _SCALE, "max_val": _MAX_VAL},
            eager=lambda x: torch.clamp(x * _SCALE, 0.0, _MAX_VAL),
            nodes=_relu6_scale,
        ),
        "normalize_image": KernelPeers(
            shapes=lambda size: {"x": (1, max(size // (12 * _SIDE), 1), _SIDE, 3)},
            attributes={"mean": _MEAN, "std": _STD},
            eager=lambda x: (x.permute(0, 3, 1, 2) / 255 - mean) / std,
            nodes=_normalize_image,
        ),
        "swish": KernelPeers(shapes=_flat, attributes={}, eager=functional.silu, nodes=_swish),
        "rms_norm": KernelPeers(
            shapes=lambda size: {**_flat(size), "weight": (_COLUMNS,)},
            attributes={"epsilon": _EPSILON},
            eager=lambda x, weight: functional.rms_norm(x, (_COLUMNS,), weight, _EPSILON),
            nodes=_rms_norm,
        ),
        "row_softmax": KernelPeers(
            shapes=_flat, attributes={}, eager=lambda x: torch.softmax(x, -1), nodes=_row_softmax
        ),
        "directional_pool2d": KernelPeers(
            shapes=lambda size: {"x": (1, max(size // (4 * _SIDE * _SIDE), 1), _SIDE, _SIDE)},
            attributes={"direction": "vertical", "kernel": 3},
            eager=lambda x: functional.max_pool2d(x, (3, 1), (1, 1)),
            nodes=_directional_pool2d,
        ),
    }


def _flat(size: int) -> dict[str, tuple[int, ...]]:
    return {"x": (size // (4 * _COLUMNS), _COLUMNS)}


def _node(kind: str, inputs: str, output: str, **attributes: Any) -> Any:
    from onnx import helper

    return helper.make_node(kind, inputs.split(), [output], **attributes)


def _relu6_scale() -> tuple[list[Any], Mapping[str, Any]]:
    nodes = [_node("Mul", "x scale", "scaled"), _node("Clip", "scaled lowest highest", "y")]
    return nodes, {"scale": _SCALE, "lowest": 0.0, "highest": _MAX_VAL}


def _normalize_image() -> tuple[list[Any], Mapping[str, Any]]:
    import numpy as np

    nodes = [
        _node("Cast", "x", "numbers", to=1),
        _node("Transpose", "numbers", "planes", perm=(0, 3, 1, 2)),
        _node("Sub", "planes centre", "differences"),
        _node("Mul", "differences factor", "y"),
    ]
    mean, std = (np.reshape(numbers, (-1, 1, 1)) for numbers in (_MEAN, _STD))
    return nodes, {"centre": 255 * mean, "factor": 1 / (255 * std)}


def _swish() -> tuple[list[Any], Mapping[str, Any]]:
    return [_node("Sigmoid", "x", "gate"), _node("Mul", "x gate", "y")], {}


def _rms_norm() -> tuple[list[Any], Mapping[str, Any]]:
    nodes = [
        _node("Pow", "x two", "squares"),
        _node("ReduceMean", "squares axes", "mean"),
        _node("Add", "mean epsilon", "raised"),
        _node("Sqrt", "raised", "root"),
        _node("Div", "x root", "normal"),
        _node("Mul", "normal weight", "y"),
    ]
    return nodes, {"two": 2.0, "axes": [-1], "epsilon": _EPSILON}


def _row_softmax() -> tuple[list[Any], Mapping[str, Any]]:
    return [_node("Softmax", "x", "y", axis=-1)], {}


def _directional_pool2d() -> tuple[list[Any], Mapping[str, Any]]:
    return [_node("MaxPool", "x", "y", kernel_shape=(3, 1), strides=(1, 1))], {}


def standard_model(peer: KernelPeers, inputs: Mapping[str, Any]) -> bytes:
    """Return the model of standard nodes for these tensors."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    nodes, constants = peer.nodes()
    values = {name: np.asarray(value, np.int64 if name == "axes" else np.float32) for name, value in constants.items()}
    types = {
        name: TensorProto.UINT8 if tensor.element_size() == 1 else TensorProto.FLOAT for name, tensor in inputs.items()
    }
    graph = helper.make_graph(
        nodes,
        "standard",
        [helper.make_tensor_value_info(name, types[name], tuple(tensor.shape)) for name, tensor in inputs.items()],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in values.items()],
    )
    model: bytes = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10
    ).SerializeToString()
    return model
