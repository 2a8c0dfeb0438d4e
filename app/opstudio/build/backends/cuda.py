"""A CUDA kernel compiled by nvcc. Without a device it is compiled, not run, and the studio says so."""

from __future__ import annotations

from opstudio.build.compile_flags import KERNEL_STANDARD, kernel_include
from opstudio.build.records import Availability, BuildBackend, BuildPlan, BuildRequest, BuildStep, Scope
from opstudio.build.toolchain import find_nvcc

LIBRARY = "kernel_cuda.so"


def probe(_request: BuildRequest) -> Availability:
    """Ask for nvcc."""
    if find_nvcc() is None:
        return Availability(missing="nvcc", fix="Install the CUDA toolkit and put nvcc on PATH, or set CUDA_HOME")
    return Availability()


def plan(request: BuildRequest) -> BuildPlan:
    """Compile the CUDA sources of one operator into one library."""
    (operator,) = request.operators
    compiler = find_nvcc()
    assert compiler is not None
    sources = tuple(operator.folder / name for name in operator.contract.kernel.cuda)
    command = (
        compiler.path,
        KERNEL_STANDARD,
        "-O3",
        "-lineinfo",
        "--compiler-options",
        "-fPIC,-fvisibility=hidden,-Wall",
        f"-I{kernel_include()}",
        "-MMD",
        "-MF",
        "{out}/kernel.d",
        "-shared",
        *map(str, sources),
        "-o",
        f"{{out}}/{LIBRARY}",
    )
    return BuildPlan(
        kind=BACKEND.id,
        key={"command": command, "compiler": compiler.version},
        inputs=sources,
        outputs=(LIBRARY,),
        steps=(BuildStep(title="compile with nvcc", command=command, dependency_file="kernel.d"),),
        versions={"nvcc": compiler.version},
    )


BACKEND = BuildBackend(id="cuda", title="CUDA kernel", scope=Scope.OPERATOR, probe=probe, plan=plan)
