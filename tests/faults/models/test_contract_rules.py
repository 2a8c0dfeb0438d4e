"""Models of a workspace's own operators: what is told with the contract at hand, and that the fix makes it good."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from onnx import ModelProto, TensorProto, ValueInfoProto, helper  # noqa: TID253 - models are the subject

from opstudio.base.finding import Severity
from opstudio.jobs.cancel import CancelToken
from opstudio.model.shapes.records import ValueOrigin
from opstudio.workflows.graph import GraphReport, examine_graph
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from opstudio.workflows.workspace_contracts import contracts_at
from tests.support.contracts import contract_text, write_contract
from tests.support.operator_libraries import WrittenOperator, build_library

CONTRACT = contract_text(
    operator='[operator]\nname = "half"\ndomain = "lab"\nonnx_type = "Half"\n',
    inputs='[[input]]\nname = "x"\ntypes = ["float32"]\nshape = "[N, C]"\n',
    attributes='[[attribute]]\nname = "scale"\ntype = "float"\n'
    '[[attribute]]\nname = "steps"\ntype = "int"\ndefault = 1\n',
    outputs='[[output]]\nname = "y"\nshape = "[N, C // 2]"\n',
    samples="[samples]\nsingle = { x = [1, 2], scale = 1.0 }\ntypical = { x = [4, 6], scale = 1.0 }\n"
    "extreme = { x = [1, 64], scale = 1.0 }\n",
)


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RuntimeKnowledge]:
    with RuntimeKnowledge(folder=tmp_path_factory.mktemp("knowledge")) as opened:
        yield opened


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "opstudio.toml").write_text("")
    (tmp_path / "half").mkdir()
    write_contract(tmp_path / "half", CONTRACT)
    return tmp_path


def a_model(edit: Callable[[Any], None] = lambda _model: None) -> ModelProto:
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 6])]
    outputs = [ValueInfoProto(name="y")]
    nodes = [
        helper.make_node("Half", ["x"], ["h"], name="half", domain="lab", scale=2.0),
        helper.make_node("Neg", ["h"], ["y"], name="neg"),
    ]
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("lab", 1)]
    model = helper.make_model(helper.make_graph(nodes, "own", inputs, outputs), opset_imports=imports, ir_version=9)
    edit(model)
    return model


def examine(workspace: Path, knowledge: RuntimeKnowledge, model: ModelProto, *libraries: Path) -> GraphReport:
    path = workspace / "model.onnx"
    path.write_bytes(model.SerializeToString())
    contracts = contracts_at(workspace / "half")
    return examine_graph(path, knowledge, CancelToken(), libraries=libraries, contracts=contracts)


def test_that_an_operator_of_the_workspace_is_told_with_how_to_build_it(  # ORT001
    workspace: Path, knowledge: RuntimeKnowledge
) -> None:
    (finding,) = examine(workspace, knowledge, a_model()).findings
    assert (finding.id, finding.title) == ("ORT001", "Nobody implements lab:Half")
    assert "the contract of half declares it" in finding.cause
    assert finding.fix == (
        "Build it with opstudio build --release half, then register dist/lab/liblab_onnxruntime.so before the session"
    )


def test_that_a_release_that_exists_is_offered_and_makes_it_good(workspace: Path, knowledge: RuntimeKnowledge) -> None:
    (workspace / "dist" / "lab").mkdir(parents=True)
    release = workspace / "dist" / "lab" / "liblab_onnxruntime.so"
    build_library(release, [WrittenOperator(domain="lab", type="Half")])

    report = examine(workspace, knowledge, a_model())
    assert report.findings[0].fix == f"Register the release of half before the session: --library {release}"
    assert not report.is_accepted  # it is offered, not used

    report = examine(workspace, knowledge, a_model(), release)
    # That library infers no shape; the contract does.
    assert (report.is_accepted, [finding.id for finding in report.findings]) == (True, ["MOD006"])
    half = report.model.graph.nodes[0]
    value = report.evidence.inferred(half, 0)
    assert value is not None
    assert (value.type, value.shape, value.origin) == ("tensor(float)", ("n", 3), ValueOrigin.CONTRACT)


def test_that_shapes_go_on_behind_an_operator_that_only_a_contract_knows(
    workspace: Path, knowledge: RuntimeKnowledge
) -> None:
    report = examine(workspace, knowledge, a_model())
    value = report.evidence.inferred(report.model.graph.nodes[1], 0)
    assert value is not None
    assert (value.type, value.shape, value.origin) == ("tensor(float)", ("n", 3), ValueOrigin.INFERRED)


def without_scale(model: Any) -> None:
    del model.graph.node[0].attribute[:]


def whole_scale(model: Any) -> None:
    model.graph.node[0].attribute[0].CopyFrom(helper.make_attribute("scale", 2))


def other_name(model: Any) -> None:
    model.graph.node[0].attribute.append(helper.make_attribute("step", 3))


def second_input(model: Any) -> None:
    model.graph.node[0].input.append("x")


def double(model: Any) -> None:
    model.graph.node.insert(0, helper.make_node("Cast", ["x"], ["d"], to=TensorProto.DOUBLE))
    model.graph.node[1].input[0] = "d"


@pytest.mark.parametrize(
    ("edit", "id_", "cause"),
    [
        (without_scale, "ORT005", "1 node: it lacks the attribute scale, which the contract gives no default"),
        (whole_scale, "ORT005", "1 node: its attribute scale is INT, the contract's is float"),
        (other_name, "ORT005", "1 node: it has the attribute step, which the contract lacks"),
        (second_input, "ORT005", "1 node: it has 2 inputs, the contract 1"),
        (double, "ORT006", "1 node: input 0, x, is tensor(double), the contract takes tensor(float)"),
    ],
)
def test_that_a_node_that_differs_from_its_contract_is_told(
    edit: Callable[[Any], None], id_: str, cause: str, workspace: Path, knowledge: RuntimeKnowledge
) -> None:
    report = examine(workspace, knowledge, a_model(edit))
    found = {finding.id: finding for finding in report.findings}
    assert set(found) == {"ORT001", id_}
    assert (found[id_].cause, found[id_].severity) == (cause, Severity.ERROR)
    node, contract = found[id_].places
    assert (node.node, contract.file) == ("half", str(workspace / "half" / "contract.toml"))
    # The fix is the node as the contract has it.
    assert {finding.id for finding in examine(workspace, knowledge, a_model()).findings} == {"ORT001"}


def test_that_what_a_session_takes_all_the_same_is_a_warning(workspace: Path, knowledge: RuntimeKnowledge) -> None:
    library = build_library(workspace / "half.so", [WrittenOperator(domain="lab", type="Half")])
    report = examine(workspace, knowledge, a_model(other_name), library)
    severities = {finding.id: finding.severity for finding in report.findings}
    assert severities == {"ORT005": Severity.WARNING, "MOD006": Severity.WARNING}
    assert report.is_accepted


def test_that_a_contract_that_is_wrong_keeps_no_model_from_being_looked_at(
    workspace: Path, knowledge: RuntimeKnowledge
) -> None:
    (workspace / "half" / "contract.toml").write_text("[operator\n")
    (finding,) = examine(workspace, knowledge, a_model()).findings
    assert finding.fix.startswith("Register the library that brings lab")


def test_that_outside_of_workspaces_there_are_no_contracts(tmp_path: Path) -> None:
    assert contracts_at(tmp_path) == ()
