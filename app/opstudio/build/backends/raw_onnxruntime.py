"""Sources with ``RegisterCustomOps`` of the person's own: compiled as they are.

The studio's small header of ONNX Runtime's C interface (``ort_abi.h``) is on the include path; the official headers are
found where ``[kernel] flags`` names their folder.
"""

from __future__ import annotations

from opstudio.base.assets import asset_root
from opstudio.build.compile_flags import KERNEL_STANDARD, include_flags, library_flags
from opstudio.build.library_plan import plan_library
from opstudio.build.probes import probe_compiler
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope

LIBRARY = "operators_onnxruntime.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Compile all ONNX Runtime sources of one operator."""
    (operator,) = request.operators
    compiler = request.compiler
    assert compiler is not None
    return plan_library(
        kind=BACKEND.id,
        compiler=compiler,
        sources=tuple(operator.folder / name for name in operator.contract.kernel.onnxruntime),
        library=LIBRARY,
        flags=(
            KERNEL_STANDARD,
            *library_flags(compiler),
            f"-I{asset_root('plugins') / 'onnxruntime'}",
            *include_flags(),
            *request.flags,
            *operator.contract.kernel.flags,
        ),
    )


BACKEND = BuildBackend(
    id="raw_onnxruntime", title="RegisterCustomOps sources", scope=Scope.OPERATOR, probe=probe_compiler, plan=plan
)
