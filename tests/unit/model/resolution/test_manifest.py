"""Real files: what is said of each without a session, against what sessions said and say."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from opstudio.base.errors import InputError
from opstudio.model.graph.reader import read_model
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import GraphEvidence, examine_model
from opstudio.model.runtime.library_probe import probe_library
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.runtime.records import RuntimeTables
from tests.support.operator_libraries import FLOAT, INT64, REQUIRED, WrittenOperator, build_library
from tests.support.session_oracle import session_refusal
from tests.unit.model.graph.samples import SAMPLES

_STRING, _UINT8 = 8, 2
_REGISTERED = re.compile(r"Fatal error: ([\w.]+):(\w+)\(-?\d+\) is not a registered function/op")
_STANDARD = re.compile(r"No Op registered for (\S+) with domain_version of")
_NOT_FOUND = re.compile(r"Could not find an implementation for (\w+)\(")
ROWS: tuple[Mapping[str, str], ...] = ()
if (SAMPLES / "MANIFEST.tsv").is_file():
    with (SAMPLES / "MANIFEST.tsv").open(encoding="utf-8", newline="") as lines:
        ROWS = tuple(csv.DictReader(lines, delimiter="\t"))


@pytest.fixture(scope="module")
def tables() -> RuntimeTables:
    return read_runtime_tables()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of our own with the operators that the rows name."""
    string, image = ((_STRING, REQUIRED),), ((_UINT8, REQUIRED),)
    operators = [
        WrittenOperator(domain="lab", type="Twice"),
        WrittenOperator(domain="ai.onnx.contrib", type="StringMapping", inputs=string, outputs=string),
        WrittenOperator(domain="ai.onnx.contrib", type="NegPos", outputs=((FLOAT, REQUIRED), (FLOAT, REQUIRED))),
        WrittenOperator(domain="com.microsoft.extensions", type="DecodeImage", inputs=image, outputs=image),
        WrittenOperator(domain="mmdeploy", type="grid_sampler", inputs=((FLOAT, REQUIRED), (FLOAT, REQUIRED))),
        WrittenOperator(domain="test", type="Foo", inputs=((FLOAT, REQUIRED), (FLOAT, REQUIRED))),
        WrittenOperator(domain="test", type="Custom_Mul", inputs=((FLOAT, REQUIRED), (FLOAT, REQUIRED))),
        WrittenOperator(domain="com.examples", type="Foo", inputs=((INT64, REQUIRED),)),
    ]
    return build_library(tmp_path_factory.mktemp("library") / "own.so", operators)


@pytest.mark.skipif(not ROWS, reason=f"no models under {SAMPLES}; OPSTUDIO_SAMPLES names their folder")
def test_that_the_rows_are_there() -> None:
    assert len(ROWS) > 70


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["path"])
def test_that_the_session_is_predicted_as_it_was_recorded(row: Mapping[str, str], tables: RuntimeTables) -> None:
    evidence = examine(SAMPLES / row["path"], Catalogue(tables))
    recorded = row["ort_session"]
    if evidence is None:
        assert recorded != "ok"
        return
    assert evidence.good == (recorded == "ok"), recorded
    named = {(item.node.domain, item.node.type) for item, _ in evidence.unresolved()}
    if (found := _REGISTERED.search(recorded)) is not None:
        assert (found[1], found[2]) in named
    if (found := _STANDARD.search(recorded)) is not None:
        assert ("", found[1]) in named
    if (found := _NOT_FOUND.search(recorded)) is not None:
        assert found[1] in {kind for _, kind in named}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["path"])
def test_that_the_session_with_a_library_of_our_own_is_predicted(
    row: Mapping[str, str], tables: RuntimeTables, library: Path
) -> None:
    path = SAMPLES / row["path"]
    evidence = examine(path, Catalogue(tables, [probe_library(library)]))
    refusal = session_refusal(path, library)
    assert (evidence is not None and evidence.good) == (not refusal), refusal


def examine(path: Path, catalogue: Catalogue) -> GraphEvidence | None:
    try:
        return examine_model(read_model(path), catalogue)
    except InputError:
        return None
