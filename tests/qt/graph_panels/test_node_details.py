"""The panel Node: what it says of nodes, values and the model, held against what onnx itself reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - models are what this is about
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper  # noqa: TID253 - the same
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from opstudio.base.finding import Place
from opstudio.qt.graph.details_records import HelpTarget, MoreTarget, NodeTarget, PlaceTarget, ScopeTarget, ValueTarget
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.node_table import NodeColumn
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.node_details import NodeDetailsPanel
from opstudio.qt.panels.node_list import NodeListPanel
from opstudio.qt.widgets.wrapped_text import WrappedText
from tests.qt.conftest import MakeWindow
from tests.qt.graph_panels.opened import details_of, open_model, section_of, table_of, target_of, view_of
from tests.qt.window_access import panel_of
from tests.support.workspaces import TestWorkspace
from tests.unit.model.graph.samples import rich_model, sample, written

LONG = 20_000


def test_that_a_model_is_described_as_onnx_reads_it(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = written(tmp_path, rich_model())
    open_model(window, path, qtbot, resolved=False)
    details, model = details_of(window, qtbot), onnx.load(path)

    about = table_of(details, "Model")
    assert details.title == path.name
    assert about["IR version"] == str(model.ir_version)
    assert about["Producer"] == f"{model.producer_name} {model.producer_version}"
    assert (about["Domain"], about["Documentation"]) == (model.domain, model.doc_string)
    assert table_of(details, "Operator sets") == {
        entry.domain or "ai.onnx": str(entry.version) for entry in model.opset_import
    }
    assert table_of(details, "Metadata") == {"author": "nobody"}
    names = [value.name for value in model.graph.input if value.name != "w"]
    assert [row.spans[0].text for row in section_of(details, "Inputs").rows] == names
    assert [row.spans[0].text for row in section_of(details, "Outputs").rows] == ["z"]


def test_that_nodes_are_counted_by_domain_and_operator(window: MainWindow, qtbot: QtBot) -> None:
    path = sample("open/int4_qdq.onnx")
    open_model(window, path, qtbot)
    details, nodes = details_of(window, qtbot), onnx.load(path).graph.node

    counted = {name: int(text.split()[0]) for name, text in table_of(details, "Nodes by operator").items()}
    assert counted == {kind: sum(node.op_type == kind for node in nodes) for kind in {node.op_type for node in nodes}}
    parties = table_of(details, "Nodes by who implements them")
    assert sum(int(text.split()[0]) for text in parties.values()) == len(nodes)


def test_that_a_node_is_described_with_its_values_and_neighbours(window: MainWindow, qtbot: QtBot) -> None:
    path = sample("open/int4_qdq.onnx")
    open_model(window, path, qtbot)
    nodes = onnx.load(path).graph.node
    number = next(number for number, node in enumerate(nodes) if node.op_type == "Conv")
    window.graph.select_node(number)
    details, node = details_of(window, qtbot), nodes[number]

    assert (details.title, details.name) == ("Conv", node.name)
    assert table_of(details, "Operator")["Version"].split()[0] == "21"
    assert table_of(details, "Implemented by")["Provider"] == "CPUExecutionProvider"
    given = {f"{item.name}  {onnx.AttributeProto.AttributeType.Name(item.type)}" for item in node.attribute}
    assert given <= table_of(details, "Attributes").keys()
    inputs = section_of(details, "Inputs").rows
    assert [row.spans[0].text for row in inputs] == list(node.input)
    assert [row.name for row in inputs] == ["0  X", "1  W", "2  B"]
    maker = next(other for other in nodes if node.input[0] in other.output)
    assert target_of(details, maker.name) == NodeTarget(scope=(), node=list(nodes).index(maker))
    readers = [other.name for other in nodes if node.output[0] in other.input]
    assert [span.text for span in section_of(details, "Outputs").rows[0].spans if span.target][1:] == readers


def test_that_links_lead_to_nodes_and_values(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("open/int4_qdq.onnx"), qtbot)
    window.graph.select_node(0)
    details = details_of(window, qtbot)
    value = section_of(details, "Outputs").rows[0].spans[0].text
    reader = next(span for span in section_of(details, "Outputs").rows[0].spans if isinstance(span.target, NodeTarget))
    page = panel_of(window, NodeDetailsPanel).page
    page.target_chosen.emit(target_of(details, value))
    assert window.graph.selected_value == value
    page.target_chosen.emit(reader.target)
    assert isinstance(reader.target, NodeTarget)
    assert window.graph.selected_node == reader.target.node
    assert details_of(window, qtbot).name == reader.text


def test_that_a_click_on_a_link_of_the_text_follows_it(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("open/int4_qdq.onnx"), qtbot)
    details_of(window, qtbot)
    text = view_of(window, "Inputs").text
    QApplication.processEvents()
    places = (QPoint(x, y) for y in range(0, 20, 2) for x in range(0, 200, 4))
    place = next(place for place in places if text.anchorAt(place))
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.graph.selected_value == "input_0"


def test_that_attributes_of_every_kind_are_shown(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    open_model(window, written(tmp_path, rich_model()), qtbot)
    window.graph.select_node(2)
    shown = table_of(details_of(window, qtbot), "Attributes")
    assert shown["gain  FLOAT"] == "0.5"
    assert shown["count  INT"] == str(-(1 << 63))
    assert shown["mode  STRING"] == '"größe"'
    assert shown["factors  FLOATS"] == "[0.25, inf]"
    assert shown["words  STRINGS"] == '["a", "", "ß"]'
    assert shown["tensor  TENSOR"] == "int16[2, 3]\n0, 1, 2, 3, 4, 5"
    assert shown["tensors  TENSORS"] == 'bool[1]\ntrue\nstring[1]\n"s"'
    assert shown["sparse  SPARSE_TENSOR"] == "sparse float16[10]\n1.0, 2.0"
    assert shown["type  TYPE"] == "sequence(int64[n, 2, ?])"


def test_that_what_exporters_wrote_is_shown_and_their_files_are_opened(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    program = tmp_path / "net.py"
    program.write_text("def forward(x):\n    return -x\n", encoding="utf-8")
    node = helper.make_node("Neg", ["x"], ["y"], name="neg")
    trace = f'File "/gone/train.py", line 3, in main\nFile "{program}", line 2, in forward'
    notes = {"pkg.torch.onnx.stack_trace": trace, "pkg.torch.onnx.name_scopes": "['', 'encoder', 'encoder.act', 'neg']"}
    for key, value in notes.items():
        node.metadata_props.add(key=key, value=value)
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    open_model(
        window, written(tmp_path, helper.make_model(helper.make_graph([node], "g", values[:1], values[1:]))), qtbot
    )
    window.graph.select_node(0)
    details = details_of(window, qtbot)
    shown = table_of(details, "Notes of the exporter")
    assert shown["Module"] == "encoder.act"
    assert shown["Source"] == f"/gone/train.py:3\n{program}:2"
    place = Place(file=str(program), line=2)
    assert target_of(details, str(place)) == PlaceTarget(place=place)
    assert [
        span.target for span in section_of(details, "Notes of the exporter").rows[1].spans if "gone" in span.text
    ] == [None]
    panel_of(window, NodeDetailsPanel).page.target_chosen.emit(PlaceTarget(place=place))
    assert window.editors.current is not None
    assert window.editors.current.path == program


def test_that_long_attributes_are_cut_until_someone_asks(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    numbers = list(range(LONG))
    node = helper.make_node("Anything", ["x"], ["y"], domain="lab", numbers=numbers)
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    open_model(window, written(tmp_path, helper.make_model(graph)), qtbot)
    window.graph.select_node(0)
    details = details_of(window, qtbot)
    assert table_of(details, "Attributes")["numbers  INTS"].startswith("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …]")
    more = next(span for span in section_of(details, "Attributes").rows[0].spans if span.target)
    assert more.target == MoreTarget(key="numbers")
    panel_of(window, NodeDetailsPanel).page.target_chosen.emit(more.target)
    shown = table_of(details_of(window, qtbot), "Attributes")["numbers  INTS"]
    assert shown.startswith(str(numbers[:1_000])[:-1])


def test_that_statistics_of_constants_are_those_of_numpy(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    generator = np.random.default_rng(7)
    arrays = {
        dtype: (generator.normal(0, 20, (40, 50)) if "float" in dtype else generator.integers(0, 2, (40, 50))).astype(
            dtype
        )
        for dtype in ("float32", "float16", "float64", "int8", "uint64", "bool")
    }
    open_model(window, written(tmp_path, _with_constants(arrays)), qtbot)
    for name, array in arrays.items():
        window.graph.select_value(name)
        details, numbers = details_of(window, qtbot), array.astype(np.float64)
        shown = table_of(details, "Statistics")
        assert float(shown["Minimum"]) == pytest.approx(numbers.min(), rel=1e-5)
        assert float(shown["Maximum"]) == pytest.approx(numbers.max(), rel=1e-5)
        assert float(shown["Mean"]) == pytest.approx(numbers.mean(), rel=1e-5)
        assert float(shown["Standard deviation"]) == pytest.approx(numbers.std(), rel=1e-5)
        assert int(shown["Zeros"].split()[0].replace(",", "")) == np.count_nonzero(array == 0)
        histogram = view_of(window, "Statistics").histogram
        assert not histogram.isHidden()
        assert histogram.statistics is not None
        # Of the others each number has a bar.
        counts, _ = np.histogram(numbers, bins=64 if "float" in name else 2)
        assert histogram.statistics.histogram == tuple(counts)
        assert f"({array.nbytes:,} B)" in table_of(details, "Storage")["Size"]


def test_that_numbers_that_are_not_finite_are_counted(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    array = np.float32([0.0, -0.0, np.nan, np.inf, np.inf, -np.inf, 2.5])
    open_model(window, written(tmp_path, _with_constants({"w": array})), qtbot)
    window.graph.select_value("w")
    details = details_of(window, qtbot)
    shown = table_of(details, "Statistics")
    assert [shown[name] for name in ("NaN", "+inf", "−inf", "Minimum", "Maximum")] == ["1", "2", "1", "0", "2.5"]
    assert shown["Zeros"].startswith("2 ")
    assert table_of(details, "Elements")[""] == "0.0, -0.0, nan, inf, inf, -inf, 2.5"


def test_that_bars_of_whole_numbers_stand_for_one_each(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    array = np.int8([-3, -3, -1, 4, 4, 4])
    open_model(window, written(tmp_path, _with_constants({"w": array})), qtbot)
    window.graph.select_value("w")
    details_of(window, qtbot)
    histogram = view_of(window, "Statistics").histogram
    assert histogram.statistics is not None
    assert histogram.statistics.histogram == (2, 0, 1, 0, 0, 0, 0, 3)
    histogram.resize(400, histogram.sizeHint().height())
    assert histogram.bar_text(QPointF(399.0 - 1.5, 60.0)) == "4: 3 elements"
    assert histogram.bar_text(QPointF(1.0, 60.0)) == ""


def test_that_elements_are_shown_with_more_of_them_when_asked(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    array = np.arange(5_000, dtype=np.int32)
    open_model(window, written(tmp_path, _with_constants({"w": array})), qtbot)
    window.graph.select_value("w")
    details = details_of(window, qtbot)
    shown = section_of(details, "Elements").rows[0].spans
    assert shown[0].text == ", ".join(str(number) for number in range(64)) + ", …"
    panel_of(window, NodeDetailsPanel).page.target_chosen.emit(shown[-1].target)
    shown = section_of(details_of(window, qtbot), "Elements").rows[0].spans
    assert shown[0].text == ", ".join(str(number) for number in range(2_000)) + ", …"


def test_that_the_statistics_of_huge_weights_wait_until_someone_asks(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("opstudio.qt.graph.details_value.MOST_AT_ONCE", 1_000)
    open_model(window, written(tmp_path, _with_constants({"w": np.ones(300, np.float32)})), qtbot)
    window.graph.select_value("w")
    (span,) = section_of(details_of(window, qtbot), "Statistics").rows[0].spans
    panel_of(window, NodeDetailsPanel).page.target_chosen.emit(span.target)
    assert table_of(details_of(window, qtbot), "Statistics")["Mean"] == "1"


def test_that_weights_beside_the_model_are_read_and_named(window: MainWindow, qtbot: QtBot) -> None:
    path = sample("open/ext_data_present/conv_qdq_external_ini.onnx")
    open_model(window, path, qtbot)
    model = onnx.load(path, load_external_data=False)
    outside = next(tensor for tensor in model.graph.initializer if tensor.data_location == TensorProto.EXTERNAL)
    entries = {entry.key: entry.value for entry in outside.external_data}
    window.graph.select_value(outside.name)
    details = details_of(window, qtbot)
    stored = table_of(details, "Storage")["Stored"]
    assert stored.splitlines()[0] == entries["location"]
    assert f"{int(entries.get('offset', 0)):,}" in stored
    array = numpy_helper.to_array(outside, base_dir=str(path.parent))
    assert float(table_of(details, "Statistics")["Maximum"].replace(",", "")) == pytest.approx(
        float(array.max()), rel=1e-5
    )


def test_that_weights_that_cannot_be_read_are_told_in_words(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("open/ext_data_missing.onnx", "open/ext_data_escape.onnx", "synth/ext_missing.onnx"):
        path = sample(name)
        open_model(window, path, qtbot)
        model = onnx.load(path, load_external_data=False)
        outside = next(tensor for tensor in model.graph.initializer if tensor.data_location == TensorProto.EXTERNAL)
        window.graph.select_value(outside.name)
        problem = table_of(details_of(window, qtbot), "Storage")["Problem"]
        assert problem.startswith("The values cannot be read: ")
        assert next(entry.value for entry in outside.external_data if entry.key == "location") in problem


def test_that_weights_which_vanish_while_the_model_is_open_are_told(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    model = _with_constants({"w": np.ones(64, np.float32)})
    onnx.save_model(model, tmp_path / "m.onnx", save_as_external_data=True, location="m.bin", size_threshold=0)
    open_model(window, tmp_path / "m.onnx", qtbot)
    (tmp_path / "m.bin").unlink()
    window.graph.select_value("w")
    rows = section_of(details_of(window, qtbot), "Elements").rows
    assert "m.bin" in rows[0].spans[0].text
    assert rows[0].spans[0].tone == "bad"


def test_that_a_window_closes_while_values_are_read(make_window: MakeWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window = make_window(TestWorkspace(tmp_path / "myops").root)
    open_model(window, written(tmp_path, _with_constants({"w": np.ones(30_000_000, np.float32)})), qtbot)
    window.graph.select_value("w")
    panel = panel_of(window, NodeDetailsPanel)
    panel.refresh()
    assert panel.is_reading
    window.close_at_once()
    assert not panel.is_reading


def test_that_names_are_shown_as_they_are_written(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    name = "<b>bold</b> & <img src='/etc/passwd'>"
    node = helper.make_node("<i>Odd</i>", [name], ["y"], name=name, domain="lab", mode=name)
    values = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [1]) for value in (name, "y")]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    open_model(window, written(tmp_path, helper.make_model(graph)), qtbot, resolved=False)
    window.graph.select_node(0)
    details_of(window, qtbot)
    page = panel_of(window, NodeDetailsPanel).page
    assert "lab:<i>Odd</i>" in [text.toPlainText() for text in page.findChildren(WrappedText)]
    assert name in view_of(window, "Inputs").text.toPlainText()
    assert name in view_of(window, "Attributes").text.toPlainText()
    table = panel_of(window, NodeListPanel).model
    assert "<img" not in table.index(0, NodeColumn.NAME).data(Qt.ItemDataRole.ToolTipRole)


def test_that_a_node_that_nobody_implements_says_why_and_what_to_do(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("synth/mmdeploy_grid_sampler.onnx"), qtbot)
    window.graph.select_node(0)
    details = details_of(window, qtbot)
    shown = table_of(details, "Nobody implements it")
    assert next(iter(shown)) == "Cause"
    assert "mmdeploy" in shown["Cause"]
    assert shown["Fix"] == window.graph.findings[0].fix
    assert target_of(details, "ORT001") == HelpTarget(page="ORT001")
    assert details.tone == "custom"


def test_that_nested_graphs_and_functions_are_entered(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    model = rich_model()
    model.graph.node[3].overload = "f32"
    open_model(window, written(tmp_path, model), qtbot)
    page = panel_of(window, NodeDetailsPanel).page
    window.graph.select_node(1)
    target = target_of(details_of(window, qtbot), "then")
    assert target == ScopeTarget(scope=("If outer", "then_branch"))
    page.target_chosen.emit(target)
    assert window.graph.scope == ("If outer", "then_branch")
    assert table_of(details_of(window, qtbot), "Nested graph")["Nodes"] == "1"
    window.graph.enter(())
    window.graph.select_node(3)
    page.target_chosen.emit(target_of(details_of(window, qtbot), "A function of the file"))
    assert window.graph.scope == ("function local:Gate (f32)",)
    shown = table_of(details_of(window, qtbot), "Function")
    assert (shown["Name"], shown["Attributes"], shown["Documentation"]) == ("local:Gate", "gain, slope", "a gate")
    assert table_of(details_of(window, qtbot), "Operator sets")["ai.onnx"] == "17"
    window.graph.select_node(0)
    assert table_of(details_of(window, qtbot), "Attributes")["gain  FLOAT"] == "that of the function's attribute gain"


def test_that_values_seen_from_a_nested_graph_are_those_around_it(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    open_model(window, written(tmp_path, rich_model()), qtbot)
    window.graph.enter(("If outer", "else_branch"))
    window.graph.select_node(0)
    details = details_of(window, qtbot)
    assert target_of(details, "x") == ValueTarget(scope=("If outer", "else_branch"), value="x")
    panel_of(window, NodeDetailsPanel).page.target_chosen.emit(target_of(details, "x"))
    assert table_of(details_of(window, qtbot), "Value")["Type"] == "float32[batch, 3, ?]"


def test_that_a_value_with_many_readers_lists_the_first_and_all_when_asked(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    nodes = [helper.make_node("Neg", ["x"], [f"y{number}"], name=f"n{number}") for number in range(300)]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y0")]
    open_model(
        window, written(tmp_path, helper.make_model(helper.make_graph(nodes, "g", values[:1], values[1:]))), qtbot
    )
    window.graph.select_value("x")
    row = section_of(details_of(window, qtbot), "Value").rows[2]
    assert sum(isinstance(span.target, NodeTarget) for span in row.spans) == 8
    panel_of(window, NodeDetailsPanel).page.target_chosen.emit(row.spans[-1].target)
    row = section_of(details_of(window, qtbot), "Value").rows[2]
    assert [span.text for span in row.spans if span.target] == [f"n{number}" for number in range(300)]


def test_that_everything_and_each_section_can_be_copied(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("open/int4_qdq.onnx"), qtbot)
    window.graph.select_node(0)
    details_of(window, qtbot)
    view_of(window, "Operator").copy()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "Domain\tai.onnx"
    panel_of(window, NodeDetailsPanel).copy_all()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("DequantizeLinear\t")
    assert "Provider\tCPUExecutionProvider" in copied


def test_that_the_panel_says_what_it_shows(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    panel = panel_of(window, NodeDetailsPanel)
    assert panel.panel_state is PanelState.EMPTY
    window.graph.open(written(tmp_path, rich_model()))
    assert panel.panel_state is PanelState.BUSY
    open_model(window, sample("synth/html_error_page.onnx"), qtbot)
    assert panel.panel_state is PanelState.FAILING
    assert panel.details is None
    open_model(window, sample("open/int4_qdq.onnx"), qtbot)
    details_of(window, qtbot)
    assert panel.panel_state is PanelState.READY


def _with_constants(arrays: Mapping[str, Any]) -> ModelProto:
    """Return a model whose nodes read constants, by the names of these."""
    nodes = [helper.make_node("Identity", [name], [f"{name}_out"], name=f"read {name}") for name in arrays]
    outputs = [
        helper.make_tensor_value_info(f"{name}_out", helper.np_dtype_to_tensor_dtype(array.dtype), list(array.shape))
        for name, array in arrays.items()
    ]
    weights = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    return helper.make_model(helper.make_graph(nodes, "g", [], outputs, weights))


def test_that_the_longest_name_leaves_the_panel_its_width(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    node = helper.make_node("T" * 400, ["x"], ["y"], name="n" * 3000, domain="lab." * 50)
    values = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [1]) for value in ("x", "y")]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    open_model(window, written(tmp_path, helper.make_model(graph)), qtbot, resolved=False)
    window.graph.select_node(0)
    details_of(window, qtbot)
    page = panel_of(window, NodeDetailsPanel).page
    content = page.widget()
    assert content is not None
    qtbot.waitUntil(lambda: content.width() <= page.viewport().width())
    assert content.minimumSizeHint().width() <= page.viewport().width()
