"""The operators of one domain as an ONNX Runtime library that knows nothing of the studio."""

from __future__ import annotations

from opstudio.build.codegen.source_tree import ONNXRUNTIME_SOURCE, onnxruntime_tree
from opstudio.build.compile_flags import KERNEL_STANDARD
from opstudio.build.probes import probe_compiler
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope
from opstudio.build.release_plan import plan_release


def library_name(domain: str) -> str:
    """Return the file name of the library."""
    return f"lib{domain}_onnxruntime.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Generate the source from the contracts and compile it with the kernels; about 4 s."""
    return plan_release(
        request,
        kind=BACKEND.id,
        library=library_name(request.operators[0].contract.domain),
        tree=onnxruntime_tree(request.operators),
        source=ONNXRUNTIME_SOURCE,
        flags=(KERNEL_STANDARD,),
    )


BACKEND = BuildBackend(
    id="onnxruntime_release",
    title="ONNX Runtime library of a release",
    scope=Scope.DOMAIN,
    probe=probe_compiler,
    plan=plan,
)
