"""The flags that everything is compiled with, and why.

Hidden visibility and no unique symbols: without them a second build of a library may silently use statics of the
first. No fast mathematics: at link time it changes how the whole process rounds. Line tables, so that a crash can be
told by its line.
"""

from __future__ import annotations

from pathlib import Path

from opstudio.base.assets import asset_root
from opstudio.build.toolchain import Compiler, FrameworkBuild

KERNEL_STANDARD = "-std=c++17"
TORCH_STANDARD = "-std=c++20"
"""What PyTorch 2.13 asks for."""

REFUSED_FLAGS = ("-ffast-math", "-Ofast", "-funsafe-math-optimizations")


def library_flags(compiler: Compiler) -> tuple[str, ...]:
    """Return the flags of every shared library."""
    unique = () if compiler.is_clang else ("-fno-gnu-unique",)
    return ("-O3", "-g1", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden", *unique, "-Wall", "-Wextra")


def native_kernel_flags(compiler: Compiler) -> tuple[str, ...]:
    """Return the flags of every framework-free kernel and of the header that is precompiled for them."""
    # gcc moves throws into a section for cold code, where it loses their lines.
    throws = () if compiler.is_clang else ("-fno-reorder-blocks-and-partition",)
    return (
        KERNEL_STANDARD,
        *library_flags(compiler),
        f"-I{kernel_include()}",
        "-DOPSTUDIO_RECORD_THROWS",
        *throws,
    )


def include_flags() -> tuple[str, ...]:
    """Return where the kernel header and the hosts' headers are."""
    return (f"-I{kernel_include()}", f"-I{asset_root('plugins') / 'include'}")


def kernel_include() -> Path:
    """Return the folder of the kernel header."""
    return asset_root("kernels") / "include"


def torch_compile_flags(torch: FrameworkBuild) -> tuple[str, ...]:
    """Return what compiling against PyTorch takes; its ABI is read from the running one, never assumed."""
    includes = tuple(f"-isystem{folder}" for folder in torch.include_folders)
    return (TORCH_STANDARD, f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.cxx11_abi)}", *includes)


def torch_parallel_flags(compiler: Compiler) -> tuple[str, ...]:
    """Return what makes ``at::parallel_for`` run in parallel: a template, it is a plain loop where OpenMP is off.

    For compiling only. Linked with it, a library would bring an OpenMP runtime of its own beside PyTorch's, with other
    threads; what it calls is found in the runtime that PyTorch has loaded. Clang calls another runtime's functions.
    """
    return () if compiler.is_clang else ("-fopenmp",)


def torch_link_flags(torch: FrameworkBuild) -> tuple[str, ...]:
    """Return what linking against PyTorch takes."""
    return (f"-L{torch.library_folder}", "-lc10", "-ltorch_cpu", "-ltorch")
