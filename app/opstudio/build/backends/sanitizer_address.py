"""The kernel under AddressSanitizer and UndefinedBehaviorSanitizer, in a program without Python."""

from __future__ import annotations

from opstudio.build.probes import probe_compiler
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope
from opstudio.build.sanitizer_plan import plan_kernel_program

SANITIZERS = "address,undefined"


def plan(request: BuildRequest) -> BuildPlan:
    """Compile the kernel and link it to the runner."""
    return plan_kernel_program(request, kind=BACKEND.id, sanitizers=SANITIZERS)


BACKEND = BuildBackend(
    id="sanitizer_address", title="Kernel under AddressSanitizer", scope=Scope.SUPPORT, probe=probe_compiler, plan=plan
)
