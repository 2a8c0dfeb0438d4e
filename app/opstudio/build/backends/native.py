"""A framework-free kernel as one small library: the build that every save waits for."""

from __future__ import annotations

from opstudio.build.backends import kernel_header
from opstudio.build.compile_flags import native_kernel_flags
from opstudio.build.library_plan import plan_library
from opstudio.build.probes import probe_compiler
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope

LIBRARY = "kernel.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Compile the sources of one operator. The library remembers where it throws, for findings."""
    (operator,) = request.operators
    compiler = request.compiler
    assert compiler is not None
    return plan_library(
        kind=BACKEND.id,
        compiler=compiler,
        sources=tuple(operator.folder / name for name in operator.contract.kernel.sources),
        library=LIBRARY,
        flags=(
            *(() if request.headers is None else kernel_header.compile_flags(request.headers)),
            *native_kernel_flags(compiler),
            *request.flags,
            *operator.contract.kernel.flags,
        ),
        # A function that is defined nowhere is the linker's to tell, not the loader's.
        link_flags=(
            *(() if request.headers is None else kernel_header.link_flags(request.headers)),
            *("-Wl,--wrap=__cxa_throw", "-Wl,-z,defs", "-lpthread"),
        ),
    )


BACKEND = BuildBackend(
    id="native", title="Framework-free kernel", scope=Scope.OPERATOR, probe=probe_compiler, plan=plan
)
