"""The same operators in ONNX Runtime, in models made with ONNX's own helper."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from tests.support.loaded_operators import LoadedOperators

Sizes = list[int | str]


def session(
    loaded: LoadedOperators,
    inputs: dict[str, tuple[int, Sizes]],
    node_inputs: list[str],
    outputs: list[str],
    kind: str,
    *,
    version: int = 3,
    **attributes: Any,
) -> onnxruntime.InferenceSession:
    """Open a session of one node whose outputs have no stated type."""
    node = helper.make_node(kind, node_inputs, outputs, domain="testops", **attributes)
    graph = helper.make_graph(
        [node],
        "one",
        [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
        [onnx.ValueInfoProto(name=name) for name in outputs],
    )
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("testops", version)]
    return open_model(loaded, helper.make_model(graph, opset_imports=imports, ir_version=9))


def open_model(loaded: LoadedOperators, model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    """Open a session of three threads."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 3
    options.register_custom_ops_library(loaded.library)
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


GetApi = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)
Version = ctypes.CFUNCTYPE(ctypes.c_void_p)
CreateStatus = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)


class ApiBase(ctypes.Structure):
    """What every runtime hands to an operator library: its functions by version, and its release."""

    _fields_ = (("get_api", GetApi), ("get_version", Version))


FLOAT, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE


def test_that_an_optional_input_may_be_given_or_left_out(loaded: LoadedOperators) -> None:
    shapes: dict[str, tuple[int, Sizes]] = {"x": (FLOAT, [2, 5]), "bias": (FLOAT, [5])}
    x = np.arange(10, dtype=np.float32).reshape(2, 5)
    bias = np.linspace(-1, 1, 5, dtype=np.float32)

    given = session(loaded, shapes, ["x", "bias"], ["y"], "AffinePick", picks=[4, 0], scale=2.0)
    absent = session(loaded, {"x": shapes["x"]}, ["x"], ["y"], "AffinePick", picks=[4, 0])

    np.testing.assert_array_equal(given.run(None, {"x": x, "bias": bias})[0], (x + bias)[:, [4, 0]] * 2)
    np.testing.assert_array_equal(absent.run(None, {"x": x})[0], x[:, [4, 0]])


def test_that_defaults_fill_in_what_the_node_leaves_out(loaded: LoadedOperators) -> None:
    xs = {f"x{index}": np.full((2, 3), index + 1.0) for index in range(3)}
    opened = session(
        loaded,
        {name: (DOUBLE, [2, 3]) for name in xs},
        list(xs),
        ["total", "number"],
        "WeightedTotal",
        weights=[1.0, 0.5, 0.25],
    )

    total, number = opened.run(None, xs)

    np.testing.assert_array_equal(total, np.full((2, 3), 1 + 2 * 0.5 + 3 * 0.25))
    assert number.tolist() == [3]


def test_that_texts_and_flags_arrive(loaded: LoadedOperators) -> None:
    opened = session(
        loaded,
        {"a": (FLOAT, [2, 3]), "b": (FLOAT, [2, 3])},
        ["a", "b"],
        ["total", "number"],
        "WeightedTotal",
        weights=[1.0, 1.0],
        mode="mean",
        keep=0,
    )
    a, b = np.ones((2, 3), np.float32), np.full((2, 3), 3, np.float32)

    assert opened.run(None, {"a": a, "b": b})[0].tolist() == [[6.0], [6.0]]


def test_that_shapes_are_inferred_and_keep_the_names_of_dimensions(loaded: LoadedOperators) -> None:
    picked = session(loaded, {"x": (FLOAT, ["batch", "time", 5])}, ["x"], ["y"], "AffinePick", picks=[1, 2, 3])
    folded = session(
        loaded, {"x": (FLOAT, ["batch", 5])}, ["x"], ["total", "number"], "WeightedTotal", weights=[1.0], keep=0
    )

    assert picked.get_outputs()[0].shape == ["batch", "time", 3]
    assert picked.get_outputs()[0].type == "tensor(float)"
    assert [item.shape for item in folded.get_outputs()] == [["batch", 1], [1]]
    assert folded.get_outputs()[1].type == "tensor(int64)"


def test_that_one_session_takes_several_sizes(loaded: LoadedOperators) -> None:
    opened = session(loaded, {"x": (FLOAT, ["batch", 3])}, ["x"], ["y"], "AffinePick", picks=[2])

    for batch in (1, 0, 17):
        x = np.random.default_rng(0).random((batch, 3), np.float32)
        np.testing.assert_array_equal(opened.run(None, {"x": x})[0], x[:, [2]])


