"""Operator libraries with one fault each: what is told, and that the runtime refuses them as well."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from opstudio.base.finding import Finding
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.models import ModelContext
from opstudio.jobs.cancel import CancelToken
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from tests.support.operator_libraries import FLOAT, WrittenOperator, build_library

TWICE = WrittenOperator(domain="lab", type="Twice")


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RuntimeKnowledge]:
    with RuntimeKnowledge(folder=tmp_path_factory.mktemp("knowledge")) as opened:
        yield opened


def findings_of(path: Path, knowledge: RuntimeKnowledge) -> tuple[Finding, ...]:
    return diagnose(knowledge.library(path, CancelToken()), ModelContext(stage="graph", file=str(path)))


def is_registered(path: Path) -> bool:
    """Let the runtime itself register the library, in a process that may end."""
    code = "import onnxruntime, sys; onnxruntime.SessionOptions().register_custom_ops_library(sys.argv[1])"
    return subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=False).returncode == 0


def compile_source(path: Path, source: str, *flags: str) -> Path:
    path.with_suffix(".cpp").write_text(source, encoding="utf-8")
    command = ["g++", "-shared", "-fPIC", "-o", str(path), str(path.with_suffix(".cpp")), *flags]
    subprocess.run(command, check=True)
    return path


def test_that_a_good_library_has_no_finding_and_is_registered(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    path = build_library(tmp_path / "good.so", [TWICE])
    assert (findings_of(path, knowledge), is_registered(path)) == ((), True)


@pytest.mark.parametrize(
    ("source", "cause", "fix"),
    [
        ("int RegisterCustomOps(void*, const void*) { return 0; }", "it exports RegisterCustomOps(void*", 'extern "C"'),
        ('extern "C" int RegisterCustomOp() { return 0; }', "it exports RegisterCustomOp", "Export it"),
        ('extern "C" void* PyInit_ops() { return nullptr; }', "it is an extension of PyTorch or Python", "--release"),
    ],
)
def test_that_a_missing_entry_point_is_told_with_what_comes_near(  # ORT003
    tmp_path: Path, knowledge: RuntimeKnowledge, source: str, cause: str, fix: str
) -> None:
    path = compile_source(tmp_path / "entry.so", source)
    (finding,) = findings_of(path, knowledge)
    assert finding.id == "ORT003"
    assert cause in finding.cause
    assert fix in finding.fix
    assert not is_registered(path)


def test_that_a_library_for_a_newer_runtime_is_told_with_both_versions(
    tmp_path: Path, knowledge: RuntimeKnowledge
) -> None:
    path = build_library(tmp_path / "newer.so", [TWICE], api=2000)
    (finding,) = findings_of(path, knowledge)
    assert finding.id == "ORT015"
    assert "it asks for interface version 2000, this runtime offers 1 to " in finding.cause
    assert not is_registered(path)


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        ("  std::abort();", "SIGABRT"),
        ('  throw "a text";', "SIGABRT"),
        ("  *(volatile int*)nullptr = 1;", "SIGSEGV"),
    ],
)
def test_that_a_library_that_ends_its_process_is_told_by_how(  # ORT017
    tmp_path: Path, knowledge: RuntimeKnowledge, before: str, cause: str
) -> None:
    path = build_library(tmp_path / "ends.so", [TWICE], before=before)
    (finding,) = findings_of(path, knowledge)
    assert (finding.id, cause in finding.cause) == ("ORT017", True), finding.cause
    assert not is_registered(path)


def test_that_a_library_that_needs_what_is_not_there_is_told(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    source = 'extern "C" void nowhere();\nextern "C" int RegisterCustomOps(void*, void*) { nowhere(); return 0; }'
    path = compile_source(tmp_path / "needs.so", source, "-Wl,-z,now")
    (finding,) = findings_of(path, knowledge)
    assert (finding.id, "undefined symbol: nowhere" in finding.cause) == ("ORT017", True), finding.cause
    assert finding.fix == "Link the source or the library that defines the symbol"
    assert not is_registered(path)


def test_that_a_broken_description_of_an_operator_is_told(tmp_path: Path, knowledge: RuntimeKnowledge) -> None:
    broken = WrittenOperator(domain="lab", type="Broken", inputs=((FLOAT, 9),))
    (finding,) = findings_of(build_library(tmp_path / "broken.so", [broken]), knowledge)
    assert (finding.id, finding.cause) == ("ORT017", "parameter 0 has the unknown characteristic 9")
