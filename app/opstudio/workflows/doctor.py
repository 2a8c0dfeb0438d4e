"""What is on this machine: tools, versions, ABI; what works with it and what does not."""

from __future__ import annotations

import dataclasses
import enum
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

from opstudio import __version__
from opstudio.base.errors import StudioError
from opstudio.build.toolchain import find_cxx, find_nvcc
from opstudio.worker.pool import WorkerPool
from opstudio.workspace.settings import Settings

TESTED = {"torch": "2.13", "onnx": "1.23", "onnxruntime": "1.32"}
"""The releases that the studio's tests run on."""


class Condition(enum.StrEnum):
    """How a part is."""

    GOOD = "good"
    MISSING = "missing"
    """Needed, and not there."""
    ABSENT = "absent"
    """Not needed, and not there."""
    UNTESTED = "untested"
    """There, in a release that the studio was not tested with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One tool or library: what it is, how it is, and what it is for."""

    name: str
    condition: Condition
    version: str = ""
    purpose: str = ""
    fix: str = ""


def examine(settings: Settings, *, is_trusted: bool = True) -> tuple[Part, ...]:
    """Look at everything that the studio uses; nothing is changed.

    The compiler and the Python that a workspace names are programs, perhaps its own: they are started where the
    workspace is trusted; otherwise those that the studio takes by itself are looked at.
    """
    named = settings.python is not None or settings.compiler is not None
    if not is_trusted:
        settings = dataclasses.replace(settings, python=None, compiler=None)
    return (
        Part(name="opstudio", condition=Condition.GOOD, version=__version__, purpose="the studio"),
        Part(
            name="system",
            condition=Condition.GOOD if sys.platform == "linux" else Condition.UNTESTED,
            version=f"{platform.system()} {platform.release()} {platform.machine()}",
            purpose="forked workers need Linux",
        ),
        *(() if is_trusted else (_distrust(named=named),)),
        *_tools(settings),
        *_frameworks(settings),
        _window(),
    )


def _distrust(*, named: bool) -> Part:
    return Part(
        name="workspace",
        condition=Condition.UNTESTED,
        version="not trusted",
        purpose="its own compiler and Python were left alone" if named else "nothing of it is built or run",
        fix="Review it, then: opstudio trust",
    )


def _tools(settings: Settings) -> Iterator[Part]:
    try:
        compiler = find_cxx(settings.compiler)
        linker = compiler.linker_flags[0].removeprefix("-fuse-ld=") if compiler.linker_flags else "the default linker"
        yield Part(
            name="C++ compiler",
            condition=Condition.GOOD,
            version=f"{compiler.version}, {linker}",
            purpose="builds kernels and hosts",
        )
    except StudioError as error:
        yield Part(
            name="C++ compiler",
            condition=Condition.MISSING,
            purpose="builds kernels and hosts",
            fix=error.findings[0].fix,
        )
    for name, purpose, needed in (
        ("addr2line", "tells the line of a crash", True),
        ("ninja", "builds projects", False),
        ("cmake", "builds projects", False),
        ("ccache", "keeps PyTorch's slow builds", False),
    ):
        path = shutil.which(name)
        yield Part(
            name=name,
            condition=Condition.GOOD if path else Condition.MISSING if needed else Condition.ABSENT,
            version=path or "",
            purpose=purpose,
            fix="" if path else f"Install {'binutils' if name == 'addr2line' else name}",
        )
    nvcc = find_nvcc()
    yield Part(
        name="nvcc",
        condition=Condition.GOOD if nvcc else Condition.ABSENT,
        version=nvcc.version if nvcc else "",
        purpose="compiles CUDA kernels (compiled, not run)",
        fix="" if nvcc else "Install the CUDA toolkit, if you have CUDA kernels",
    )


def _frameworks(settings: Settings) -> Iterator[Part]:
    python = settings.python or sys.executable
    pool = WorkerPool(python)
    try:
        versions = dict(pool.versions())
    except StudioError as error:
        yield Part(
            name="workspace's Python",
            condition=Condition.MISSING,
            version=python,
            purpose="runs the checks",
            fix=f"{error.findings[0].cause}: {error.findings[0].fix}",
        )
        return
    finally:
        pool.close()
    yield Part(
        name="workspace's Python",
        condition=Condition.GOOD,
        version=f"{versions['python']} ({python})",
        purpose="runs the checks",
    )
    for name in ("numpy", "torch", "onnx", "onnxruntime"):
        version = versions.get(name, "")
        tested = TESTED.get(name)
        untested = bool(version) and tested is not None and not version.startswith(f"{tested}.")
        yield Part(
            name=name,
            condition=Condition.MISSING if not version else Condition.UNTESTED if untested else Condition.GOOD,
            version=version,
            purpose=f"tested with {tested}" if tested else "arrays",
            fix="" if version else f"Install it into that Python: pip install {name}",
        )
    if versions.get("torch"):
        cuda = versions.get("torch_cuda") or "none: a CPU build"
        abi = "1 (new std::string)" if versions.get("torch_cxx11_abi") == "1" else "0 (old std::string)"
        yield Part(
            name="torch's C++ ABI", condition=Condition.GOOD, version=abi, purpose="what extensions are built with"
        )
        yield Part(name="torch's CUDA", condition=Condition.GOOD, version=cuda, purpose="which devices it serves")


def _window() -> Part:
    try:
        version = metadata.version("PySide6-Essentials")
    except metadata.PackageNotFoundError:
        return Part(
            name="PySide6",
            condition=Condition.ABSENT,
            purpose="the window",
            fix="pip install 'PySide6-Essentials<6.12'",
        )
    major, minor = (int(part) for part in version.split(".")[:2])
    broken = (major, minor) >= (6, 12) and sys.version_info < (3, 12)
    return Part(
        name="PySide6",
        condition=Condition.UNTESTED if broken else Condition.GOOD,
        version=version,
        purpose="the window",
        fix="PySide6 6.12 aborts Python 3.11: pip install 'PySide6-Essentials<6.12'" if broken else "",
    )
