"""What real compilers print, read back."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from opstudio.base.finding import Severity
from opstudio.build.compiler_output import parse_diagnostics
from opstudio.build.records import Diagnostic

COMPILERS = [name for name in ("g++", "clang++", "clang++-19") if shutil.which(name)]

HEADER = """#pragma once
template <class T>
void assign(T& target) {
  target = "text";
}
"""


def compile_with(compiler: str, folder: Path, text: str, *arguments: str) -> tuple[Diagnostic, ...]:
    source = folder / "kernel.cpp"
    source.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [compiler, "-std=c++17", *arguments, str(source), "-o", str(folder / "out.o")],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "LC_ALL": "C.UTF-8"},
    )
    assert done.returncode != 0
    return parse_diagnostics(done.stdout + done.stderr)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_that_an_error_has_its_line_and_column(compiler: str, tmp_path: Path) -> None:
    first = compile_with(compiler, tmp_path, "int f() {\n  return missing;\n}\n", "-c")[0]

    assert first.severity is Severity.ERROR
    assert (first.file, first.line, first.column) == (str(tmp_path / "kernel.cpp"), 2, 10)
    assert "missing" in first.message


@pytest.mark.parametrize("compiler", COMPILERS)
def test_that_errors_come_before_warnings(compiler: str, tmp_path: Path) -> None:
    text = "int f(int unused) {\n  int other;\n  return missing;\n}\n"
    found = compile_with(compiler, tmp_path, text, "-c", "-Wall", "-Wextra")

    severities = [item.severity for item in found]
    assert severities[0] is Severity.ERROR
    assert Severity.WARNING in severities
    assert severities == sorted(severities, key=lambda item: item is not Severity.ERROR)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_that_an_error_in_a_template_names_the_line_that_asked_for_it(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "assign.h").write_text(HEADER, encoding="utf-8")
    text = '#include "assign.h"\n\nvoid f() {\n  int x = 0;\n  assign(x);\n}\n'
    first = compile_with(compiler, tmp_path, text, "-c")[0]

    assert Path(first.file or "").name == "assign.h"
    assert first.line == 4
    assert (str(tmp_path / "kernel.cpp"), 5) in first.origins


@pytest.mark.parametrize("compiler", COMPILERS)
def test_that_origins_belong_to_their_own_error(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "assign.h").write_text(HEADER, encoding="utf-8")
    text = '#include "assign.h"\nint g() { return missing; }\nvoid f() { int x = 0; assign(x); }\n'
    found = {item.line: item for item in compile_with(compiler, tmp_path, text, "-c")}

    assert found[2].origins == ()
    assert found[4].origins == ((str(tmp_path / "kernel.cpp"), 3),)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_that_notes_belong_to_the_error_before_them(compiler: str, tmp_path: Path) -> None:
    text = "struct A { void f(int); };\nvoid g(A a) { a.f(); }\n"
    first = compile_with(compiler, tmp_path, text, "-c")[0]

    assert first.line == 2
    assert any(note.startswith("kernel.cpp:1:") for note in first.notes)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_that_a_missing_symbol_is_named(compiler: str, tmp_path: Path) -> None:
    text = "void missing();\nint main() {\n  missing();\n}\n"
    found = compile_with(compiler, tmp_path, text, "-g")

    assert any("missing" in item.message and item.severity is Severity.ERROR for item in found)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_that_a_missing_header_is_an_error_at_its_line(compiler: str, tmp_path: Path) -> None:
    first = compile_with(compiler, tmp_path, "\n#include <no_such_header.h>\n", "-c")[0]

    assert first.line == 2
    assert "no_such_header.h" in first.message


def test_that_nvcc_is_understood_as_well(tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("nvcc is not installed")
    source = tmp_path / "kernel.cu"
    source.write_text("__global__ void f(float* x) {\n  x[0] = missing;\n}\n", encoding="utf-8")
    done = subprocess.run(
        [nvcc, "-c", str(source), "-o", str(tmp_path / "out.o")], capture_output=True, text=True, check=False
    )

    first = parse_diagnostics(done.stdout + done.stderr)[0]

    assert (first.file, first.line) == (str(source), 2)
    assert "missing" in first.message


def test_that_text_without_messages_gives_none() -> None:
    assert parse_diagnostics("Building…\nAll fine: 3 errors avoided\nsome/file.cpp compiled\n") == ()
