"""Sources with ``TORCH_LIBRARY`` of the person's own: compiled as they are, against the workspace's PyTorch."""

from __future__ import annotations

from opstudio.build.compile_flags import include_flags, library_flags, torch_compile_flags, torch_link_flags
from opstudio.build.library_plan import plan_library
from opstudio.build.probes import probe_torch
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope

LIBRARY = "operators.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Compile all sources of one operator. PyTorch's headers take 5 to 20 s, by how many of them are included."""
    (operator,) = request.operators
    compiler, torch = request.compiler, request.torch
    assert compiler is not None
    assert torch is not None
    return plan_library(
        kind=BACKEND.id,
        compiler=compiler,
        sources=tuple(operator.folder / name for name in operator.contract.kernel.sources),
        library=LIBRARY,
        flags=(
            *torch_compile_flags(torch),
            f"-isystem{torch.python_include}",
            *library_flags(compiler),
            "-O2",
            *include_flags(),
            *request.flags,
            *operator.contract.kernel.flags,
        ),
        # Only sources with a pybind11 module need the second part.
        link_flags=(*torch_link_flags(torch), "-Wl,--as-needed", "-ltorch_python"),
        versions={"torch": torch.version},
    )


BACKEND = BuildBackend(
    id="raw_torch", title="TORCH_LIBRARY sources", scope=Scope.OPERATOR, probe=probe_torch, plan=plan, needs_torch=True
)
