"""The operators of one domain as a PyTorch extension that knows nothing of the studio."""

from __future__ import annotations

from opstudio.build.codegen.source_tree import TORCH_SOURCE, torch_tree
from opstudio.build.compile_flags import torch_compile_flags, torch_link_flags, torch_parallel_flags
from opstudio.build.probes import probe_torch
from opstudio.build.records import BuildBackend, BuildPlan, BuildRequest, Scope
from opstudio.build.release_plan import plan_release


def library_name(domain: str) -> str:
    """Return the file name of the extension."""
    return f"lib{domain}_torch.so"


def plan(request: BuildRequest) -> BuildPlan:
    """Generate the sources from the contracts and compile them with the kernels; 15 to 25 s."""
    compiler, torch = request.compiler, request.torch
    assert compiler is not None
    assert torch is not None
    return plan_release(
        request,
        kind=BACKEND.id,
        library=library_name(request.operators[0].contract.domain),
        tree=torch_tree(request.operators),
        source=TORCH_SOURCE,
        flags=(*torch_compile_flags(torch), *torch_parallel_flags(compiler)),
        link_flags=torch_link_flags(torch),
        versions={"torch": torch.version},
    )


BACKEND = BuildBackend(
    id="torch_release",
    title="PyTorch extension of a release",
    scope=Scope.DOMAIN,
    probe=probe_torch,
    plan=plan,
    needs_torch=True,
)
