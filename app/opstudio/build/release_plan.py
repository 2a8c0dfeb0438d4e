"""How the generated sources of a release and the kernels beside them become one library."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from opstudio.build.codegen.source_tree import kernel_sources
from opstudio.build.codegen.torch_source import entry_name
from opstudio.build.compile_flags import KERNEL_STANDARD, library_flags
from opstudio.build.library_plan import Unit, plan_units
from opstudio.build.records import BuildPlan, BuildRequest

_TREE = "source"


def plan_release(  # noqa: PLR0913 - the parts of a library
    request: BuildRequest,
    *,
    kind: str,
    library: str,
    tree: Mapping[str, str],
    source: str,
    flags: tuple[str, ...],
    link_flags: tuple[str, ...] = (),
    versions: Mapping[str, str] | None = None,
) -> BuildPlan:
    """Return the plan; all files that are compiled are generated, so that the address names every text."""
    compiler = request.compiler
    assert compiler is not None
    # No path of this machine ends up in a library that is given away.
    common = (*library_flags(compiler), "-g0", "-ffile-prefix-map={out}=.", f"-I{{out}}/{_TREE}/include")
    units = [Unit(_path(source), (*flags, *common))]
    units += [
        Unit(
            _path(name),
            (
                KERNEL_STANDARD,
                *common,
                f"-DOPSTUDIO_KERNEL_ENTRY={entry_name(operator.contract)}",
                *request.flags,
                *operator.contract.kernel.flags,
            ),
        )
        for name, (operator, _) in kernel_sources(request.operators).items()
    ]
    return plan_units(
        kind=kind,
        compiler=compiler,
        units=tuple(units),
        library=library,
        # Without a name of its own the linker notes the path that the library was built at.
        link_flags=("-Wl,-s", f"-Wl,-soname,{library}", *link_flags),
        versions=versions or {},
        generated={f"{_TREE}/{name}": text for name, text in tree.items()},
    )


def _path(name: str) -> Path:
    return Path("{out}") / _TREE / name
