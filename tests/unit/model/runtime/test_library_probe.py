"""Operator libraries: what they really register, read from their own structures, in a process that may end badly."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnxruntime  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, helper  # noqa: TID253

from opstudio.base.codec import from_json
from opstudio.jobs.cancel import CancelToken
from opstudio.model.runtime.records import LATEST, Arity, LibraryContents, LibraryOperator, LibraryParameter
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.pool import WorkerPool
from opstudio.worker.request import Request
from tests.support.operator_libraries import (
    ANY,
    FLOAT,
    INT64,
    OPTIONAL,
    REQUIRED,
    VARIADIC,
    WrittenOperator,
    build_library,
)

TWICE = WrittenOperator(domain="lab", type="Twice")
MANY = WrittenOperator(
    domain="lab.more",
    type="Gather_All",
    inputs=((INT64, REQUIRED), (FLOAT, OPTIONAL), (ANY, VARIADIC)),
    outputs=((ANY, REQUIRED), (16, OPTIONAL)),
    since=2,
    until=4,
    provider="",
    least=3,
    homogeneous=False,
)


@pytest.fixture(scope="module")
def workers() -> Iterator[WorkerPool]:
    pool = WorkerPool(sys.executable, environment=dict(os.environ))
    yield pool
    pool.close()


def probe(workers: WorkerPool, path: Path) -> tuple[Outcome, LibraryContents | None]:
    events: list[dict[str, Any]] = []
    limits = Limits(memory_bytes=2**31, quiet_seconds=lambda _label: 20.0)
    request = Request(entry="opstudio.model.runtime.worker_entry:library", payload={"path": str(path)}, limits=limits)
    outcome = workers.run(request, cancel=CancelToken(), listener=Listener(events.append))
    found = [from_json(LibraryContents, event["data"]) for event in events if event["event"] == "library"]
    return outcome, found[0] if found else None


def test_that_every_property_of_an_operator_is_read(workers: WorkerPool, tmp_path: Path) -> None:
    path = build_library(tmp_path / "two domains 中.so", [TWICE, MANY])
    _, contents = probe(workers, path)
    single = LibraryParameter(type="tensor(float)", least=1)
    assert contents == LibraryContents(
        path=str(path),
        domains=("lab", "lab.more"),
        asked=(18,),
        newest_api=int(onnxruntime.__version__.split(".")[1]),
        operators=(
            LibraryOperator(
                domain="lab",
                type="Twice",
                since=1,
                until=LATEST,
                provider="CPUExecutionProvider",
                inputs=(single,),
                outputs=(single,),
                infers_shapes=False,
                version=18,
            ),
            LibraryOperator(
                domain="lab.more",
                type="Gather_All",
                since=2,
                until=4,
                provider="",
                inputs=(
                    LibraryParameter(type="tensor(int64)", least=1),
                    LibraryParameter(type="tensor(float)", arity=Arity.OPTIONAL),
                    LibraryParameter(type="", arity=Arity.VARIADIC, least=3, homogeneous=False),
                ),
                outputs=(
                    LibraryParameter(type="", least=1),
                    LibraryParameter(type="tensor(bfloat16)", arity=Arity.OPTIONAL),
                ),
                infers_shapes=False,
                version=18,
            ),
        ),
    )


def test_that_what_is_read_is_what_sessions_find(workers: WorkerPool, tmp_path: Path) -> None:
    path = build_library(tmp_path / "twice.so", [TWICE])
    _, contents = probe(workers, path)
    assert contents is not None
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x", "y")]
    for operator in (*contents.operators, WrittenOperator(domain="lab", type="Thrice")):
        node = helper.make_node(operator.type, ["x"], ["y"], domain=operator.domain)
        graph = helper.make_graph([node], "one", values[:1], values[1:])
        imports = [helper.make_opsetid("", 20), helper.make_opsetid(operator.domain, 1)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
        options = onnxruntime.SessionOptions()
        options.register_custom_ops_library(str(path))
        if operator.type == "Twice":
            assert onnxruntime.InferenceSession(model, options).get_inputs()[0].name == "x"
        else:
            with pytest.raises(onnxruntime.capi.onnxruntime_pybind11_state.Fail, match="Thrice"):
                onnxruntime.InferenceSession(model, options)


def test_that_a_library_for_a_newer_runtime_says_so(workers: WorkerPool, tmp_path: Path) -> None:
    outcome, contents = probe(workers, build_library(tmp_path / "newer.so", [TWICE], api=2000))
    assert outcome.ending is Ending.FINISHED
    assert contents is not None
    assert (contents.asked, contents.operators) == ((2000, 1), ())
    assert contents.refusal == "the runtime is older than API 2000"


def test_that_an_operator_compiled_for_an_old_interface_is_read_no_further_than_it_goes(
    workers: WorkerPool, tmp_path: Path
) -> None:
    # The characteristic says optional, in a field that version 7 does not have.
    old = WrittenOperator(domain="lab", type="Old", inputs=((FLOAT, OPTIONAL),), version=7)
    _, contents = probe(workers, build_library(tmp_path / "old.so", [old]))
    assert contents is not None
    (operator,) = contents.operators
    assert (operator.version, operator.inputs[0].arity) == (7, Arity.SINGLE)


def test_that_an_unknown_characteristic_is_a_refusal(workers: WorkerPool, tmp_path: Path) -> None:
    broken = WrittenOperator(domain="lab", type="Broken", inputs=((FLOAT, 9),))
    _, contents = probe(workers, build_library(tmp_path / "broken.so", [broken, TWICE]))
    assert contents is not None
    assert [operator.type for operator in contents.operators] == ["Twice"]
    assert contents.refusal == "parameter 0 has the unknown characteristic 9"


def test_that_a_library_without_the_entry_point_is_named(workers: WorkerPool, tmp_path: Path) -> None:
    outcome, contents = probe(workers, build_library(tmp_path / "other.so", [TWICE], entry="RegisterOps"))
    (finding,) = outcome.findings
    assert (contents, finding.title) == (None, "other.so cannot be used as an operator library")
    assert "undefined symbol: RegisterCustomOps" in finding.cause


def test_that_a_file_that_is_no_library_is_named(workers: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "text.so").write_text("not a library")
    outcome, _ = probe(workers, tmp_path / "text.so")
    assert "invalid ELF header" in outcome.findings[0].cause or "file too short" in outcome.findings[0].cause


@pytest.mark.parametrize(("code", "ending"), [("  std::abort();", Ending.CRASHED), ("  std::_Exit(3);", Ending.EXITED)])
def test_that_a_library_that_ends_its_process_ends_only_that(
    workers: WorkerPool, tmp_path: Path, code: str, ending: Ending
) -> None:
    outcome, contents = probe(workers, build_library(tmp_path / "ends.so", [TWICE], before=code))
    assert (outcome.ending, contents, outcome.label) == (ending, None, "load ends.so")
    assert probe(workers, build_library(tmp_path / "good.so", [TWICE]))[1] is not None
