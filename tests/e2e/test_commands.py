"""The small commands, as people and scripts use them."""

from __future__ import annotations

import json
import platform
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import onnx
import onnxruntime
import pytest
import torch

from opstudio.checks.check import all_checks
from tests.support.workspaces import TestWorkspace, run_command


def test_that_a_workspace_is_made_with_what_git_must_not_keep(tmp_path: Path) -> None:
    folder = tmp_path / "my [work] 区"

    result = run_command("init", str(folder))

    assert result.status == 0, result.errors
    assert str(folder) in result.output
    # The next step can be pasted as it is.
    assert shlex.split(result.output.splitlines()[-1])[1:4] == ["opstudio", "-C", str(folder)]
    assert tomllib.loads((folder / "opstudio.toml").read_text(encoding="utf-8")) == {
        "workspace": {"name": "my [work] 区"}
    }
    assert ".opstudio/" in (folder / ".gitignore").read_text(encoding="utf-8")


def test_that_a_workspace_is_not_made_twice(tmp_path: Path) -> None:
    run_command("init", str(tmp_path))
    before = (tmp_path / "opstudio.toml").read_text(encoding="utf-8")

    result = run_command("init", str(tmp_path))

    assert result.status == 2
    assert "is a workspace already" in result.errors
    assert (tmp_path / "opstudio.toml").read_text(encoding="utf-8") == before


@pytest.mark.parametrize("template", ["elementwise", "reduction", "raw"])
def test_that_every_template_passes_at_once(fresh_workspace: TestWorkspace, template: str) -> None:
    made = fresh_workspace.run("new", "fresh_op", "--template", template, "--domain", "acme", "--json")
    assert made.status == 0, made.errors

    checked = fresh_workspace.check("fresh_op", "--skip", "speed")

    assert (checked.verdict, checked.ids) == ("good", set())
    assert checked.operator["domain"] == "acme"


@pytest.mark.parametrize("name", ["Relu", "1op", "my-op", "op!", "../up", "clas s"])
def test_that_a_name_which_no_side_takes_is_refused(fresh_workspace: TestWorkspace, name: str) -> None:
    before = sorted(fresh_workspace.root.iterdir())

    result = fresh_workspace.run("new", name)

    assert result.status == 2
    assert "cannot be the name of an operator" in result.errors
    assert sorted(fresh_workspace.root.iterdir()) == before


def test_that_an_operator_is_not_overwritten(fresh_workspace: TestWorkspace) -> None:
    assert fresh_workspace.run("new", "mine").status == 0
    (fresh_workspace.root / "mine" / "reference.py").write_text("# my work\n", encoding="utf-8")

    result = fresh_workspace.run("new", "mine")

    assert result.status == 2
    assert "exists already" in result.errors
    assert (fresh_workspace.root / "mine" / "reference.py").read_text(encoding="utf-8") == "# my work\n"


