"""The compilers of this machine, and what building against a framework takes."""

from __future__ import annotations

import functools
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import SetupError
from opstudio.base.finding import Finding, Place
from opstudio.jobs.process import ProcessLimits, run_process

CXX_CANDIDATES = ("g++", "clang++", "c++")
_PROBE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C++ or CUDA compiler."""

    path: str
    version: str
    is_clang: bool = False
    linker_flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrameworkBuild:
    """Where a PyTorch installation keeps what extensions are built against."""

    version: str
    root: Path
    cxx11_abi: bool
    cuda: str | None
    python_include: Path
    """The headers of the Python that it runs in, which ``torch/extension.h`` includes."""

    @property
    def include_folders(self) -> tuple[Path, ...]:
        """The folders of its headers."""
        return (self.root / "include", self.root / "include" / "torch" / "csrc" / "api" / "include")

    @property
    def library_folder(self) -> Path:
        """The folder of its libraries."""
        return self.root / "lib"


def find_cxx(chosen: str | None = None) -> Compiler:
    """Find the C++ compiler: the chosen one, that of ``CXX``, or the first that is installed.

    Raises:
        SetupError: there is none (BLD005).
    """
    wanted = chosen or os.environ.get("CXX")
    candidates = (wanted,) if wanted else CXX_CANDIDATES
    for candidate in candidates:
        if path := shutil.which(candidate):
            return _probe_cxx(path)
    raise missing_tool(
        f"the C++ compiler {wanted}" if wanted else "a C++ compiler",
        "Install g++ 9 or newer (Debian, Ubuntu: apt install g++) or clang++"
        + (", or correct [build] compiler in opstudio.toml" if chosen else ""),
    )


def find_nvcc() -> Compiler | None:
    """Find the CUDA compiler, on the path or under ``CUDA_HOME``."""
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for candidate in ("nvcc", *(f"{home}/bin/nvcc" for home in homes if home)):
        if path := shutil.which(candidate):
            return _probe_nvcc(path)
    return None


def missing_tool(tool: str, fix: str, *, place: Place | None = None) -> SetupError:
    """Return the error of a tool that is not there (BLD005)."""
    return SetupError(
        Finding(
            id="BLD005",
            stage="build",
            title=f"Cannot build without {tool}",
            cause=f"{tool} was not found on PATH",
            fix=fix,
            places=() if place is None else (place,),
        )
    )


@functools.cache
def _probe_cxx(path: str) -> Compiler:
    outcome = run_process([path, "--version"], limits=ProcessLimits(seconds=_PROBE_SECONDS))
    if not outcome.succeeded:
        raise missing_tool(f"a C++ compiler that works ({path} does not answer)", "Install g++ or clang++ again")
    version = outcome.output.splitlines()[0] if outcome.output else path
    return Compiler(path, version, is_clang="clang" in version, linker_flags=_quick_linker(path))


def _quick_linker(compiler: str) -> tuple[str, ...]:
    """Prefer a linker that is quicker than the default: linking is a fifth of a small build."""
    for name in ("mold", "lld", "gold"):
        program = {"mold": "mold", "lld": "ld.lld", "gold": "ld.gold"}[name]
        if shutil.which(program) and _accepts_linker(compiler, name):
            return (f"-fuse-ld={name}",)
    return ()


def _accepts_linker(compiler: str, name: str) -> bool:
    outcome = run_process([compiler, f"-fuse-ld={name}", "-Wl,--version"], limits=ProcessLimits(seconds=_PROBE_SECONDS))
    return outcome.succeeded


@functools.cache
def _probe_nvcc(path: str) -> Compiler | None:
    outcome = run_process([path, "--version"], limits=ProcessLimits(seconds=_PROBE_SECONDS))
    lines = [line for line in outcome.output.splitlines() if "release" in line]
    return Compiler(path, lines[0].strip()) if outcome.succeeded and lines else None
