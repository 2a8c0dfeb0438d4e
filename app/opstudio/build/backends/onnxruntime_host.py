"""The ONNX Runtime host: an operator library for any contract, built without the runtime's headers."""

from __future__ import annotations

from opstudio.base.assets import asset_root
from opstudio.build.compile_flags import KERNEL_STANDARD, include_flags, library_flags
from opstudio.build.library_plan import plan_library
from opstudio.build.probes import probe_compiler
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope

LIBRARY = "onnxruntime_host.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Compile the host; a few seconds, once."""
    compiler = request.compiler
    assert compiler is not None
    return plan_library(
        kind=BACKEND.id,
        compiler=compiler,
        sources=(asset_root("plugins") / "onnxruntime" / "host.cpp",),
        library=LIBRARY,
        flags=(KERNEL_STANDARD, *library_flags(compiler), "-O2", *include_flags()),
        title="compile the ONNX Runtime host",
    )


BACKEND = BuildBackend(
    id="onnxruntime_host", title="ONNX Runtime host", scope=Scope.SUPPORT, probe=probe_compiler, plan=plan
)
