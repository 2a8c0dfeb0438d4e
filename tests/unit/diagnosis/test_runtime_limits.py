"""The table of runtimes, held against the runtime that is installed."""

from __future__ import annotations

import onnxruntime  # noqa: TID253 - what the table is about
import pytest
from onnx import TensorProto, helper  # noqa: TID253 - what the runtime loads

from opstudio.diagnosis.runtime_limits import runtime_limit, runtime_limits


def is_loaded(*, opset: int, ir_version: int) -> bool:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "small", values[:1], values[1:])
    imports = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=ir_version).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - the runtime's errors have no common class
        return False
    return True


def test_that_the_installed_runtime_loads_what_the_table_says_and_no_more() -> None:
    limit = runtime_limit(onnxruntime.__version__)
    assert limit is not None

    assert is_loaded(opset=limit.opset, ir_version=8)
    assert not is_loaded(opset=limit.opset + 1, ir_version=8)
    assert is_loaded(opset=14, ir_version=limit.ir_version)
    assert not is_loaded(opset=14, ir_version=limit.ir_version + 1)


def test_that_no_later_release_loads_less() -> None:
    rows = [(row.opset, row.ir_version) for row in runtime_limits().values()]

    assert rows == sorted(rows)
    assert all(row.source for row in runtime_limits().values())


@pytest.mark.parametrize(("version", "release"), [("1.20.1", "1.20"), ("1.20", "1.20"), ("0.1", None), ("1", None)])
def test_that_a_version_belongs_to_its_release(version: str, release: str | None) -> None:
    limit = runtime_limit(version)

    assert (limit.release if limit else None) == release
