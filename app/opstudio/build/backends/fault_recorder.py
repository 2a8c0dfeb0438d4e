"""The library that records how a worker ends."""

from __future__ import annotations

from opstudio.base.assets import asset_root
from opstudio.build.compile_flags import KERNEL_STANDARD, library_flags
from opstudio.build.library_plan import plan_library
from opstudio.build.probes import probe_compiler
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope

LIBRARY = "fault_recorder.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Compile one file."""
    compiler = request.compiler
    assert compiler is not None
    return plan_library(
        kind=BACKEND.id,
        compiler=compiler,
        sources=(asset_root("plugins") / "worker" / "fault_recorder.cpp",),
        library=LIBRARY,
        flags=(KERNEL_STANDARD, *library_flags(compiler)),
        link_flags=("-ldl",),
        title="compile the fault recorder",
    )


BACKEND = BuildBackend(
    id="fault_recorder", title="Fault recorder", scope=Scope.SUPPORT, probe=probe_compiler, plan=plan
)
