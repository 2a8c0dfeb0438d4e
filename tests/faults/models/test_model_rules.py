"""Each rule about model files: a small good model that one edit breaks, held against the runtime as users do it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model, shape_inference  # noqa: TID253

from opstudio.base.finding import Severity
from opstudio.jobs.cancel import CancelToken
from opstudio.workflows.graph import GraphReport, examine_graph
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from tests.faults.models.seeded_models import (
    FAULTS,
    Fault,
    a_model,
    capital,
    is_taken,
    old_form,
    other_size,
    two_operators,
    unknown_operator,
)
from tests.support.operator_libraries import WrittenOperator, build_library


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RuntimeKnowledge]:
    with RuntimeKnowledge(folder=tmp_path_factory.mktemp("knowledge")) as opened:
        yield opened


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(tmp_path_factory.mktemp("library") / "lab.so", [WrittenOperator(domain="lab", type="Twice")])


def examine(path: Path, knowledge: RuntimeKnowledge, library: Path) -> GraphReport:
    return examine_graph(path, knowledge, CancelToken(), libraries=[library])


def test_that_the_good_model_is_taken_by_both(tmp_path: Path, knowledge: RuntimeKnowledge, library: Path) -> None:
    path = tmp_path / "good.onnx"
    save_model(a_model(), str(path))
    report = examine(path, knowledge, library)
    assert (report.findings, report.is_accepted, is_taken(path, library)) == ((), True, True)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.id} {fault.edit.__name__}")
def test_that_the_fault_is_told_and_the_runtime_refuses_it(
    fault: Fault, tmp_path: Path, knowledge: RuntimeKnowledge, library: Path
) -> None:
    model, path = a_model(), tmp_path / "model.onnx"
    fault.edit(model)
    path.write_bytes(model.SerializeToString())

    report = examine(path, knowledge, library)

    (finding,) = report.findings
    assert (finding.id, finding.title) == (fault.id, fault.title)
    assert fault.cause in finding.cause
    assert fault.fix in finding.fix
    place = finding.places[0]
    assert len(finding.places) == (2 if fault.edit is two_operators else 1)
    assert (place.node, place.tensor, place.file) == (fault.node, fault.tensor, str(path))
    assert not report.is_accepted
    assert not is_taken(path, library)


def test_that_a_missing_locale_is_told(tmp_path: Path, knowledge: RuntimeKnowledge, library: Path) -> None:
    values = [helper.make_tensor_value_info(name, TensorProto.STRING, ["n"]) for name in ("x", "y")]
    node = helper.make_node("StringNormalizer", ["x"], ["y"], case_change_action="LOWER", locale="xx_XX")
    graph = helper.make_graph([node], "strings", values[:1], values[1:])
    path = tmp_path / "strings.onnx"
    save_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), str(path))

    (finding,) = examine(path, knowledge, library).findings

    assert finding.title == "The locale xx_XX.UTF-8 is missing"
    assert (finding.id, finding.fix) == ("ORT016", "Install the locale: locale-gen xx_XX.UTF-8")
    assert not is_taken(path, library)


def test_that_a_file_with_three_faults_names_all_three(
    tmp_path: Path, knowledge: RuntimeKnowledge, library: Path
) -> None:
    model, path = a_model(), tmp_path / "model.onnx"
    for edit in (unknown_operator, capital, old_form):
        edit(model)
    path.write_bytes(model.SerializeToString())
    findings = examine(path, knowledge, library).findings
    assert [(item.id, item.places[0].node) for item in findings] == [
        ("MOD004", "shift"),
        ("MOD004", "clip"),
        ("ORT001", "double"),
    ]


def test_that_shapes_are_mended_where_the_finding_says(
    tmp_path: Path, knowledge: RuntimeKnowledge, library: Path
) -> None:
    model, path = a_model(), tmp_path / "model.onnx"
    other_size(model)
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.float32([[1], [2]]), "w"))
    path.write_bytes(model.SerializeToString())
    # Two rows fit where the number of rows varies: only a run could tell.
    assert examine(path, knowledge, library).is_accepted
    assert is_taken(path, library)


def test_that_a_declared_shape_that_contradicts_is_a_warning(  # MOD010
    tmp_path: Path, knowledge: RuntimeKnowledge, library: Path
) -> None:
    model, path = a_model(), tmp_path / "model.onnx"
    model.graph.value_info.append(helper.make_tensor_value_info("shifted", TensorProto.FLOAT, ["n", 3, 1]))
    path.write_bytes(model.SerializeToString())

    report = examine(path, knowledge, library)

    (finding,) = report.findings
    assert (finding.id, finding.severity) == ("MOD010", Severity.WARNING)
    assert finding.cause == "the file says [n, 3, 1] of shifted, its node makes [n, 3]"
    assert (finding.places[0].node, finding.places[0].tensor) == ("shift", "shifted")
    assert report.is_accepted
    assert is_taken(path, library)

    del model.graph.value_info[1]
    path.write_bytes(model.SerializeToString())
    assert examine(path, knowledge, library).findings == ()


def test_that_a_library_that_infers_no_shape_is_named_at_its_first_node(  # MOD006
    tmp_path: Path, knowledge: RuntimeKnowledge, library: Path
) -> None:
    model, path = a_model(), tmp_path / "model.onnx"
    del model.graph.value_info[:]
    path.write_bytes(model.SerializeToString())

    report = examine(path, knowledge, library)

    (finding,) = report.findings
    assert (finding.id, finding.severity, finding.evidence["behind"]) == ("MOD006", Severity.WARNING, 1)
    assert (finding.places[0].node, finding.places[0].tensor) == ("double", "doubled")
    assert report.is_accepted
    # What it says of other tools is so: ONNX's own inference knows nothing behind the node either.
    known = {value.name for value in shape_inference.infer_shapes(model).graph.value_info}
    assert known == {"shifted"}


def test_that_a_kernel_that_ends_the_process_is_told_and_the_studio_lives(  # ORT021
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    operator = WrittenOperator(domain="lab", type="Twice", create="*(volatile int*)nullptr = 1;")
    path = tmp_path / "model.onnx"
    path.write_bytes(a_model().SerializeToString())

    report = examine(path, knowledge, build_library(tmp_path / "crash.so", [operator]))

    (finding,) = report.findings
    assert finding.id == "ORT021"
    assert "ask about double: SIGSEGV" in finding.cause
    assert not report.is_accepted


def test_that_many_nodes_with_one_fault_are_one_finding(
    tmp_path: Path, knowledge: RuntimeKnowledge, library: Path
) -> None:
    model, path = a_model(), tmp_path / "model.onnx"
    other_size(model)
    more = [helper.make_node("Add", ["x", "w"], [f"more{number}"], name=f"more{number}") for number in range(30)]
    model.graph.node.extend(more)
    path.write_bytes(model.SerializeToString())
    (finding,) = examine(path, knowledge, library).findings
    assert finding.cause.startswith("31 nodes: Incompatible dimensions (at shift, x is tensor(float)[n, 3], w is")
    assert len(finding.places) == 20


@pytest.mark.parametrize("is_declared", [False, True], ids=["open", "declared"])
def test_that_what_a_function_makes_with_a_library_must_be_declared(
    tmp_path: Path, knowledge: RuntimeKnowledge, library: Path, *, is_declared: bool
) -> None:
    # No schema of ONNX tells the type of what an operator of a library makes.
    model, path = a_model(), tmp_path / "model.onnx"
    body = [helper.make_node("Twice", ["a"], ["b"], name="inside", domain="lab")]
    function = helper.make_function("own", "Double", ["a"], ["b"], body, [helper.make_opsetid("lab", 1)])
    model.functions.append(function)
    model.opset_import.append(helper.make_opsetid("own", 1))
    model.graph.node[1].CopyFrom(helper.make_node("Double", ["shifted"], ["doubled"], name="double", domain="own"))
    if not is_declared:
        del model.graph.value_info[:]
    path.write_bytes(model.SerializeToString())

    report = examine(path, knowledge, library)
    assert (report.is_accepted, is_taken(path, library)) == (is_declared, is_declared)
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    assert [finding.id for finding in errors] == ["MOD005"] * (not is_declared)
    assert [place.tensor for finding in errors for place in finding.places] == ["doubled"] * (not is_declared)
