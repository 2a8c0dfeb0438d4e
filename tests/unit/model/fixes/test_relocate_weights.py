"""Weights under another name than the model says: the runtime finds them after the fix, nothing outside is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - the second opinion
import onnxruntime  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253 - the second opinion
from onnx.external_data_helper import set_external_data  # noqa: TID253 - the second opinion

from opstudio.base.errors import InputError
from opstudio.model.fixes.registry import edits_of
from tests.unit.model.fixes.broken_models import Bench, ids

WEIGHTS = np.float32([[1, 2, 3], [4, 5, 6]])


def beside(name: str, location: str, offset: int = 0) -> Any:
    """Return a tensor of three floats whose values lie in a file beside the model."""
    tensor = numpy_helper.from_array(WEIGHTS[0], name)
    set_external_data(tensor, location, offset=offset, length=12)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    return tensor


def a_model(*locations: str) -> Any:
    """Return a model that adds tensors from files, one behind the other where there is one file."""
    tensors = [
        beside(f"w{number}", location, offset=12 * locations[:number].count(location))
        for number, location in enumerate(locations)
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in ("x", "y")]
    nodes = [helper.make_node("Sum", ["x", *(tensor.name for tensor in tensors)], ["y"], name="sum")]
    graph = helper.make_graph(nodes, "beside", values[:1], values[1:], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def put(folder: Path, location: str, content: bytes = WEIGHTS.tobytes()) -> None:
    (folder / location).parent.mkdir(parents=True, exist_ok=True)
    (folder / location).write_bytes(content)


def written(bench: Bench, model: Any) -> Path:
    path = bench.folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def offers(bench: Bench, path: Path) -> dict[str, list[str]]:
    return {
        identifier: ids(offer.solves)
        for identifier, offer in bench.offers(path).items()
        if identifier.startswith("relocate-weights")
    }


@pytest.mark.parametrize(
    ("named", "present"),
    [
        ("Weights.BIN", "weights.bin"),
        ("weights.bin", "data/weights.bin"),
        ("data/weights.bin", "weights.bin"),
        ("old/weights.bin", "new/deep/weights.bin"),
        ("data\\weights.bin", "data/weights.bin"),
        ("a=b.bin", "A=b.bin"),
        ("gewichte_ä.bin", "data/gewichte_ä.bin"),
    ],
)
def test_that_weights_are_read_from_the_one_file_that_has_their_name(bench: Bench, named: str, present: str) -> None:
    path = written(bench, a_model(named, named))
    put(bench.folder, present)
    assert not bench.is_taken(path)
    identifier = f"relocate-weights:{named}={present}"
    assert offers(bench, path) == {identifier: ["MOD002"]}

    fixed = bench.fixed(path, identifier)
    assert onnx.load_model(str(fixed), load_external_data=False) == a_model(present, present)
    session = onnxruntime.InferenceSession(str(fixed), providers=["CPUExecutionProvider"])
    np.testing.assert_array_equal(session.run(None, {"x": np.float32([1, 1, 1])})[0], 1 + WEIGHTS.sum(axis=0))
    assert bench.report(fixed).findings == ()


def two_of_the_name(folder: Path) -> None:
    put(folder, "one/weights.bin")
    put(folder, "two/weights.bin")


def too_short(folder: Path) -> None:
    put(folder, "data/weights.bin", WEIGHTS.tobytes()[:-1])


def outside(folder: Path) -> None:
    put(folder.parent, "weights.bin")


def link_outside(folder: Path) -> None:
    put(folder.parent / "elsewhere", "weights.bin")
    (folder / "data").mkdir()
    (folder / "data" / "weights.bin").symlink_to(folder.parent / "elsewhere" / "weights.bin")


def folder_link_outside(folder: Path) -> None:
    put(folder.parent / "elsewhere", "weights.bin")
    (folder / "data").symlink_to(folder.parent / "elsewhere")


def a_folder(folder: Path) -> None:
    (folder / "data" / "weights.bin").mkdir(parents=True)


def another_name(folder: Path) -> None:
    put(folder, "weights_2.bin")


def the_model_itself(_folder: Path) -> None:
    """Put nothing: the one file of that name is the model."""


def too_many(folder: Path) -> None:
    put(folder, "data/weights.bin")
    for number in range(150):
        (folder / "many" / str(number)).mkdir(parents=True)
        for name in range(140):
            (folder / "many" / str(number) / str(name)).touch()


def too_deep(folder: Path) -> None:
    put(folder, "1/2/3/4/weights.bin")


@pytest.mark.parametrize(
    "place",
    [
        *(two_of_the_name, too_short, outside, link_outside, folder_link_outside, a_folder, another_name, too_deep),
        *(the_model_itself, too_many),
    ],
)
def test_that_no_other_file_is_offered(bench: Bench, tmp_path: Path, place: Callable[[Path], None]) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    place(folder)
    name = "Model.onnx" if place is the_model_itself else "weights.bin"
    path = written(Bench(folder, bench.knowledge, bench.library), a_model(name, name))
    assert ids(bench.report(path).findings) == ["MOD002"]
    assert offers(bench, path) == {}
    with pytest.raises(InputError, match="not exactly one file of that name"):
        edits_of(bench.target(path), "relocate-weights")


@pytest.mark.parametrize("new", ["../weights.bin", "/etc/hostname", "data/../../weights.bin", "absent.bin", "link.bin"])
def test_that_a_person_cannot_name_a_file_outside_of_the_folder_either(bench: Bench, tmp_path: Path, new: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    put(tmp_path, "weights.bin")
    (folder / "link.bin").symlink_to(tmp_path / "weights.bin")
    path = written(Bench(folder, bench.knowledge, bench.library), a_model("weights.bin"))
    with pytest.raises(InputError, match="The weights cannot be read from"):
        edits_of(bench.target(path), f"relocate-weights:weights.bin={new}")


def test_that_a_location_that_leads_out_is_no_matter_of_names(bench: Bench) -> None:
    path = written(bench, a_model("../weights.bin"))
    put(bench.folder, "weights.bin")
    assert offers(bench, path) == {}
    with pytest.raises(InputError, match="is not missing"):
        edits_of(bench.target(path), "relocate-weights:../weights.bin=weights.bin")


def test_that_several_missing_files_are_mended_at_once(bench: Bench) -> None:
    path = written(bench, a_model("First.bin", "Second.bin"))
    put(bench.folder, "first.bin")
    # Of one of two, the finding stays: it is about both.
    assert offers(bench, path) == {"relocate-weights:First.bin=first.bin": []}
    put(bench.folder, "data/second.bin")
    assert offers(bench, path) == {"relocate-weights": ["MOD002"]}
    assert bench.is_taken(bench.fixed(path, "relocate-weights"))


@pytest.mark.parametrize("locations", [("a/w.bin", "b/w.bin"), ("w.bin", "b/w.bin")])
def test_that_a_file_that_several_tensors_would_have_is_offered_to_none(
    bench: Bench, locations: tuple[str, str]
) -> None:
    path = written(bench, a_model(*locations))
    put(bench.folder, "w.bin")
    assert not bench.is_taken(path)
    assert offers(bench, path) == {}
    with pytest.raises(InputError, match="no other weights are read from"):
        edits_of(bench.target(path), "relocate-weights")
    fixed = bench.fixed(path, "relocate-weights:b/w.bin=w.bin")
    assert onnx.load_model(str(fixed), load_external_data=False).graph.initializer[1].external_data[0].value == "w.bin"


def test_that_the_model_itself_is_no_file_of_weights(bench: Bench) -> None:
    path = written(bench, a_model("weights.bin"))
    (bench.folder / "link.bin").hardlink_to(path)
    for name in (path.name, "link.bin"):
        with pytest.raises(InputError, match="other than the model"):
            edits_of(bench.target(path), f"relocate-weights:weights.bin={name}")


def test_that_tensors_of_attributes_nested_graphs_and_functions_are_named_as_well(bench: Bench) -> None:
    def model(location: str) -> Any:
        constant = helper.make_node("Constant", [], ["c"], value=beside("", location))
        inner = helper.make_graph(
            [helper.make_node("Identity", ["w"], ["r"])], "then", [], [onnx.ValueInfoProto(name="r")]
        )
        inner.initializer.append(beside("w", location))
        branch = helper.make_node("If", ["yes"], ["z"], then_branch=inner, else_branch=inner)
        made = a_model(location)
        made.graph.node.extend([constant, branch])
        made.graph.initializer.append(numpy_helper.from_array(np.bool_(True), "yes"))
        sparse = onnx.SparseTensorProto(values=beside("s", location), dims=[9])
        made.graph.sparse_initializer.append(sparse)
        imports = [helper.make_opsetid("", 17)]
        made.functions.append(helper.make_function("own", "F", [], ["c"], [constant], imports))
        return made

    path = written(bench, model("W.bin"))
    put(bench.folder, "w.bin")
    fixed = bench.fixed(path, "relocate-weights:W.bin=w.bin")
    assert onnx.load_model(str(fixed), load_external_data=False) == model("w.bin")


def test_that_nothing_is_said_of_weights_that_are_there(bench: Bench) -> None:
    path = written(bench, a_model("weights.bin"))
    put(bench.folder, "weights.bin")
    assert bench.is_taken(path)
    assert offers(bench, path) == {}
    with pytest.raises(InputError, match="none is missing"):
        edits_of(bench.target(path), "relocate-weights")
