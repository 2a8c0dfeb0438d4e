"""The kernel header, parsed and compiled in advance: more than half of what a small kernel would otherwise take.

g++ takes ``opstudio/kernel.h.gch`` for ``#include <opstudio/kernel.h>`` where that is the first include of a source and
the flags are the same; otherwise it reads the header itself, which only takes longer. What is the same for all kernels
is compiled once, into an object that they are linked to (``opstudio/compilation.h``).
"""

from __future__ import annotations

from pathlib import Path

from opstudio.build.compile_flags import kernel_include, native_kernel_flags
from opstudio.build.records import Availability, BuildBackend, BuildPlan, BuildRequest, BuildStep, Scope

FOLDER = "include"
HEADER = f"{FOLDER}/opstudio/kernel.h"
PRECOMPILED = f"{HEADER}.gch"
CODE = f"{FOLDER}/opstudio/kernel_code.o"
_SOURCE = "kernel_code.cpp"
_CODE_ELSEWHERE = "-DOPSTUDIO_CODE_ELSEWHERE"
_INCLUDE = "#include <opstudio/kernel.h>\n"
_FORWARD = "#include_next <opstudio/kernel.h>\n"
"""What g++ reads where it cannot use the precompiled header."""


def probe(request: BuildRequest) -> Availability:
    """Ask for g++: clang takes precompiled headers only where a source is told to include them."""
    if request.compiler is None or request.compiler.is_clang:
        return Availability(missing="g++", fix="Install g++; with clang, kernels compile a little slower")
    return Availability()


def plan(request: BuildRequest) -> BuildPlan:
    """Compile the header with the flags that kernels are compiled with."""
    compiler = request.compiler
    assert compiler is not None
    header = kernel_include() / "opstudio" / "kernel.h"
    usual = (compiler.path, *native_kernel_flags(compiler), *request.flags)
    parse = (
        *(*usual, _CODE_ELSEWHERE, "-MMD", "-MF", "{out}/0.d"),
        *("-x", "c++-header", str(header), "-o", f"{{out}}/{PRECOMPILED}"),
    )
    compile_code = (
        *(*usual, "-DOPSTUDIO_CODE_HERE", "-MMD", "-MF", "{out}/1.d"),
        *("-c", f"{{out}}/{_SOURCE}", "-o", f"{{out}}/{CODE}"),
    )
    return BuildPlan(
        kind=BACKEND.id,
        key={"parse": parse, "compile": compile_code, "compiler": compiler.version},
        inputs=(header,),
        outputs=(HEADER, PRECOMPILED, CODE),
        steps=(
            BuildStep(title="parse the kernel header", command=parse, dependency_file="0.d"),
            BuildStep(title="compile the kernel header", command=compile_code, dependency_file="1.d"),
        ),
        versions={"compiler": compiler.version},
        generated={HEADER: _FORWARD, _SOURCE: _INCLUDE},
    )


def compile_flags(headers: Path) -> tuple[str, ...]:
    """Return what makes a kernel use the built header, whose folder is given; they come before all other flags."""
    return (f"-I{headers}", _CODE_ELSEWHERE)


def link_flags(headers: Path) -> tuple[str, ...]:
    """Return what a kernel that uses the built header is linked to."""
    return (str(headers.parent / CODE),)


BACKEND = BuildBackend(
    id="kernel_header", title="Precompiled kernel header", scope=Scope.SUPPORT, probe=probe, plan=plan
)
