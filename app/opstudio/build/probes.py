"""What backends ask of a machine before they plan."""

from __future__ import annotations

from opstudio.build.records import Availability, BuildRequest


def probe_compiler(request: BuildRequest) -> Availability:
    """Ask for a C++ compiler."""
    return Availability() if request.compiler else Availability(missing="a C++ compiler", fix="Install g++ or clang++")


def probe_torch(request: BuildRequest) -> Availability:
    """Ask for a C++ compiler and for PyTorch."""
    if request.torch is None:
        return Availability(missing="PyTorch", fix="Install torch into the workspace's Python")
    return probe_compiler(request)
