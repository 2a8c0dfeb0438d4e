"""How C++ sources become one shared library: in one call where there is one source, else object by object."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from opstudio.build.records import BuildPlan, BuildStep
from opstudio.build.toolchain import Compiler


def plan_library(  # noqa: PLR0913 - the parts of a library
    *,
    kind: str,
    compiler: Compiler,
    sources: tuple[Path, ...],
    library: str,
    flags: tuple[str, ...],
    link_flags: tuple[str, ...] = (),
    versions: Mapping[str, str] | None = None,
    title: str = "compile",
) -> BuildPlan:
    """Return the plan of a library; every step notes the headers that it read."""
    link = ("-shared", "-o", f"{{out}}/{library}", *link_flags, *compiler.linker_flags)
    if len(sources) == 1:
        command = (compiler.path, *flags, *_dependencies(0), str(sources[0]), *link)
        steps = [_step(title, command, 0)]
    else:
        objects = [f"{{out}}/{index}.o" for index in range(len(sources))]
        steps = [
            _step(
                f"{title} {source.name}",
                (compiler.path, *flags, *_dependencies(index), "-c", str(source), "-o", target),
                index,
            )
            for index, (source, target) in enumerate(zip(sources, objects, strict=True))
        ]
        steps.append(BuildStep(title="link", command=(compiler.path, *objects, *link)))
    return BuildPlan(
        kind=kind,
        key={
            "commands": tuple(" ".join(step.command) for step in steps),
            "compiler": compiler.version,
            **(versions or {}),
        },
        inputs=sources,
        outputs=(library,),
        steps=tuple(steps),
        versions={"compiler": compiler.version, **(versions or {})},
    )


def _dependencies(index: int) -> tuple[str, ...]:
    return ("-MMD", "-MF", f"{{out}}/{index}.d")


def _step(title: str, command: tuple[str, ...], index: int) -> BuildStep:
    return BuildStep(title=title, command=command, dependency_file=f"{index}.d")
