"""The program that runs kernels under AddressSanitizer, without a kernel: compiled once."""

from __future__ import annotations

from opstudio.build.backends.sanitizer_address import SANITIZERS
from opstudio.build.probes import probe_compiler
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope
from opstudio.build.sanitizer_plan import plan_runner_object


def plan(request: BuildRequest) -> BuildPlan:
    """Compile the runner."""
    return plan_runner_object(request, kind=BACKEND.id, sanitizers=SANITIZERS)


BACKEND = BuildBackend(
    id="sanitizer_address_runner",
    title="Runner for AddressSanitizer",
    scope=Scope.SUPPORT,
    probe=probe_compiler,
    plan=plan,
)
