"""Damaged and hostile files: read or refused in words, within ten seconds and a gigabyte, each one."""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.damaged_models import damaged_models
from tests.unit.model.graph.samples import PROJECT, SAMPLES, rich_model

SEED = 20260
SECONDS = 10
GIGABYTE = 1 << 30
MUTATIONS = 300


def whole_models() -> dict[str, bytes]:
    """Return what is damaged: the model with everything, and real files of every kind where they are there."""
    seeds = {"rich": rich_model().SerializeToString()}
    names = (
        *("open/dynamo_local_functions.onnx", "open/nested_if_optional.onnx", "open/ortfmt_custom.ort"),
        *("open/int4_qdq.onnx", "open/sparse_initializer.onnx", "open/ext_data_escape.onnx"),
        *("open/ext_data_present/conv_qdq_external_ini.onnx", "open/ml_full_domain_name.onnx"),
    )
    for name in names:
        if (SAMPLES / name).exists():
            seeds[Path(name).name] = (SAMPLES / name).read_bytes()
    return seeds


def read_in_a_process(folder: Path) -> list[dict[str, object]]:
    environment = {**os.environ, "PYTHONPATH": f"{PROJECT / 'app'}:{PROJECT}"}
    command = [sys.executable, "-m", "tests.unit.model.graph.reading_process", str(folder), str(SECONDS), str(GIGABYTE)]
    finished = subprocess.run(
        command, cwd=folder.parent, env=environment, capture_output=True, text=True, check=False, timeout=500
    )
    assert (finished.returncode, finished.stderr) == (0, ""), finished.stdout[-500:]
    return [json.loads(line) for line in finished.stdout.splitlines()]


def test_that_no_damaged_or_hostile_file_crashes_hangs_or_takes_the_memory(tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    folder.mkdir()
    names = {}
    for index, (name, content) in enumerate(damaged_models(whole_models(), seed=SEED, mutations=MUTATIONS)):
        names[f"{index:04}.onnx"] = name
        (folder / f"{index:04}.onnx").write_bytes(content)

    rows = read_in_a_process(folder)

    assert len(rows) == len(names) >= 200
    bad = [
        (names[str(row["name"])], row["outcome"])
        for row in rows
        if str(row["outcome"]).startswith(("crashed", "too long"))
    ]
    assert bad == []
    outcomes = collections.Counter(str(row["outcome"]) for row in rows)
    # A generator whose files were all refused at once would test nothing.
    assert outcomes["read"] > 20
    assert outcomes["damaged"] > 50
    assert outcomes["truncated"] > 10
    assert outcomes["too-large"] > 5
