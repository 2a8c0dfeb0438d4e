"""Mistyped words of attributes: the runtime refuses each, and takes the one word that is near."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253 - the second opinion

from opstudio.base.errors import InputError
from opstudio.model.fixes.registry import edits_of
from opstudio.model.resolution.attribute_words import is_wrong_word, operators_with_words, word_meant, words_of
from tests.unit.model.fixes.broken_models import Bench, ids

_NEWEST = 28


IMAGE = np.ones((1, 1, 8, 8), np.float32)
FILTER = np.ones((1, 1, 3, 3), np.float32)
BYTES = {"x": IMAGE.astype(np.uint8), "w": FILTER.astype(np.uint8), "s": np.float32(1), "z": np.uint8(0)}
POOL = ((IMAGE,), {"kernel_shape": [3, 3]})
TERMS: dict[str, Any] = {
    "max_gram_length": 1,
    "min_gram_length": 1,
    "max_skip_count": 0,
    "ngram_counts": [0],
    "ngram_indexes": [0],
    "pool_int64s": [1],
}


def recurrent(gates: int) -> Any:
    step, weights = np.ones((1, 1, 3), np.float32), np.ones((1, 2 * gates, 3), np.float32)
    return (step, weights, np.ones((1, 2 * gates, 2), np.float32)), {"hidden_size": 2}


NODES: dict[str, Any] = {
    **dict.fromkeys(("AveragePool", "LpPool", "MaxPool"), POOL),
    **dict.fromkeys(("Conv", "ConvTranspose"), ((IMAGE, FILTER), {})),
    "ConvInteger": ((BYTES["x"], BYTES["w"]), {}),
    "QLinearConv": (tuple(BYTES[name] for name in "xszwszsz"), {}),
    **{name: recurrent(gates) for name, gates in (("GRU", 3), ("LSTM", 4), ("RNN", 1))},
    "BitShift": ((np.uint32([1, 2]), np.uint32([1, 1])), {}),
    "DepthToSpace": ((np.ones((1, 4, 2, 2), np.float32),), {"blocksize": 2}),
    "GridSample": ((IMAGE, np.zeros((1, 2, 2, 2), np.float32)), {}),
    "Pad": ((np.ones((2, 3), np.float32), np.int64([0, 1, 0, 1])), {}),
    "Resize": ((IMAGE, None, None, np.int64([1, 1, 9, 20])), {}),
    "RoiAlign": ((IMAGE, np.ones((1, 4), np.float32), np.int64([0])), {}),
    "TfIdfVectorizer": ((np.int64([1, 2]),), TERMS),
    "Upsample": ((IMAGE, np.float32([1, 1, 2, 2])), {}),
}
"""The inputs of one node of each operator, and the attributes that it needs besides."""
OPSETS = {"Upsample": 9, "Pad": 19, "Resize": 19, "GridSample": 20}
WORDS = [(operator, name) for operator, names in operators_with_words().items() for name in names]


def a_model(operator: str, **attributes: Any) -> Any:
    inputs, more = NODES[operator]
    names = ["" if value is None else f"in{slot}" for slot, value in enumerate(inputs)]
    node = helper.make_node(operator, names, ["y"], name="node", **more, **attributes)
    first = helper.make_tensor_value_info(names[0], helper.np_dtype_to_tensor_dtype(inputs[0].dtype), inputs[0].shape)
    weights = [
        numpy_helper.from_array(value, name)
        for name, value in zip(names[1:], inputs[1:], strict=True)
        if value is not None
    ]
    graph = helper.make_graph([node], "one", [first], [onnx.ValueInfoProto(name="y")], weights)
    imports = [helper.make_opsetid("", OPSETS.get(operator, 17))]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


@pytest.mark.parametrize(("operator", "name"), WORDS)
def test_that_each_word_is_taken_and_a_mistyped_one_is_set_right(bench: Bench, operator: str, name: str) -> None:
    words = words_of(operator, name, OPSETS.get(operator, 17))
    assert all(bench.is_taken(bench.written(a_model(operator, **{name: word}))) for word in words)

    word = words[-1]
    wrong = f"{word}{word[-1]}" if len(word) < 5 else f"{word[:-2]}{word[-1]}"
    path = bench.written(a_model(operator, **{name: wrong}))
    assert not bench.is_taken(path)
    identifier = f"set-attribute:ai.onnx:{operator}.{name}={word}"
    offers = bench.offers(path)
    assert [item for item in offers if item.startswith("set-attribute")] == [identifier]
    (solved,) = ids(offers[identifier].solves)
    assert solved in ("ORT020", "MOD009")

    fixed = bench.fixed(path, identifier)
    assert onnx.load_model(str(fixed)) == a_model(operator, **{name: word})
    assert bench.report(fixed).findings == ()


@pytest.mark.parametrize(("operator", "name"), WORDS)
def test_that_the_definitions_of_onnx_name_these_words_at_these_opsets(operator: str, name: str) -> None:
    for opset in range(1, _NEWEST + 1):
        words = words_of(operator, name, opset)
        try:
            schema = onnx.defs.get_schema(operator, opset, "")
        except onnx.defs.SchemaError:
            continue
        if schema.deprecated or name not in schema.attributes:
            # Before an attribute comes, there are words without use: it is no attribute of the node.
            continue
        described = schema.attributes[name].description
        text = set(re.findall(r"\w+", described))
        assert set(words) <= text, opset
        known = set(words_of(operator, name, _NEWEST)) | set(words_of(operator, name, 16))
        later = known - set(words)
        assert not {word for word in later if re.search(rf"[`'\"]{word}[`'\"]", described)}, opset


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("SAME_UPER", "SAME_UPPER"),
        ("same_lower", "SAME_LOWER"),
        ("SAME_UPPRE", "SAME_UPPER"),
        ("SAME_LOPER", None),
        ("SAME", None),
        ("VALI", "VALID"),
        ("", None),
        ("SAME_UPPER_AND_LOWER", None),
    ],
)
def test_that_a_word_is_meant_only_where_exactly_one_is_near(written: str, meant: str | None) -> None:
    assert word_meant(written, words_of("Conv", "auto_pad", 17)) == meant


def test_that_a_short_word_between_two_is_none_of_them() -> None:
    assert word_meant("man", ("max", "min")) is None
    assert word_meant("maxx", ("max", "min")) == "max"


def test_that_of_two_wrong_words_the_one_that_is_told_is_solved(bench: Bench) -> None:
    path = bench.written(a_model("Resize", mode="liner", nearest_mode="flor"))
    assert not bench.is_taken(path)
    offers = {item: ids(offer.solves) for item, offer in bench.offers(path).items() if item.startswith("set-")}
    assert offers == {
        "set-attribute:ai.onnx:Resize.mode=linear": ["ORT020"],
        "set-attribute:ai.onnx:Resize.nearest_mode=floor": [],
    }
    first = bench.fixed(path, "set-attribute:ai.onnx:Resize.mode=linear").rename(bench.folder / "first.onnx")
    # The kernel does not read the other word then: the node is right, and stays as it is.
    assert bench.is_taken(first)
    with pytest.raises(InputError, match="no node fails with another word there"):
        edits_of(bench.target(first), "set-attribute:ai.onnx:Resize.nearest_mode=floor")


@pytest.mark.parametrize(("operator", "name"), WORDS)
def test_that_an_empty_word_is_wrong_where_the_runtime_refuses_it(bench: Bench, operator: str, name: str) -> None:
    is_taken = bench.is_taken(bench.written(a_model(operator, **{name: ""})))
    assert is_wrong_word(operator, name, OPSETS.get(operator, 17), "") is not is_taken


def several(words: list[str], operator: str = "Conv", name: str = "auto_pad", opset: int = 17) -> Any:
    """Return a model with one node for each word of an attribute."""
    model = a_model(operator, **{name: words[0]})
    first = model.graph.node[0]
    del model.graph.output[:]
    nodes = []
    for number, word in enumerate(words):
        nodes.append(onnx.NodeProto())
        nodes[-1].CopyFrom(first)
        nodes[-1].name = nodes[-1].output[0] = f"y{number}"
        next(item for item in nodes[-1].attribute if item.name == name).s = word.encode()
        model.graph.output.append(onnx.ValueInfoProto(name=f"y{number}"))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import[0].version = opset
    return model


def test_that_nodes_that_are_right_or_mean_something_else_stay_as_they_are(bench: Bench) -> None:
    words = ["SAME_UPER", "", "VALID", "SAME_LWER", "FULL_WIDTH"]
    path = bench.written(several(words))
    assert {item for item in bench.offers(path) if item.startswith("set-")} == {
        "set-attribute:ai.onnx:Conv.auto_pad=SAME_UPPER",
        "set-attribute:ai.onnx:Conv.auto_pad=SAME_LOWER",
    }
    fixed = bench.fixed(path, "set-attribute:ai.onnx:Conv.auto_pad=SAME_UPPER")
    assert onnx.load_model(str(fixed)) == several(["SAME_UPPER", *words[1:]])
    # A word that is near none is for a person to decide.
    fixed = bench.fixed(path, "set-attribute:ai.onnx:Conv.auto_pad=NOTSET")
    assert onnx.load_model(str(fixed)) == several([*words[:-1], "NOTSET"])


def test_that_a_word_of_one_opset_alone_is_right_there(bench: Bench) -> None:
    # Resize 11 needs its second input.
    def model(word: str) -> Any:
        made = several([word, "tf_half_pixel_for_nn"], "Resize", "coordinate_transformation_mode", 11)
        made.graph.initializer.append(numpy_helper.from_array(np.float32([]), "none"))
        made.graph.initializer.append(numpy_helper.from_array(np.float32([1, 1, 2, 2]), "scales"))
        for node in made.graph.node:
            node.input[1:] = ["none", "scales"]
        return made

    path = bench.written(model("half_pixle"))
    assert not bench.is_taken(path)
    fixed = bench.fixed(path, "set-attribute:ai.onnx:Resize.coordinate_transformation_mode=half_pixel")
    assert onnx.load_model(str(fixed)) == model("half_pixel")
    assert bench.is_taken(fixed)
    assert "tf_half_pixel_for_nn" in words_of("Resize", "coordinate_transformation_mode", 12)


def in_function(*, reference: bool) -> Any:
    """Return a model that pads in a function, with a word that is mistyped there or in the call."""
    node = helper.make_node("Pad", ["a", "p"], ["b"], name="pad", mode="reflekt")
    if reference:
        node.attribute[0].CopyFrom(onnx.AttributeProto(name="mode", type=onnx.AttributeProto.STRING, ref_attr_name="m"))
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    function = helper.make_function("own", "F", ["a", "p"], ["b"], [node], imports[:1], ["m"] if reference else [])
    call = helper.make_node("F", ["x", "p"], ["y"], domain="own", **({"m": "reflekt"} if reference else {}))
    values = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3]), onnx.ValueInfoProto(name="y")]
    graph = helper.make_graph(
        [call], "g", values[:1], values[1:], [numpy_helper.from_array(np.int64([0, 1, 0, 1]), "p")]
    )
    return helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8)


def test_that_a_word_in_a_function_is_set_there_and_one_of_its_caller_is_left(bench: Bench) -> None:
    path = bench.written(in_function(reference=False))
    assert not bench.is_taken(path)
    fixed = bench.fixed(path, "set-attribute:ai.onnx:Pad.mode=reflect")
    expected = in_function(reference=False)
    expected.functions[0].node[0].attribute[0].s = b"reflect"
    assert onnx.load_model(str(fixed)) == expected
    assert bench.is_taken(fixed)

    path = bench.written(in_function(reference=True))
    assert not bench.is_taken(path)
    assert [item for item in bench.offers(path) if item.startswith("set-attribute")] == []


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("set-attribute:ai.onnx:Conv.auto_pad", "is not DOMAIN:TYPE.NAME=WORD"),
        ("set-attribute:ai.onnx:Conv.auto_pad=SAME_UPER", "the operator does not take it"),
        ("set-attribute:ai.onnx:Conv.auto_pad=VALID", "is nearer"),
        ("set-attribute:ai.onnx:Conv.group=1", "the operator does not take it"),
        ("set-attribute:lab:Twice.scale=big", "the operator does not take it"),
    ],
)
def test_that_a_word_that_does_not_fit_is_refused_in_words(bench: Bench, identifier: str, words: str) -> None:
    target = bench.target(bench.written(a_model("Conv", auto_pad="SAME_UPER")))
    with pytest.raises(InputError) as caught:
        edits_of(target, identifier)
    (finding,) = caught.value.findings
    assert words in f"{finding.title} {finding.cause} {finding.fix}"
