"""A kernel and a small program around it, built under a sanitizer of the compiler.

The program is the same for every kernel, so that it is compiled once and linked to each.
"""

from __future__ import annotations

from opstudio.base.assets import asset_root
from opstudio.build.compile_flags import KERNEL_STANDARD, include_flags
from opstudio.build.records import BuildPlan, BuildRequest, BuildStep

PROGRAM = "runner"
RUNNER_OBJECT = "runner.o"


def plan_runner_object(request: BuildRequest, *, kind: str, sanitizers: str) -> BuildPlan:
    """Return the plan of the program without a kernel."""
    compiler = request.compiler
    assert compiler is not None
    source = asset_root("plugins") / "worker" / "native_runner.cpp"
    command = (
        compiler.path,
        *_flags(sanitizers),
        *("-MMD", "-MF", "{out}/runner.d", "-c", str(source), "-o", f"{{out}}/{RUNNER_OBJECT}"),
    )
    return BuildPlan(
        kind=kind,
        key={"command": command, "compiler": compiler.version},
        inputs=(source,),
        outputs=(RUNNER_OBJECT,),
        steps=(BuildStep(title="compile the runner", command=command, dependency_file="runner.d"),),
        versions={"compiler": compiler.version},
    )


def plan_kernel_program(request: BuildRequest, *, kind: str, sanitizers: str) -> BuildPlan:
    """Return the plan of the program around one kernel; the request's objects hold the rest of it."""
    (operator,) = request.operators
    compiler = request.compiler
    assert compiler is not None
    sources = tuple(operator.folder / name for name in operator.contract.kernel.sources)
    objects = [f"{{out}}/{index}.o" for index in range(len(sources))]
    flags = (*_flags(sanitizers), *request.flags, *operator.contract.kernel.flags)
    steps = [
        BuildStep(
            title=f"compile {source.name} with -fsanitize={sanitizers}",
            command=(compiler.path, *flags, "-MMD", "-MF", f"{{out}}/{index}.d", "-c", str(source), "-o", target),
            dependency_file=f"{index}.d",
        )
        for index, (source, target) in enumerate(zip(sources, objects, strict=True))
    ]
    link = (f"-fsanitize={sanitizers}", "-pthread", "-o", f"{{out}}/{PROGRAM}")
    steps.append(BuildStep(title="link", command=(compiler.path, *objects, *map(str, request.objects), *link)))
    return BuildPlan(
        kind=kind,
        key={"commands": tuple(" ".join(step.command) for step in steps), "compiler": compiler.version},
        inputs=sources,
        outputs=(PROGRAM,),
        steps=tuple(steps),
        versions={"compiler": compiler.version},
    )


def _flags(sanitizers: str) -> tuple[str, ...]:
    return (
        *(KERNEL_STANDARD, "-O1", "-g1", "-fno-omit-frame-pointer", f"-fsanitize={sanitizers}", "-pthread"),
        *include_flags(),
    )
