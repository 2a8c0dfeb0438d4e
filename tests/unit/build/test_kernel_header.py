"""The kernel header, parsed and compiled in advance: a kernel shares its code, in whatever way it is built."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from opstudio.build.backends import kernel_header
from opstudio.build.compile_flags import native_kernel_flags
from opstudio.build.library_plan import plan_library
from opstudio.build.records import BuildPlan, BuildRequest
from opstudio.build.runner import execute
from opstudio.build.toolchain import find_cxx
from opstudio.jobs.cancel import CancelToken
from opstudio.workspace.artifact_store import Artifact, ArtifactStore

_KERNEL = """#include <opstudio/kernel.h>
void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  opstudio::map<opstudio::AllTypes>(call, y, [](auto value) { return value; }, x);
}
"""
_ENTRY = "OPSTUDIO_KERNEL(forward)\n"
_SHARED = ("opstudio::detail::Walk::add_axis", "opstudio::Call::attribute", "opstudio::detail::widen_halves")
"""Code that is the same for all kernels: of the walk, of a call, and of the quick loops."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ArtifactStore:
    return ArtifactStore(tmp_path_factory.mktemp("kernel-header") / "state")


@pytest.fixture(scope="module")
def headers(store: ArtifactStore) -> Path:
    return _build(kernel_header.plan(BuildRequest(compiler=find_cxx(None))), store).output(kernel_header.FOLDER)


def _build(plan: BuildPlan, store: ArtifactStore) -> Artifact:
    lines: list[str] = []
    result = execute(plan, store, cancel=CancelToken(), on_output=lines.append)
    assert result.artifact is not None, "".join(lines)
    assert not result.record.diagnostics
    return result.artifact


def _library(sources: tuple[Path, ...], headers: Path, *flags: str) -> BuildPlan:
    return plan_library(
        kind="test",
        compiler=find_cxx(None),
        sources=sources,
        library="test.so",
        flags=(*kernel_header.compile_flags(headers), *native_kernel_flags(find_cxx(None)), *flags),
        link_flags=(*kernel_header.link_flags(headers), "-Wl,--wrap=__cxa_throw", "-Wl,-z,defs"),
    )


def _symbols(file: Path, *options: str) -> list[str]:
    command = ["nm", "-C", *options, str(file)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize(
    ("before", "flags"),
    [
        pytest.param("", (), id="parsed"),
        pytest.param("#include <vector>\n", (), id="read after another header"),
        pytest.param("", ("-std=c++20", "-O2"), id="other flags"),
        pytest.param("", ("-O0",), id="nothing inlined"),
        pytest.param("", ("-march=native",), id="other instructions"),
    ],
)
def test_that_a_kernel_is_linked_to_the_code_of_the_header(
    before: str, flags: tuple[str, ...], headers: Path, store: ArtifactStore, tmp_path: Path
) -> None:
    source = tmp_path / "kernel.cpp"
    source.write_text(before + _KERNEL + _ENTRY, encoding="utf-8")
    library = _build(_library((source,), headers, *flags), store).output("test.so")

    assert ctypes.CDLL(str(library)).opstudio_kernel_entry
    shared = [line for line in _symbols(library) if any(f" {name}(" in line for name in _SHARED)]
    assert len(shared) == len(_SHARED)
    assert all(" t " in line for line in shared), "code of the header is nobody else's to find"


def test_that_a_kernel_of_several_sources_is_linked_to_one_code(
    headers: Path, store: ArtifactStore, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.cpp", tmp_path / "second.cpp"
    first.write_text(_KERNEL, encoding="utf-8")
    second.write_text("#include <opstudio/kernel.h>\nvoid forward(const opstudio::Call&);\n" + _ENTRY, encoding="utf-8")
    library = _build(_library((first, second), headers), store).output("test.so")

    assert ctypes.CDLL(str(library)).opstudio_kernel_entry
    assert sum(" opstudio::detail::Walk::add_axis(" in line for line in _symbols(library)) == 1


def test_that_a_kernel_leaves_the_code_of_the_header_out(headers: Path, tmp_path: Path) -> None:
    source, compiler = tmp_path / "kernel.cpp", find_cxx(None)
    source.write_text(_KERNEL + _ENTRY, encoding="utf-8")
    sizes: dict[str, int] = {}
    for name, flags in (("shared", kernel_header.compile_flags(headers)), ("own", ())):
        target = tmp_path / f"{name}.o"
        command = [compiler.path, *flags, *native_kernel_flags(compiler), "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        sizes[name] = len([line for line in _symbols(target, "--defined-only") if "opstudio::" in line])

    assert sizes["shared"] < sizes["own"] / 2
