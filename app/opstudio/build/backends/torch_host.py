"""The dispatcher host: built once for each release of PyTorch, it registers any contract at run time."""

from __future__ import annotations

from opstudio.base.assets import asset_root
from opstudio.build.compile_flags import (
    include_flags,
    library_flags,
    torch_compile_flags,
    torch_link_flags,
    torch_parallel_flags,
)
from opstudio.build.library_plan import Unit, plan_units
from opstudio.build.probes import probe_torch
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope

LIBRARY = "torch_host.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Compile the host; about 15 s, once."""
    compiler, torch = request.compiler, request.torch
    assert compiler is not None
    assert torch is not None
    source = asset_root("plugins") / "torch" / "host.cpp"
    flags = (
        *torch_compile_flags(torch),
        *torch_parallel_flags(compiler),
        *library_flags(compiler),
        "-O2",
        "-g0",
        *include_flags(),
    )
    return plan_units(
        kind=BACKEND.id,
        compiler=compiler,
        units=(Unit(source, flags),),
        library=LIBRARY,
        link_flags=torch_link_flags(torch),
        versions={"torch": torch.version},
        inputs=(source,),
        title="compile",
    )


BACKEND = BuildBackend(
    id="torch_host",
    title="PyTorch dispatcher host",
    scope=Scope.SUPPORT,
    probe=probe_torch,
    plan=plan,
    needs_torch=True,
)
