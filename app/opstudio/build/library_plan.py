"""How C++ sources become one shared library: in one call where there is one source, else object by object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opstudio.build.records import BuildPlan, BuildStep
from opstudio.build.toolchain import Compiler


@dataclass(frozen=True, slots=True)
class Unit:
    """A source and the flags that it is compiled with."""

    source: Path
    flags: tuple[str, ...]


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
    """Return the plan of a library whose sources are all compiled alike; every step notes the headers that it read."""
    if len(sources) > 1:
        units = tuple(Unit(source, flags) for source in sources)
        return plan_units(
            kind=kind,
            compiler=compiler,
            units=units,
            library=library,
            link_flags=link_flags,
            versions=versions or {},
            inputs=sources,
            title=title,
        )
    (source,) = sources
    link = _link_arguments(compiler, library, link_flags)
    command = (compiler.path, *flags, *_dependencies(0), str(source), *link)
    steps = (BuildStep(title=title, command=command, dependency_file="0.d"),)
    return _plan(kind, compiler, library, steps, versions or {}, inputs=sources, generated={})


def plan_units(  # noqa: PLR0913 - the parts of a library
    *,
    kind: str,
    compiler: Compiler,
    units: tuple[Unit, ...],
    library: str,
    link_flags: tuple[str, ...],
    versions: Mapping[str, str],
    inputs: tuple[Path, ...] = (),
    generated: Mapping[str, str] | None = None,
    title: str = "compile",
) -> BuildPlan:
    """Return the plan of a library, one object for each unit."""
    objects = [f"{{out}}/{index}.o" for index in range(len(units))]
    steps = [
        BuildStep(
            title=f"{title} {unit.source.name}",
            command=(compiler.path, *unit.flags, *_dependencies(index), "-c", str(unit.source), "-o", target),
            dependency_file=f"{index}.d",
        )
        for index, (unit, target) in enumerate(zip(units, objects, strict=True))
    ]
    link = _link_arguments(compiler, library, link_flags)
    steps.append(BuildStep(title="link", command=(compiler.path, *objects, *link)))
    return _plan(kind, compiler, library, tuple(steps), versions, inputs=inputs, generated=generated or {})


def _plan(  # noqa: PLR0913 - the parts of a plan
    kind: str,
    compiler: Compiler,
    library: str,
    steps: tuple[BuildStep, ...],
    versions: Mapping[str, str],
    *,
    inputs: tuple[Path, ...],
    generated: Mapping[str, str],
) -> BuildPlan:
    return BuildPlan(
        kind=kind,
        key={
            "commands": tuple(" ".join(step.command) for step in steps),
            "compiler": compiler.version,
            **versions,
        },
        inputs=inputs,
        outputs=(library,),
        steps=steps,
        versions={"compiler": compiler.version, **versions},
        generated=generated,
    )


def _link_arguments(compiler: Compiler, library: str, link_flags: tuple[str, ...]) -> tuple[str, ...]:
    return ("-shared", "-o", f"{{out}}/{library}", *link_flags, *compiler.linker_flags)


def _dependencies(index: int) -> tuple[str, ...]:
    return ("-MMD", "-MF", f"{{out}}/{index}.d")
