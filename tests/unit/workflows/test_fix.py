"""Fixes applied to a file: what is written, what is refused, and what the trial against the original says."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, load_model, numpy_helper, save_model  # noqa: TID253 - the second opinion
from onnxruntime import InferenceSession  # noqa: TID253 - the second opinion

from opstudio.base.errors import CancelledError, InputError, SetupError
from opstudio.cli.command import ExitCode
from opstudio.cli.fixes import show_fixed
from opstudio.cli.terminal import Terminal
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.fix import Edit
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.workflows.fix import FixedModel, apply_fixes, offer_fixes, worse_in
from opstudio.workflows.fix_target import OutputOrder, temporary_files
from opstudio.workflows.fix_trial import Trial, try_changed_model
from opstudio.workflows.graph import GraphReport, examine_model_file
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from tests.support.operator_libraries import WrittenOperator, build_library


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RuntimeKnowledge]:
    with RuntimeKnowledge(folder=tmp_path_factory.mktemp("knowledge")) as opened:
        yield opened


def a_model(*, opset: int = 17, rows: int | str = 2) -> Any:
    """Return a model of standard operators with a weight, and an import that it does not need."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, 3]) for name in ("x", "y")]
    nodes = [
        helper.make_node("Add", ["x", "w"], ["shifted"], name="shift"),
        helper.make_node("Tanh", ["shifted"], ["y"], name="tanh"),
    ]
    weights = [numpy_helper.from_array(np.float32([1, 2, 3]), "w")]
    graph = helper.make_graph(nodes, "standard", values[:1], values[1:], weights)
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("unused", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def written(folder: Path, model: Any, name: str = "model.onnx", **options: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    save_model(model, str(folder / name), **options)
    return folder / name


def with_weights_beside(folder: Path) -> Path:
    options = {"save_as_external_data": True, "location": "model.data", "size_threshold": 0, "convert_attribute": True}
    return written(folder, a_model(), **options)


def applied(
    path: Path, ids: Sequence[str], order: OutputOrder, knowledge: RuntimeKnowledge, cancel: CancelToken | None = None
) -> FixedModel:
    token = cancel or CancelToken()

    def examine(model: ModelRecord) -> GraphReport:
        return examine_model_file(model, knowledge, token)

    def try_model(original: Path, changed: Path, providers: Sequence[str]) -> Trial:
        return try_changed_model(sys.executable, original, changed, token, providers=providers)

    return apply_fixes(path, ids, order, examine, try_model, token)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_that_several_fixes_are_made_in_order_and_tried_against_the_original(
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    path, output = written(tmp_path, a_model()), tmp_path / "out.onnx"
    path.chmod(0o640)
    ids = ["remove-import:unused", "lower-ir:7", "change-import:ai.onnx=18", "make-dynamic:x[0]=n"]
    fixed = applied(path, ids, OutputOrder(path=output), knowledge)

    expected = a_model(opset=18, rows="n")
    expected.ir_version = 7
    del expected.opset_import[1]
    assert load_model(str(output)) == expected
    assert [step.id for step in fixed.applied] == ids
    assert (fixed.worse, fixed.after.is_accepted) == ((), True)
    trial = fixed.trial
    assert (trial.original.checker, trial.original.session) == ("", "")
    assert (trial.changed.checker, trial.changed.session) == ("", "")
    assert [(item.name, item.agrees, item.largest_absolute) for item in trial.outputs] == [("y", True, 0.0)]
    assert (trial.other_sizes, trial.other_size_error) == ({"n": 3}, "")
    assert names_in(tmp_path) == ["model.onnx", "out.onnx"]
    assert output.stat().st_mode & 0o777 == 0o640


def test_that_an_original_that_does_not_load_is_no_comparison(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    model = a_model()
    model.ir_version = 99
    fixed = applied(written(tmp_path, model), ["lower-ir:8"], OutputOrder(path=tmp_path / "out.onnx"), knowledge)
    assert fixed.trial.not_compared == "the original model does not load"
    assert fixed.trial.original.session
    assert (fixed.trial.changed.session, fixed.worse) == ("", ())


def test_that_what_is_worse_is_told(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    fixed = applied(
        written(tmp_path, a_model()),
        ["rename-operator:ai.onnx:Tanh=lab:Tanh"],
        OutputOrder(path=tmp_path / "out.onnx"),
        knowledge,
    )
    first, second = fixed.worse
    assert first.startswith("rename-operator:ai.onnx:Tanh=lab:Tanh: tanh: nobody who is loaded provides the domain lab")
    assert second.startswith("rename-operator:ai.onnx:Tanh=lab:Tanh: ONNX Runtime refuses it, and took the original: ")


def test_that_of_several_fixes_the_first_one_that_makes_it_worse_is_named(
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    ids = ["lower-ir:7", "rename-operator:ai.onnx:Tanh=lab:Tanh", "remove-import:unused"]
    fixed = applied(written(tmp_path, a_model()), ids, OutputOrder(path=tmp_path / "out.onnx"), knowledge)
    assert (fixed.to_blame, [bool(step.worse) for step in fixed.applied]) == (ids[1], [False, True, False])


def test_that_a_model_that_computes_something_else_is_told(tmp_path: Path) -> None:
    other = a_model()
    other.graph.node[1].op_type = "Sigmoid"
    original, changed = written(tmp_path, a_model()), written(tmp_path, other, "changed.onnx")
    trial = try_changed_model(sys.executable, original, changed, CancelToken(), providers=["CPUExecutionProvider"])
    assert trial.worse() == ("output y: 6 of 6 elements differ",)


def test_that_a_session_that_refuses_the_new_file_decides(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    """A library that is looked at, and not loaded when the file is tried, is what the studio does not foresee."""
    library = build_library(tmp_path / "lab.so", [WrittenOperator(domain="lab", type="Twice")])
    model = a_model()
    model.graph.node[1].CopyFrom(helper.make_node("Twice", ["shifted"], ["y"], name="twice", domain="lab"))
    model.opset_import.append(helper.make_opsetid("lab", 1))

    def examine(record: ModelRecord) -> GraphReport:
        return examine_model_file(record, knowledge, CancelToken(), libraries=[library])

    def try_model(original: Path, changed: Path, providers: Sequence[str]) -> Trial:
        return try_changed_model(sys.executable, original, changed, CancelToken(), providers=providers)

    path, order = written(tmp_path, model), OutputOrder(path=tmp_path / "out.onnx")
    fixed = apply_fixes(path, ["remove-import:unused"], order, examine, try_model, CancelToken())
    assert (fixed.after.is_accepted, fixed.worse) == (True, ())
    assert not fixed.is_accepted

    printed = StringIO()
    assert show_fixed(Terminal(as_json=False, output=printed), path, fixed) is ExitCode.BAD
    assert "does not take it yet" in printed.getvalue()
    document = StringIO()
    show_fixed(Terminal(as_json=True, output=document), path, fixed)
    loads = json.loads(document.getvalue())["loads"]
    assert loads == {"verdict": "refused", "reason": fixed.trial.changed.session}
    assert "lab" in loads["reason"]


def test_that_a_size_inside_that_stays_is_seen_by_a_run(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    model = a_model()
    model.graph.initializer.append(numpy_helper.from_array(np.int64([2, 3]), "shape"))
    model.graph.node[1].input[0] = "reshaped"
    model.graph.node.insert(1, helper.make_node("Reshape", ["shifted", "shape"], ["reshaped"], name="reshape"))
    order = OutputOrder(path=tmp_path / "out.onnx")
    trial = applied(written(tmp_path, model), ["make-dynamic:x[0]=n"], order, knowledge).trial
    assert [item.agrees for item in trial.outputs] == [True]
    assert "reshape" in trial.other_size_error


def test_that_weights_beside_are_found_from_the_same_folder(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    path = with_weights_beside(tmp_path / "models")
    weights = (path.parent / "model.data").read_bytes()
    fixed = applied(path, ["lower-ir:7"], OutputOrder(path=path.parent / "out.onnx"), knowledge)
    assert [item.agrees for item in fixed.trial.outputs] == [True]
    assert (path.parent / "model.data").read_bytes() == weights
    assert names_in(path.parent) == ["model.data", "model.onnx", "out.onnx"]


def test_that_weights_are_copied_to_another_folder_where_that_is_asked_for(
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    path, other = with_weights_beside(tmp_path / "models"), tmp_path / "other"
    other.mkdir()
    with pytest.raises(InputError, match="lie beside the original") as caught:
        applied(path, ["lower-ir:7"], OutputOrder(path=other / "out.onnx"), knowledge)
    assert "--copy-weights" in caught.value.findings[0].fix
    assert names_in(other) == []

    order = OutputOrder(path=other / "out.onnx", copy_weights=True)
    with pytest.raises(InputError, match="IR version 3"):
        applied(path, ["lower-ir:3"], order, knowledge)
    assert names_in(other) == []
    fixed = applied(path, ["lower-ir:7"], order, knowledge)
    assert fixed.copied == (other / "model.data",)
    assert [item.agrees for item in fixed.trial.outputs] == [True]
    np.testing.assert_array_equal(
        numpy_helper.to_array(load_model(str(other / "out.onnx")).graph.initializer[0]), np.float32([1, 2, 3])
    )
    # Once there, they need not be copied again.
    again = applied(path, ["lower-ir:7"], OutputOrder(path=other / "again.onnx", copy_weights=True), knowledge)
    assert again.copied == ()
    (other / "model.data").write_bytes(b"something else")
    with pytest.raises(InputError, match="another file stands"):
        applied(path, ["lower-ir:7"], OutputOrder(path=other / "last.onnx", copy_weights=True), knowledge)


def with_missing_weights(folder: Path) -> Path:
    """Return a model that names its weights in other letters, and without the folder where they are."""
    path = with_weights_beside(folder)
    model = load_model(str(path), load_external_data=False)
    model.graph.initializer[0].external_data[0].value = "Model.Data"
    path.write_bytes(model.SerializeToString())
    (folder / "deep").mkdir()
    (folder / "model.data").rename(folder / "deep" / "model.data")
    return path


def test_that_weights_which_a_fix_finds_are_copied_or_refused_as_others(
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    path, other = with_missing_weights(tmp_path / "models"), tmp_path / "other"
    other.mkdir()
    ids = ["lower-ir:7", "relocate-weights"]
    with pytest.raises(InputError, match=r"the weights in deep/model\.data lie beside the original"):
        applied(path, ids, OutputOrder(path=other / "out.onnx"), knowledge)
    order = OutputOrder(path=other / "out.onnx", copy_weights=True)
    with pytest.raises(InputError, match="IR version 3"):
        applied(path, [*ids, "lower-ir:3"], order, knowledge)
    assert names_in(other) == []
    (path.parent / "copy.data").write_bytes((path.parent / "deep" / "model.data").read_bytes())
    in_its_place = OutputOrder(path=other / "copy.data", copy_weights=True)
    with pytest.raises(InputError, match="it is a file with weights of the model"):
        applied(path, ["relocate-weights:Model.Data=copy.data"], in_its_place, knowledge)
    assert names_in(other) == []

    fixed = applied(path, ids, order, knowledge)
    assert (fixed.copied, fixed.worse, fixed.is_accepted) == ((other / "deep" / "model.data",), (), True)
    session = InferenceSession(str(other / "out.onnx"), providers=["CPUExecutionProvider"])
    (made,) = session.run(None, {"x": np.zeros((2, 3), np.float32)})
    np.testing.assert_allclose(made, np.tanh(np.float32([[1, 2, 3]] * 2)), rtol=1e-6)
    assert names_in(path.parent) == ["copy.data", "deep", "model.onnx"]


def test_that_the_output_may_not_be_the_model_its_weights_or_a_file_that_is_there(
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    path = with_weights_beside(tmp_path)
    link = tmp_path / "link.onnx"
    link.symlink_to(path)
    (tmp_path / "taken.onnx").write_bytes(b"kept")
    contents = {item.name: item.read_bytes() for item in tmp_path.iterdir()}
    for output, force, cause in (
        (path, True, "it is the model itself"),
        (link, True, "it is the model itself"),
        (tmp_path / "model.data", True, "it is a file with weights of the model"),
        (tmp_path / "taken.onnx", False, "there is a file already"),
        (tmp_path, True, "it is a folder"),
        (tmp_path / "absent" / "out.onnx", True, "there is no folder"),
    ):
        with pytest.raises(InputError, match=cause):
            applied(path, ["lower-ir:7"], OutputOrder(path=output, force=force), knowledge)
    assert {item.name: item.read_bytes() for item in tmp_path.iterdir()} == contents

    applied(path, ["lower-ir:7"], OutputOrder(path=tmp_path / "taken.onnx", force=True), knowledge)
    assert load_model(str(tmp_path / "taken.onnx")).ir_version == 7


def test_that_weights_which_a_fix_finds_are_not_overwritten(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    path = with_weights_beside(tmp_path)
    found = (tmp_path / "model.data").rename(tmp_path / "MODEL.data")
    weights = found.read_bytes()

    with pytest.raises(InputError, match="it is a file with weights of the model"):
        applied(path, ["relocate-weights"], OutputOrder(path=found, force=True), knowledge)

    assert found.read_bytes() == weights
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_that_a_folder_that_may_not_be_written_is_told(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    path, closed = written(tmp_path, a_model()), tmp_path / "closed"
    closed.mkdir(mode=0o555)
    with pytest.raises(SetupError, match="you may not write there"):
        applied(path, ["lower-ir:7"], OutputOrder(path=closed / "out.onnx"), knowledge)


def test_that_a_folder_that_takes_no_files_is_told(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    path = written(tmp_path, a_model())
    with pytest.raises(SetupError, match=r"Cannot write /proc/out\.onnx"):
        applied(path, ["lower-ir:7"], OutputOrder(path=Path("/proc/out.onnx")), knowledge)


def test_that_a_fix_that_does_not_fit_leaves_nothing_behind(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    path = written(tmp_path, a_model())
    with pytest.raises(InputError, match="cannot be written with IR version 3"):
        applied(path, ["remove-import:unused", "lower-ir:3"], OutputOrder(path=tmp_path / "out.onnx"), knowledge)
    assert names_in(tmp_path) == ["model.onnx"]


def test_that_cancelled_work_leaves_nothing_behind(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    path, cancel = written(tmp_path, a_model()), CancelToken()
    cancel.cancel("enough")
    with pytest.raises(CancelledError):
        applied(path, ["lower-ir:7"], OutputOrder(path=tmp_path / "out.onnx"), knowledge, cancel)
    assert names_in(tmp_path) == ["model.onnx"]


def test_that_errors_that_no_fix_solves_are_left_over(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    model = a_model()
    model.ir_version = 99
    model.graph.node[1].op_type = "Nothing"

    def examine(record: ModelRecord) -> GraphReport:
        return examine_model_file(record, knowledge, CancelToken())

    found = offer_fixes(written(tmp_path, model), examine, CancelToken())
    assert [finding.id for finding in found.unsolved] == ["MOD004"]
    assert [item.offer.id for item in found.offers if item.offer.solves] == ["lower-ir:14"]
    edits: list[Edit] = [edit for item in found.offers for edit in item.edits]
    assert all(edit.splices and edit.words and edit.before != edit.after for edit in edits)


@pytest.mark.parametrize(
    ("operator", "attributes", "asked"),
    [
        ("Relu:", {}, ""),
        (":Relu", {}, ""),
        ("LeakyRelu", {".alpha": 0.1}, "rename-attribute:ai.onnx:LeakyRelu..alpha=alpha"),
        ("LeakyRelu", {"alpha.": 0.1}, "rename-attribute:ai.onnx:LeakyRelu.alpha.=alpha"),
    ],
)
def test_that_a_fix_that_cannot_be_asked_for_is_left_out_alone(
    tmp_path: Path, knowledge: RuntimeKnowledge, operator: str, attributes: dict[str, float], asked: str
) -> None:
    model = a_model()
    model.graph.node[1].CopyFrom(helper.make_node(operator, ["shifted"], ["y"], name="odd", **attributes))

    def examine(record: ModelRecord) -> GraphReport:
        return examine_model_file(record, knowledge, CancelToken())

    found = offer_fixes(written(tmp_path, model), examine, CancelToken())
    listed = {item.offer.id for item in found.offers}
    assert "remove-import:unused" in listed
    assert asked not in listed
    assert not {item for item in listed if operator in item and ":" in operator}


def test_that_notes_are_told_once_and_names_may_have_any_letters(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    def examine(record: ModelRecord) -> GraphReport:
        return examine_model_file(record, knowledge, CancelToken())

    (offered,) = (
        item
        for item in offer_fixes(with_missing_weights(tmp_path), examine, CancelToken()).offers
        if item.offer.id.startswith("relocate")
    )
    assert offered.notes == ("the new file is to lie in the folder of the model, since weights are found from there",)

    model = a_model()
    model.graph.input[0].name = model.graph.node[0].input[0] = "x\n[1]"
    path = written(tmp_path / "names", model)
    fixed = applied(path, ["make-dynamic:x\n[1][0]=n"], OutputOrder(path=tmp_path / "out.onnx"), knowledge)
    assert load_model(str(fixed.output)).graph.input[0].type.tensor_type.shape.dim[0].dim_param == "n"


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EPERM])
def test_that_a_folder_that_takes_no_output_has_another_output_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refusing(**_options: object) -> None:
        raise OSError(code, os.strerror(code))

    # A read-only file system can be made by an administrator alone.
    monkeypatch.setattr(tempfile, "mkstemp", refusing)
    with temporary_files(tmp_path / "out.onnx") as files, pytest.raises(SetupError) as caught:
        next(files)
    (finding,) = caught.value.findings
    assert finding.fix == "Name an output in a folder that you may write"


def test_that_nothing_is_worse_in_the_same_model(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    def examine(record: ModelRecord) -> GraphReport:
        return examine_model_file(record, knowledge, CancelToken())

    report = offer_fixes(written(tmp_path, a_model()), examine, CancelToken()).report
    assert worse_in(report.evidence, report.evidence) == ()


def test_that_fixes_that_add_nodes_are_made_one_after_the_other(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    model = a_model(opset=13)
    model.graph.node[1].CopyFrom(helper.make_node("Clip", ["shifted"], ["y"], name="clip", min=0.0))
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.float16([1, 2, 3]), "w"))
    ids = ["attributes-to-inputs:ai.onnx:Clip", "remove-import:unused", "insert-cast:ai.onnx:Add[1]=float"]
    path, output = written(tmp_path, model), tmp_path / "out.onnx"
    content = path.read_bytes()
    fixed = applied(path, ids, OutputOrder(path=output), knowledge)

    assert (fixed.worse, fixed.after.findings, fixed.after.is_accepted) == ((), (), True)
    assert (fixed.trial.changed.session, fixed.trial.changed.checker) == ("", "")
    assert [node.op_type for node in load_model(str(output)).graph.node] == ["Cast", "Add", "Constant", "Clip"]
    assert path.read_bytes() == content


def test_that_a_new_node_that_nobody_implements_is_worse(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    def evidence(model: Any, name: str) -> GraphEvidence:
        path = written(tmp_path, model, name)
        return examine_model_file(read_model(path), knowledge, CancelToken()).evidence

    model, more = a_model(), a_model()
    more.graph.node.insert(1, helper.make_node("Nothing", ["shifted"], ["new"], name="added"))
    before, after = evidence(model, "before.onnx"), evidence(more, "after.onnx")
    (worse,) = worse_in(before, after, frozenset({"new"}))
    assert worse.startswith("added: the standard domain has no operator Nothing")

    more.graph.node[1].op_type = "Neg"
    assert worse_in(before, evidence(more, "good.onnx"), frozenset({"new"})) == ()


def test_that_a_model_that_expands_beyond_all_memory_is_never_loaded(
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("f", 1)]
    functions = []
    for level in range(40):
        type_, domain = (f"F{level + 1}", "f") if level < 39 else ("Neg", "")
        body = [helper.make_node(type_, [a], [b], domain=domain) for a, b in (("a", "t"), ("t", "b"))]
        functions.append(helper.make_function("f", f"F{level}", ["a"], ["b"], body, imports))
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("F0", ["x"], ["y"], domain="f")], "g", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=imports, functions=functions, ir_version=9)

    def examine(model: ModelRecord) -> GraphReport:
        return examine_model_file(model, knowledge, CancelToken())

    def never(*_arguments: object) -> Trial:
        raise AssertionError("a session of it takes all memory there is")

    order = OutputOrder(path=tmp_path / "out.onnx")
    fixed = apply_fixes(written(tmp_path, model), ["make-dynamic:x[0]=n"], order, examine, never, CancelToken())
    assert f"expand into {1 << 40:,} nodes" in str(fixed.trial.changed.session)
    assert (fixed.worse, fixed.output.is_file(), fixed.after.is_accepted) == ((), True, False)
    (finding,) = fixed.after.findings
    assert (finding.id, finding.title) == ("ORT001", "The function f:F0 cannot be expanded")
