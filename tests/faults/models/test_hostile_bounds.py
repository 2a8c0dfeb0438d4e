"""What bounds the work that a small hostile file can ask for, each bound with the file that went beyond it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253 - models are what this is about

from opstudio.base.errors import InputError
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.tensor_records import ExternalBytes
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.model_walk import resolve_model
from opstudio.model.resolution.records import Step, Unresolved
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.runtime.records import RuntimeTables
from opstudio.model.shapes.model_walk import walk_model
from opstudio.model.shapes.node_asking import NodeAsker
from opstudio.model.shapes.records import ModelShapes, RefusalKind
from tests.support.costly_models import a_model, deep_functions, huge_tensor


@pytest.fixture(scope="module")
def tables() -> RuntimeTables:
    return read_runtime_tables()


def read(folder: Path, model: Any) -> ModelRecord:
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return read_model(path)


def walked(model: ModelRecord) -> tuple[ModelShapes, float]:
    """Return what the runtime says of the nodes, and the seconds of the processor that it took."""
    start = time.process_time()
    with SourceFile(model.path, expected=model.identity) as file:
        return walk_model(model, file, NodeAsker([], model.ir_version)), time.process_time() - start


def refusal(folder: Path, model: Any) -> tuple[str, str]:
    """Return the kind of a refusal and its cause."""
    with pytest.raises(InputError) as caught:
        read(folder, model)
    (finding,) = caught.value.findings
    assert str(folder / "model.onnx") in str(finding.places[0])
    return str(finding.evidence["kind"]), finding.cause


def relu(**attributes: Any) -> Any:
    return helper.make_node("Relu", ["x"], ["y"], **attributes)


def test_that_sizes_that_multiply_to_thousands_of_digits_are_told_in_words(tmp_path: Path) -> None:
    # Python refuses to write numbers of more than 4,300 digits.
    (stored,) = read(tmp_path, a_model([relu()], [huge_tensor(128, None)])).graph.initializers
    assert stored.element_count == 2 ** (62 * 128)
    assert stored.problem == "it has no values, its shape needs more than 10^30"
    (tmp_path / "w.bin").write_bytes(bytes(64))
    (beside,) = read(tmp_path, a_model([relu()], [huge_tensor(128, "w.bin")])).graph.initializers
    assert isinstance(beside.data, ExternalBytes)
    assert (beside.problem, beside.data.length) == (
        "it needs more than 10^30 bytes of 'w.bin', which has 64",
        2**64 - 1,
    )
    raw = huge_tensor(3, None)
    raw.raw_data = b"1234"
    (short,) = read(tmp_path, a_model([relu()], [raw])).graph.initializers
    assert short.problem == "it has 4 bytes, its type and shape need more than 10^30"


def test_that_a_constant_of_more_axes_than_any_tool_has_is_damaged(tmp_path: Path) -> None:
    kind, cause = refusal(tmp_path, a_model([relu()], [huge_tensor(129, None)]))
    assert (kind, "a shape has too many dimensions" in cause) == ("damaged", True)


def test_that_thousands_of_imports_are_refused(tmp_path: Path) -> None:
    domains = [f"domain{number}" for number in range(1000)]
    assert len(read(tmp_path, a_model([relu()], (), (), *domains[1:])).opsets) == 1000
    kind, cause = refusal(tmp_path, a_model([relu()], (), (), *domains))
    assert (kind, "it imports more than 1,000 operator sets" in cause) == ("too-large", True)
    imports = [helper.make_opsetid(domain, 1) for domain in ("", *domains)]
    function = helper.make_function("f", "F", ["x"], ["y"], [relu()], imports)
    kind, cause = refusal(tmp_path, a_model([relu()], (), [function], "f"))
    assert (kind, "a function imports more than 1,000 operator sets" in cause) == ("too-large", True)


def test_that_inputs_count_where_a_node_has_many(tmp_path: Path) -> None:
    wide = [helper.make_node("Sum", ["x"] * 100_000, [f"y{number}"]) for number in range(5)]
    assert len(read(tmp_path, a_model(wide[:3])).graph.nodes[2].inputs) == 100_000
    assert refusal(tmp_path, a_model(wide))[0] == "too-large"


def test_that_functions_called_from_deep_graphs_leave_the_stack_alone(tmp_path: Path, tables: RuntimeTables) -> None:
    model = read(tmp_path, deep_functions(64, 25))
    nodes = resolve_model(model, Catalogue(tables))
    # Every node of every function has an answer: 25 in one another, and the call inside.
    assert len(nodes) == 1 + 64 * 26
    cut = {item.resolution.reason for item in nodes if isinstance(item.resolution, Unresolved)}
    assert "functions and graphs are nested more than 128 deep" in cut
    walked(model)


def test_that_an_operator_that_nobody_has_is_asked_about_once(tmp_path: Path, tables: RuntimeTables) -> None:
    many = [helper.make_node("Relo", ["x"], [f"y{number}"], number=number) for number in range(300)]
    model = read(tmp_path, a_model([*many, relu()]))
    shapes, _ = walked(model)
    assert (shapes.sessions, shapes.refusals, shapes.left_out) == (2, (), 0)
    *unknown, known = resolve_model(model, Catalogue(tables))
    answers = {item.resolution for item in unknown}
    (answer,) = answers
    assert isinstance(answer, Unresolved)
    assert (answer.step, answer.candidates[0]) == (Step.OPERATOR, "Relu")
    assert not isinstance(known.resolution, Unresolved)


def test_that_constants_that_are_stretched_to_gigabytes_are_not_computed(tmp_path: Path) -> None:
    rank = 30
    weights = [
        numpy_helper.from_array(np.ones([2 if axis == number else 1 for axis in range(rank)], np.float32), f"w{number}")
        for number in range(rank)
    ]
    node = helper.make_node("Max", [weight.name for weight in weights], ["y"])
    shapes, seconds = walked(read(tmp_path, a_model([node], weights)))
    (told,) = shapes.contradictions
    assert told.inferred == (2,) * rank
    assert seconds < 2


def test_that_a_number_of_parts_takes_no_memory(tmp_path: Path) -> None:
    node = helper.make_node("Split", ["x"], ["y"], num_outputs=1 << 30)
    shapes, _ = walked(read(tmp_path, a_model([node])))
    assert (shapes.sessions, shapes.refusals) == (0, ())
    parts = helper.make_node("Split", ["x"], ["y", "z"], num_outputs=2)
    assert walked(read(tmp_path, a_model([parts])))[0].sessions == 1


def test_that_a_long_name_in_what_the_runtime_says_is_cut(tmp_path: Path) -> None:
    shapes, seconds = walked(read(tmp_path, a_model([relu(**{"a" * 60_000: 1})])))
    (told,) = shapes.refusals
    assert told.kind is RefusalKind.CREATION
    assert "Error Unrecognized attribute: aaa" in told.reason
    assert seconds < 2


def test_that_sparse_constants_have_no_more_axes_either(tmp_path: Path) -> None:
    model = a_model([relu()])
    sparse = model.graph.sparse_initializer.add(dims=[1] * 129)
    sparse.values.CopyFrom(helper.make_tensor("s", TensorProto.FLOAT, [1], [1.0]))
    assert refusal(tmp_path, model)[0] == "damaged"
