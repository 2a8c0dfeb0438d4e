"""Models that were damaged where it counts, and whole ones to damage: the files that no command may fall over.

Everything follows from the seed. ``damaged_models`` beside it damages bytes, without knowing what they mean.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnxruntime  # noqa: TID253 - it writes files in its own format
from onnx import ModelProto, TensorProto, helper, load_model_from_string, numpy_helper  # noqa: TID253 - models

from tests.support.field_mutations import FIELD_MUTATIONS, cut_at_field, mutate_field
from tests.support.model_mutations import MODEL_MUTATIONS
from tests.unit.model.graph.samples import SAMPLES, rich_model

_SAMPLES = (
    *("dynamo_local_functions", "nested_if_optional", "int4_qdq", "sparse_initializer", "ext_data_present"),
    *("domain_typo_in_function", "ms_noimport_runs", "optional_sequence", "ml_logreg", "unsorted_nodes"),
)


def whole_models() -> dict[str, bytes]:
    """Return models to damage: written here, and real ones where the collection is there."""
    found = {"rich": rich_model(), "small types": _small_types(), "loop": _loop()}
    models = {name: model.SerializeToString() for name, model in found.items()}
    for name in _SAMPLES:
        path = SAMPLES / "open" / f"{name}.onnx"
        if path.exists():
            models[name] = path.read_bytes()
    return models


def hostile_models(seeds: Mapping[str, bytes], *, seed: int, rounds: int) -> Iterator[tuple[str, bytes]]:
    """Yield models with one or two faults each, by name; every kind of fault once in each round."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    names = sorted(seeds)
    for number in range(rounds):
        for kind, change in sorted(MODEL_MUTATIONS.items()):
            name = chance.choice(names)
            model = load_model_from_string(seeds[name])
            change(chance, model)
            if chance.random() < 0.3:
                MODEL_MUTATIONS[chance.choice(sorted(MODEL_MUTATIONS))](chance, model)
            yield f"{number}-{kind}-{name}", model.SerializeToString()
        for kind, mutation in sorted(FIELD_MUTATIONS.items()):
            name = chance.choice(names)
            content = mutate_field(chance, seeds[name], mutation)
            yield f"{number}-{kind}-{name}", content
        name = chance.choice(names)
        yield f"{number}-cut-{name}", cut_at_field(chance, seeds[name])


def damaged_ort_files(whole: bytes, *, seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield files in ONNX Runtime's format that are cut, or whose offsets and lengths lead anywhere."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    for number in range(count):
        content = bytearray(whole)
        kind = ("cut", "offset", "offsets", "bits")[number % 4]
        if kind == "cut":
            del content[chance.randrange(8, len(content)) :]
        elif kind == "bits":
            for _ in range(chance.choice((1, 5, 50))):
                content[chance.randrange(8, len(content))] ^= 1 << chance.randrange(8)
        else:
            for _ in range(1 if kind == "offset" else 30):
                place = 4 * chance.randrange(2, len(content) // 4)
                value = chance.choice((0, 1, 4, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, chance.randrange(len(whole))))
                content[place : place + 4] = value.to_bytes(4, "little")
        yield f"{number}-{kind}", bytes(content)


def write_beside(folder: Path) -> None:
    """Write what damaged models point at: weights, and a link that leads out of the folder."""
    (folder / "w.bin").write_bytes(bytes(4096))
    (folder / "link.bin").symlink_to("/etc/passwd")


def ort_file(folder: Path) -> bytes:
    """Return a file that ONNX Runtime wrote in its own format."""
    source, made = folder / "source.onnx", folder / "made.ort"
    source.write_bytes(_loop().SerializeToString())
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.optimized_model_filepath = str(made)
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
    content = made.read_bytes()
    for path in (source, made):
        path.unlink()
    return content


def _loop() -> ModelProto:
    """Return a model with a loop, whose shapes are computed from constants."""
    body = helper.make_graph(
        [helper.make_node("Add", ["carried", "w"], ["next"]), helper.make_node("Identity", ["going"], ["goes"])],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("going", TensorProto.BOOL, []),
            helper.make_tensor_value_info("carried", TensorProto.FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("goes", TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", TensorProto.FLOAT, None),
        ],
    )
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Concat", ["shape", "one"], ["longer"], axis=0),
        helper.make_node("Reshape", ["x", "longer"], ["wide"], name="reshape"),
        helper.make_node("Squeeze", ["wide"], ["flat"], name="squeeze"),
        helper.make_node("Loop", ["turns", "", "flat"], ["y"], name="loop", body=body),
    ]
    weights = [
        numpy_helper.from_array(np.float32([1.0, 2.0, 3.0]), "w"),
        numpy_helper.from_array(np.int64([1]), "one"),
        numpy_helper.from_array(np.int64(5), "turns"),
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "loop", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def _small_types() -> ModelProto:
    """Return a model with weights of types of which several share a byte."""
    kinds = {"i4": TensorProto.INT4, "u4": TensorProto.UINT4, "f8": TensorProto.FLOAT8E4M3FN}
    weights = [helper.make_tensor(name, kind, [3], [1, 0, 1]) for name, kind in kinds.items()]
    weights.append(numpy_helper.from_array(np.float32(0.5), "scale"))
    nodes = [helper.make_node("DequantizeLinear", [name, "scale"], [f"{name}_out"]) for name in kinds]
    outputs = [helper.make_tensor_value_info(f"{name}_out", TensorProto.FLOAT, [3]) for name in kinds]
    graph = helper.make_graph(nodes, "small types", [], outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
