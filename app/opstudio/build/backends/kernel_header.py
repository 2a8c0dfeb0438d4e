"""The kernel header, parsed in advance: half of what a small kernel's compilation would otherwise take.

g++ takes ``opstudio/kernel.h.gch`` for ``#include <opstudio/kernel.h>`` where that is the first include of a source and
the flags are the same; otherwise it reads the header itself, which only takes longer.
"""

from __future__ import annotations

from opstudio.build.compile_flags import kernel_include, native_kernel_flags
from opstudio.build.records import Availability, BuildBackend, BuildPlan, BuildRequest, BuildStep, Scope

FOLDER = "include"
HEADER = f"{FOLDER}/opstudio/kernel.h"
PRECOMPILED = f"{HEADER}.gch"
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
    command = (
        compiler.path,
        *native_kernel_flags(compiler),
        *request.flags,
        *("-MMD", "-MF", "{out}/0.d"),
        *("-x", "c++-header", str(header), "-o", f"{{out}}/{PRECOMPILED}"),
    )
    return BuildPlan(
        kind=BACKEND.id,
        key={"command": command, "compiler": compiler.version},
        inputs=(header,),
        outputs=(HEADER, PRECOMPILED),
        steps=(BuildStep(title="compile the kernel header", command=command, dependency_file="0.d"),),
        versions={"compiler": compiler.version},
        generated={HEADER: _FORWARD},
    )


BACKEND = BuildBackend(
    id="kernel_header", title="Precompiled kernel header", scope=Scope.SUPPORT, probe=probe, plan=plan
)