def test_that_the_list_tells_states_without_running_anything(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("relu6_scale", "relu6_scale")
    fresh_workspace.add("affine_pick", "affine_pick")
    fresh_workspace.add("relu6_scale", "unreadable", ("contract.toml", "[kernel]", "[kernel"))
    fresh_workspace.check("affine_pick", "--only", "value")

    result = fresh_workspace.run("list", "--json")

    operators = {item["name"]: item for item in result.document["operators"]}
    assert {name: item["state"] for name, item in operators.items()} == {
        "affine_pick": "good",
        "relu6_scale": "unchecked",
        "unreadable": "unreadable",
    }
    assert operators["affine_pick"]["schema"].startswith("testops::affine_pick(Tensor x, Tensor? bias, int[] picks")
    assert "picks[j]" in fresh_workspace.run("list").output


def test_that_the_doctor_knows_the_versions_that_are_there(fresh_workspace: TestWorkspace) -> None:
    result = fresh_workspace.run("doctor", "--json")

    parts = {part["name"]: part for part in result.document["parts"]}
    assert result.status == 0
    assert result.document["usable"] is True
    assert parts["torch"]["version"] == torch.__version__
    assert parts["onnx"]["version"] == onnx.__version__
    assert parts["onnxruntime"]["version"] == onnxruntime.__version__
    assert platform.release() in parts["system"]["version"]
    assert sys.executable in parts["workspace's Python"]["version"]


def test_that_every_listed_id_has_a_page() -> None:
    pages = run_command("explain", "--list", "--json").document["pages"]

    assert len({page["id"] for page in pages}) == len(pages) > 60
    page = run_command("explain", "reg007").output
    assert "REG007" in page
    assert "How to fix" in page


def test_that_several_ids_are_explained_at_once() -> None:
    result = run_command("explain", "reg007", "NUM012", "--json")

    assert [page["id"] for page in result.document["pages"]] == ["REG007", "NUM012"]


def test_that_the_help_of_check_names_every_stage() -> None:
    _, _, listed = run_command("check", "--help").output.partition("Stages: ")

    assert "".join(listed.split()).rstrip(".").split(",") == sorted(check.id for check in all_checks())


def test_that_an_unknown_id_brings_the_nearest() -> None:
    result = run_command("explain", "RGE007", "--json")

    assert result.status == 2
    assert "REG007" in result.errors


def test_that_an_id_that_is_near_none_says_how_to_list_all_in_few_words() -> None:
    result = run_command("explain", "nonsense")

    assert (result.status, result.output) == (2, "")
    assert "opstudio explain lists all" in " ".join(result.errors.split())
    assert "REG007" not in result.errors
    assert len(result.errors) < 400


@pytest.mark.parametrize("identifier", ["add-import", "add-import:lab=1", "ADD-IMPORT"])
def test_that_a_fix_is_explained_by_the_id_that_fix_prints(identifier: str) -> None:
    printed = run_command("explain", identifier).output

    assert "Import a domain that nodes use" in printed
    positions = [
        printed.index(heading) for heading in ("When it is offered", "What it changes", "What it never touches")
    ]
    assert positions == sorted(positions)
    assert "opstudio fix MODEL --apply 'add-import:DOMAIN=VERSION' -o NEW.onnx" in printed


def test_that_explain_alone_lists_ids_by_family_and_fixes_last() -> None:
    listed = run_command("explain").output
    document = run_command("explain", "--json").document

    assert document["fixes"][0] == {"id": "add-import", "title": "Import a domain that nodes use"}
    assert [item["id"] for item in (*document["pages"], *document["fixes"]) if item["id"] not in listed] == []
    assert listed.index("CON001") < listed.index("REG004") < listed.index("MOD003") < listed.index("add-import")
    assert "Import a domain that nodes use" not in listed
    assert "Import a domain that nodes use" in run_command("explain", "--list").output


def test_that_standard_output_holds_one_document_only(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("relu6_scale", "relu6_scale")

    result = fresh_workspace.run("check", "relu6_scale", "--json", "--only", "value")

    document = json.loads(result.output)
    assert document["schema"] == "opstudio/check/1"
    assert {"name", "domain", "verdict", "stages", "findings"} <= document["operators"][0].keys()
    assert {"id", "state", "seconds", "cached"} <= document["operators"][0]["stages"][0].keys()
    assert result.output.count("\n") == 1


def test_that_a_second_check_runs_nothing_again(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("relu6_scale", "relu6_scale")
    fresh_workspace.check("relu6_scale", "--skip", "speed,concurrency,sanitizer,opcheck")

    again = fresh_workspace.check("relu6_scale", "--skip", "speed,concurrency,sanitizer,opcheck")
    fresh = fresh_workspace.check("relu6_scale", "--only", "value", "--fresh")

    ran = {stage["id"] for stage in again.operator["stages"] if stage["state"] == "good" and not stage["cached"]}
    assert ran <= {"contract", "build"}
    assert not next(stage for stage in fresh.operator["stages"] if stage["id"] == "value")["cached"]


def test_that_only_what_a_change_can_touch_runs_again(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("relu6_scale", "relu6_scale")
    fresh_workspace.check("relu6_scale", "--skip", "speed,concurrency,opcheck,sanitizer")
    source = fresh_workspace.root / "relu6_scale" / "relu6_scale.cpp"
    source.write_text(source.read_text(encoding="utf-8") + "// another comment\n", encoding="utf-8")

    result = fresh_workspace.check("relu6_scale", "--skip", "speed,concurrency,opcheck,sanitizer")

    cached = {stage["id"] for stage in result.operator["stages"] if stage["cached"]}
    assert {"reference", "register", "export"} <= cached
    assert not {"value", "gradient", "parity"} & cached


def test_that_build_backends_can_be_named(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("affine_pick", "affine_pick")

    built = fresh_workspace.run("build", "affine_pick", "--backend", "onnxruntime_release", "--json")
    unknown = fresh_workspace.run("build", "affine_pick", "--backend", "natve")

    (entry,) = built.document["operators"]
    assert built.status == 0
    assert [Path(path).name for path in entry["files"]] == ["libtestops_onnxruntime.so"]
    assert Path(entry["files"][0]).is_file()
    assert unknown.status == 2
    assert "native" in unknown.errors


def test_that_a_build_which_fails_is_exit_one(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("affine_pick", "affine_pick", ("forward.cpp", "const T value =", "const T value +"))

    result = fresh_workspace.run("build", "affine_pick", "--json")

    assert result.status == 1
    assert "BLD009" in {finding["id"] for finding in result.document["operators"][0]["findings"]}


def test_that_what_could_not_run_does_not_bury_the_error(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("relu6_scale", "relu6_scale")
    fresh_workspace.add("relu6_scale", "broken", ("relu6_scale.cpp", "Compute(0))", "Compute(zero))"))

    result = fresh_workspace.run("check", "--all", "--only", "value,gradient,parity")

    (line,) = [line for line in result.output.splitlines() if "not run" in line]
    assert line.strip() == "○ not run: reference, value, gradient, parity (build is not good)"
    assert result.output.splitlines()[-1] == "1 good, 1 bad: broken"


def test_that_the_studios_own_libraries_are_built_once_and_not_charged_to_the_operator(
    fresh_workspace: TestWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # where no other workspace left any
    recorder = fresh_workspace.root / ".opstudio" / "artifacts" / "fault_recorder"
    fresh_workspace.add("relu6_scale", "relu6_scale")
    fresh_workspace.check("relu6_scale", "--only", "build")
    shutil.rmtree(recorder)

    first = fresh_workspace.run("check", "relu6_scale", "--only", "build")
    again = fresh_workspace.run("check", "relu6_scale", "--only", "build")
    shutil.rmtree(recorder)  # as in a workspace that was never checked
    other = fresh_workspace.run("check", "relu6_scale", "--only", "build")

    assert "building the hosts of PyTorch and ONNX Runtime, once for all workspaces" in first.output
    assert "built the hosts in" in first.output
    # The kernel itself was there: what took time is told apart from it.
    assert [line.split()[2] for line in first.output.splitlines() if " build " in line] == ["cached"]
    assert "hosts" not in again.output
    assert "hosts" not in other.output
    assert recorder.is_dir()


def test_that_no_worker_starts_where_everything_is_known(fresh_workspace: TestWorkspace, tmp_path: Path) -> None:
    python, log = tmp_path / "python", tmp_path / "starts.txt"
    script = f'#!/bin/sh\necho started >> {shlex.quote(str(log))}\nexec {shlex.quote(sys.executable)} "$@"\n'
    python.write_text(script, encoding="utf-8")
    python.chmod(0o755)
    settings = f'[workspace]\nname = "tests"\n\n[environment]\npython = "{python}"\n'
    (fresh_workspace.root / "opstudio.toml").write_text(settings, encoding="utf-8")
    fresh_workspace.add("relu6_scale", "relu6_scale")
    stages = ("--only", "value")

    fresh_workspace.check("relu6_scale", *stages)
    starts = log.read_text(encoding="utf-8")
    known = fresh_workspace.check("relu6_scale", *stages)
    starts_known = log.read_text(encoding="utf-8")
    python.write_text(f"{script}# another one\n", encoding="utf-8")
    changed = fresh_workspace.check("relu6_scale", *stages)

    assert (starts, starts_known) == ("started\n", "started\n")
    assert log.read_text(encoding="utf-8") == "started\nstarted\n"
    assert (known.verdict, changed.verdict) == ("good", "good")
    assert {stage["id"] for stage in known.operator["stages"] if not stage["cached"]} == {"contract"}
