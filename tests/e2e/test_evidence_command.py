"""Evidence laid out for people: held against the files themselves, the frameworks, and NumPy."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

from tests.support.workspaces import ALONE, TestWorkspace

NAME = "relu6_scale"
SOURCE = f"{NAME}.cpp"
ONE_TYPE = ("contract.toml", 'types = ["float32", "float64", "float16", "bfloat16"]', 'types = ["float32"]')


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    """Return a workspace in which every stage of an operator ended well. Tests here only read it."""
    workspace = TestWorkspace(tmp_path_factory.mktemp("evidence") / "workspace")
    shutil.copytree(built_artifacts, workspace.root / ".opstudio" / "artifacts")
    workspace.add(NAME, NAME, *ALONE, ONE_TYPE)
    assert workspace.check(NAME).verdict == "good"
    return workspace


@pytest.fixture
def workspace(fresh_workspace: TestWorkspace) -> TestWorkspace:
    fresh_workspace.add(NAME, NAME, *ALONE, ONE_TYPE)
    return fresh_workspace


def stages_of(workspace: TestWorkspace, *arguments: str) -> dict[str, dict[str, Any]]:
    result = workspace.run("evidence", NAME, *arguments, "--json")
    assert result.status == 0, result.errors
    assert result.document["schema"] == "opstudio/evidence/1"
    return {item["stage"]: item for item in result.document["stages"]}


def sections_of(workspace: TestWorkspace, stage: str) -> dict[str, dict[str, Any]]:
    return {section["title"]: section for section in stages_of(workspace, stage)[stage]["sections"]}


def rows_of(section: dict[str, Any]) -> list[dict[str, str]]:
    titles = [column["title"] for column in section["columns"]]
    return [dict(zip(titles, row, strict=True)) for row in section["rows"]]


def test_that_every_stage_which_ended_has_something_to_show(checked: TestWorkspace) -> None:
    stages = stages_of(checked)

    ran = {name for name, item in stages.items() if item["state"] in ("good", "bad")}
    assert {"contract", "build", "reference", "register", "meta", "value", "layout", "extreme", "alias"} <= ran
    assert {"gradient", "load", "parity", "export", "opcheck", "optimization", "concurrency", "speed"} <= ran
    assert [name for name in sorted(ran) if not stages[name]["sections"]] == []
    assert [(name, item["note"]) for name, item in stages.items() if item["note"] or not item["is_current"]] == []
    printed = checked.run("evidence", NAME).output
    assert all(section["title"] in printed for item in stages.values() for section in item["sections"])


def test_that_the_contract_is_a_schema_which_pytorch_reads(checked: TestWorkspace) -> None:
    sections = sections_of(checked, "contract")

    forward, backward = sections["PyTorch"]["text"].splitlines()
    schema = torch._C.parse_schema(forward)
    assert [(item.name, str(item.type)) for item in schema.arguments] == [
        ("x", "Tensor"),
        ("scale", "float"),
        ("max_val", "float"),
    ]
    assert torch._C.parse_schema(backward).name == "myops::relu6_scale_backward"
    assert "myops::Relu6Scale, version 1" in sections["ONNX"]["text"]
    assert "max_val: FLOAT = 6.0" in sections["ONNX"]["text"]


def test_that_the_build_shows_its_library_and_what_it_exports(checked: TestWorkspace) -> None:
    sections = sections_of(checked, "build")

    library = dict(sections["Library"]["entries"])
    size = Path(library["file"]).stat().st_size
    assert library["size"].endswith(f"({size} B)")
    command = ["nm", "--dynamic", "--defined-only", library["file"]]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [row["symbol"] for row in rows_of(sections["Exported by kernel.so"])] == [
        line.split()[-1] for line in listed.splitlines()
    ]
    assert str(checked.root / NAME / SOURCE) in sections["Command lines"]["commands"][-1]


def test_that_warnings_of_a_build_outlive_it(workspace: TestWorkspace) -> None:
    workspace.edit(
        NAME,
        SOURCE,
        "void forward(const opstudio::Call& call) {",
        "void forward(const opstudio::Call& call) {\n  int unused_number;",
    )
    for _ in range(2):
        assert workspace.check(NAME, "--only", "build").verdict == "good"

        (message,) = rows_of(sections_of(workspace, "build")["Messages"])

        line = workspace.line(NAME, SOURCE, "int unused_number")
        assert (message["kind"], message["place"]) == ("warning", f"{NAME}/{SOURCE}:{line}")
        assert "unused_number" in message["message"]


def test_that_the_registration_shows_keys_and_generated_sources(checked: TestWorkspace) -> None:
    sections = sections_of(checked, "register")

    kernels = {row["dispatch key"]: row["kernel of its own"] for row in rows_of(sections["Dispatcher entries"])}
    assert {key for key, state in kernels.items() if state == "kernel"} == {"CPU", "Meta", "Autograd"}
    torch_source = sections["Generated for a release: torch_operators.cpp"]
    assert torch_source["language"] == "cpp"
    assert "TORCH_LIBRARY(myops, library)" in torch_source["text"]
    assert "RegisterCustomOps" in sections["Generated for a release: onnxruntime_operators.cpp"]["text"]


def test_that_shapes_stand_side_by_side(checked: TestWorkspace) -> None:
    rows = {row["case"]: row for row in rows_of(sections_of(checked, "meta")["Shapes side by side"])}

    shape = "[8, 512, 768] float32"
    assert rows["typical (float32)"] == {
        "case": "typical (float32)",
        "inputs": shape,
        "Meta": shape,
        "real": shape,
        "reference": shape,
    }
    kinds = [row["kind"] for row in rows_of(sections_of(checked, "reference")["Cases"])]
    assert set(kinds) == {"sample", "special", "dynamic"}


def test_that_the_nodes_are_those_of_the_files(checked: TestWorkspace) -> None:
    sections = sections_of(checked, "export")

    files = [title.removeprefix("Nodes of ") for title in sections if title.startswith("Nodes of ")]
    assert sorted(files) == [
        "dynamo-custom.onnx",
        "dynamo-standard.onnx",
        "operator-standard.onnx",
        "torchscript-custom.onnx",
        "torchscript-standard.onnx",
    ]
    for file in files:
        model = onnx.load(str(checked.root / ".opstudio" / "exports" / NAME / file))
        rows = rows_of(sections[f"Nodes of {file}"])
        assert [(row["type"], row["domain"], row["inputs"], row["outputs"]) for row in rows] == [
            (node.op_type, node.domain or "ai.onnx", ", ".join(node.input), ", ".join(node.output))
            for node in model.graph.node
        ]
    (custom,) = rows_of(sections["Nodes of dynamo-custom.onnx"])
    assert custom["attributes"] == "max_val = 6.0, scale = 0.75"


def test_that_the_timings_say_what_was_timed(checked: TestWorkspace) -> None:
    sections = sections_of(checked, "speed")

    rows = rows_of(sections["Timings"])
    assert rows[0]["contender"] == "PyTorch operator"
    assert all(re.fullmatch(r"[\d.]+ (s|ms|µs)", row[title]) for row in rows for title in ("median", "10 %", "90 %"))
    values = dict(sections["What was timed"]["entries"])
    assert values["inputs and outputs"] == f"{2 * 8 * 512 * 768 * 4 / 2**20:.1f} MiB"


def test_that_the_sanitizers_can_be_run_by_hand(checked: TestWorkspace) -> None:
    sections = sections_of(checked, "sanitizer")

    if "AddressSanitizer, by hand" not in sections:
        pytest.skip(f"no sanitizer runs here: {rows_of(sections['Runs'])}")
    command = sections["AddressSanitizer, by hand"]["commands"][-1]
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, check=False)  # noqa: S602 - that is what people do with it
    assert ran.returncode == 0, ran.stdout + ran.stderr
    calls = next(row["calls"] for row in rows_of(sections["Runs"]) if row["tool"] == "AddressSanitizer")
    assert f"\n{ran.stdout}".count("\nrun ") == int(calls)


def test_that_the_worst_elements_are_those_that_numpy_finds(workspace: TestWorkspace) -> None:
    workspace.edit(NAME, SOURCE, "std::max(value * Compute(scale)", "std::max(value * Compute(scale) * Compute(1.25)")
    assert workspace.check(NAME, "--only", "value").verdict == "bad"

    sections = sections_of(workspace, "value")

    samples = {"typical (float32)": (0.75, 6.0), "extreme (float32)": (3.0, 2.5), "single (float32)": (1.5, 6.0)}
    arrays = reference_arrays(workspace)
    worst: list[tuple[float, str, tuple[int, ...]]] = []
    for case, (scale, most) in samples.items():
        x = arrays[case]
        expected = np.clip(x.astype(np.float64) * scale, 0, most).astype(np.float32).astype(np.float64)
        got = np.clip(x * np.float32(scale) * np.float32(1.25), 0, most).astype(np.float64)
        ratio = np.abs(got - expected) / (1e-6 + 1e-5 * np.abs(expected))
        row = next(row for row in rows_of(sections["Errors"]) if row["case"] == case)
        assert int(row["differ"]) == np.count_nonzero(ratio > 1)
        assert float(row["of tolerance"]) == pytest.approx(ratio.max(), rel=5e-3)
        assert float(row["largest"]) == pytest.approx(np.abs(got - expected).max(), rel=5e-3)
        worst += [(float(part), case, np.unravel_index(index, x.shape)) for index, part in enumerate(ratio.reshape(-1))]
        for element in rows_of(sections["Worst elements"]):
            if element["case"] == case:
                index = tuple(json.loads(element["element"]))
                assert float(element["expected"]) == pytest.approx(expected[index], rel=1e-8)
                assert float(element["got"]) == pytest.approx(got[index], rel=1e-8)
                assert element["inputs there"] == f"x = {x[index]:.9g}"
    shown = rows_of(sections["Worst elements"])
    assert 0 < len(shown) <= 20
    assert len(sections["Worst elements"]["bad"]) == len(shown)
    # The worst of all stands first; of elements that are equally wrong, any.
    best = max(worst)[0]
    first = rows_of(sections["Worst elements"])[0]
    part = abs(float(first["got"]) - float(first["expected"])) / (1e-6 + 1e-5 * abs(float(first["expected"])))
    assert part == pytest.approx(best, rel=1e-3)


def reference_arrays(workspace: TestWorkspace) -> dict[str, Any]:
    """Return the input of every float32 case from the arrays that the reference was given."""
    (result,) = (workspace.root / ".opstudio" / "results" / NAME / "reference").glob("*.json")
    cases = json.loads(result.read_text(encoding="utf-8"))["evidence"]["cases"]
    found: dict[str, Any] = {}
    for case in cases:
        (array,) = case["inputs"]["x"]
        data = (workspace.root / ".opstudio" / "arrays" / array["file"]).read_bytes()
        count = int(np.prod(array["shape"]))
        found[case["name"]] = np.frombuffer(data, np.float32, count, array["offset"]).reshape(array["shape"])
    return found


def test_that_an_earlier_result_is_told_from_a_current_one(workspace: TestWorkspace) -> None:
    workspace.check(NAME, "--only", "value,layout")
    workspace.edit(NAME, SOURCE, "  const auto clamp", "  __builtin_trap();\n  const auto clamp")
    assert workspace.check(NAME, "--only", "value,layout").verdict == "bad"

    stages = stages_of(workspace)

    assert stages["build"]["is_current"]
    assert (stages["value"]["state"], stages["value"]["is_current"]) == ("bad", False)
    assert stages["value"]["note"].startswith("This is an earlier result: ")
    assert stages["value"]["sections"]
    assert stages["layout"]["state"] == "not_run"
    assert not stages["layout"]["is_current"]
    earlier = stages_of(workspace, "value", "--build", "1")["value"]
    assert (earlier["state"], earlier["number"], earlier["is_current"], earlier["note"]) == ("good", 1, True, "")


def test_that_results_of_an_older_studio_are_told(workspace: TestWorkspace) -> None:
    workspace.check(NAME, "--only", "value")
    (path,) = (workspace.root / ".opstudio" / "results" / NAME / "value").glob("*.json")
    result = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**result, "evidence": {"cases": 5}}), encoding="utf-8")

    value = stages_of(workspace, "value")["value"]

    assert value["sections"] == []
    assert value["note"].startswith("An older studio kept this result in a form that cannot be read any more")


def test_that_an_unknown_stage_is_refused_and_an_unchecked_operator_is_told(workspace: TestWorkspace) -> None:
    result = workspace.run("evidence", NAME, "valeu")

    assert result.status == 2
    assert "did you mean value?" in result.errors
    assert workspace.run("evidence", NAME).output.startswith("no stage ended yet")
    assert workspace.run("evidence", NAME, "value").output.startswith("value not run yet")
    assert workspace.run("evidence", NAME, "--build", "4").status == 2