def test_that_nodes_behind_one_of_unknown_size_can_be_inferred(loaded: LoadedOperators) -> None:
    # Without a name, the size of -1 would be computed with: Slice makes a negative size of it, and the runtime aborts.
    nodes = [
        helper.make_node("AffinePick", ["x"], ["picked"], domain="testops", picks=[1, 2]),
        helper.make_node("Slice", ["picked", "starts", "ends"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "two",
        [helper.make_tensor_value_info("x", FLOAT, [None, 3])],
        [onnx.ValueInfoProto(name="y")],
        [
            helper.make_tensor("starts", TensorProto.INT64, [1], [1]),
            helper.make_tensor("ends", TensorProto.INT64, [1], [9]),
        ],
    )
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("testops", 3)]
    opened = open_model(loaded, helper.make_model(graph, opset_imports=imports, ir_version=9))
    x = np.arange(12, dtype=np.float32).reshape(4, 3)

    np.testing.assert_array_equal(opened.run(None, {"x": x})[0], x[1:, [1, 2]])


def test_that_a_kernel_runs_on_the_sessions_own_threads(loaded: LoadedOperators) -> None:
    opened = session(loaded, {"x": (FLOAT, [12])}, ["x"], ["y"], "ThreadNumbers")

    (numbers,) = opened.run(None, {"x": np.ones(12, np.float32)})

    assert 2 <= len(set(numbers.tolist())) <= 3


@pytest.mark.parametrize(
    ("inputs", "attributes", "words"),
    [
        ({"x": (TensorProto.INT32, [2, 3])}, {"picks": [0]}, "int32"),
        ({"x": (FLOAT, [2, 3]), "bias": (DOUBLE, [3])}, {"picks": [0]}, "AffinePick"),
        ({"x": (FLOAT, [2, 3])}, {}, "testops::affine_pick: the node lacks attribute picks, which has no default"),
        ({"x": (FLOAT, [2, 3])}, {"picks": [0], "scale": 2}, "attribute scale of the node is of another kind"),
        ({"x": (FLOAT, [2, 3])}, {"picks": [0.5]}, "attribute picks of the node is of another kind"),
    ],
)
def test_that_a_model_which_does_not_fit_is_refused(
    loaded: LoadedOperators, inputs: dict[str, tuple[int, Sizes]], attributes: dict[str, Any], words: str
) -> None:
    with pytest.raises(Exception, match=words):
        session(loaded, inputs, list(inputs), ["y"], "AffinePick", **attributes)


def test_that_another_version_of_the_domain_is_not_served(loaded: LoadedOperators) -> None:
    with pytest.raises(Exception, match="AffinePick"):
        session(loaded, {"x": (FLOAT, [2, 3])}, ["x"], ["y"], "AffinePick", version=2, picks=[0])


def test_that_sizes_which_do_not_fit_are_refused_when_they_are_known(loaded: LoadedOperators) -> None:
    shapes: dict[str, tuple[int, Sizes]] = {"x": (FLOAT, [2, 3]), "bias": (FLOAT, ["length"])}
    opened = session(loaded, shapes, ["x", "bias"], ["y"], "AffinePick", picks=[0])

    with pytest.raises(Exception, match=r"testops::affine_pick: bias has shape \[4\]"):
        opened.run(None, {"x": np.ones((2, 3), np.float32), "bias": np.ones(4, np.float32)})


def test_that_an_error_of_the_kernel_reaches_the_caller(loaded: LoadedOperators) -> None:
    opened = session(loaded, {"x": (FLOAT, ["batch", 3])}, ["x"], ["y"], "AffinePick", picks=[7])

    with pytest.raises(Exception, match="pick 7 is outside of 3 columns"):
        opened.run(None, {"x": np.ones((1, 3), np.float32)})


def test_that_a_runtime_which_is_too_old_is_told_in_words(loaded: LoadedOperators) -> None:
    # The C interface as release 1.17 answers: versions up to 17 exist, and the first function makes an error.
    said: list[bytes] = []
    create_status = CreateStatus(lambda _code, text: said.append(text) or 1)
    table = (ctypes.c_void_p * 1)(ctypes.cast(create_status, ctypes.c_void_p))
    address = ctypes.addressof(table)
    release = ctypes.create_string_buffer(b"1.17.3")
    base = ApiBase(
        GetApi(lambda version: address if version <= 17 else None), Version(lambda: ctypes.addressof(release))
    )
    library = ctypes.CDLL(loaded.library)
    library.RegisterCustomOps.restype = ctypes.c_void_p

    status = library.RegisterCustomOps(None, ctypes.byref(base))

    assert status is not None
    assert said == [b"this operator library needs ONNX Runtime 1.18 or newer (API 18); this is 1.17.3"]
