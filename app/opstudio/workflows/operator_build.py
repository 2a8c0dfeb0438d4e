"""Builds what an operator runs from: its own libraries, and the studio's hosts the first time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.names import did_you_mean
from opstudio.build.backends import (
    fault_recorder,
    kernel_header,
    native,
    onnxruntime_host,
    raw_onnxruntime,
    raw_torch,
    torch_host,
)
from opstudio.build.records import BuildRecord, Scope
from opstudio.contract.operator import KernelKind, OperatorContract
from opstudio.jobs.cancel import CancelToken
from opstudio.workflows.operators import LoadedOperator
from opstudio.workflows.studio import Studio, find_backends
from opstudio.workflows.support_builds import SupportBuilds


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltOperator:
    """What came of a build.

    ``libraries`` go by the names that workers know them by; they are complete when all ``records`` succeeded.
    ``identity`` changes with everything that was built from.
    """

    records: tuple[BuildRecord, ...]
    libraries: Mapping[str, Path]
    identity: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether all libraries are there."""
        return all(record.succeeded for record in self.records)

    @property
    def seconds(self) -> float:
        """What the operator's own sources took; hosts that were built on the way are not counted."""
        return sum(record.seconds for record in self.records)

    @property
    def cached(self) -> bool:
        """Whether the operator's own sources were built before."""
        return all(record.cached for record in self.records)


def build_operator(
    studio: Studio,
    operator: LoadedOperator,
    *,
    cancel: CancelToken,
    on_output: Callable[[str], None],
    support: SupportBuilds | None = None,
) -> BuiltOperator:
    """Build an operator's own sources, up to the first that a tool refuses, then its hosts, of which ``support`` hears.

    Raises:
        SetupError: a tool is missing, or the workspace cannot be written.
        ToolError: a host does not build.
        CancelledError: ``cancel`` was set.
    """
    records: list[BuildRecord] = []
    libraries: dict[str, Path] = {}
    identities: list[str] = []
    is_native = operator.contract.kernel.kind is KernelKind.NATIVE
    headers = _precompiled_headers(studio, cancel, on_output, support) if is_native else None
    for name, (backend, library) in own_libraries(operator.contract).items():
        result = studio.build(backend, operators=(operator,), headers=headers, cancel=cancel, on_output=on_output)
        records.append(result.record)
        if result.artifact is None:
            return BuiltOperator(records=tuple(records), libraries=libraries)
        libraries[name] = result.artifact.output(library)
        identities.append(result.artifact.identity)
    if is_native:
        for name, (backend, library) in _HOSTS.items():
            libraries[name] = studio.support_library(
                backend, library, cancel=cancel, on_output=on_output, support=support
            )
            identities.append(libraries[name].parent.name)
    return BuiltOperator(records=tuple(records), libraries=libraries, identity=" ".join(identities))


def build_with(studio: Studio, operator: LoadedOperator, backend_id: str, *, cancel: CancelToken) -> BuiltOperator:
    """Build an operator's sources with one backend, whatever its contract says.

    Raises:
        InputError: there is no such backend, or it does not build operators.
        SetupError: a tool is missing, or the workspace cannot be written.
        CancelledError: ``cancel`` was set.
    """
    known = [backend.id for backend in find_backends() if backend.scope is not Scope.SUPPORT]
    if backend_id not in known:
        raise InputError.of(
            f"There is no build backend {backend_id}",
            cause=did_you_mean(backend_id, known),
            fix=f"Choose one of {', '.join(known)}",
            stage="build",
        )
    result = studio.build(backend_id, operators=(operator,), cancel=cancel, on_output=lambda _text: None)
    libraries: dict[str, Path] = {}
    if result.artifact is not None:
        libraries = {name: result.artifact.output(name) for name in result.artifact.record.outputs}
    return BuiltOperator(records=(result.record,), libraries=libraries)


def build_fault_recorder(
    studio: Studio,
    *,
    cancel: CancelToken,
    on_output: Callable[[str], None],
    support: SupportBuilds | None = None,
) -> Path:
    """Return the library that tells where a kernel crashed.

    Raises:
        SetupError: a tool is missing, or the workspace cannot be written.
        ToolError: it does not build.
        CancelledError: ``cancel`` was set.
    """
    backend, library = fault_recorder.BACKEND.id, fault_recorder.LIBRARY
    return studio.support_library(backend, library, cancel=cancel, on_output=on_output, support=support)


def _precompiled_headers(
    studio: Studio, cancel: CancelToken, on_output: Callable[[str], None], support: SupportBuilds | None
) -> Path | None:
    """Return the folder of the precompiled kernel header; ``None`` where kernels read the header itself."""
    if studio.compiler.is_clang:
        return None
    result = studio.build(kernel_header.BACKEND.id, cancel=cancel, on_output=on_output, support=support)
    # Whatever a compiler does not like of the header, it says of the kernel as well.
    return None if result.artifact is None else result.artifact.output(kernel_header.FOLDER)


_HOSTS = {
    "torch_host": (torch_host.BACKEND.id, torch_host.LIBRARY),
    "onnxruntime_host": (onnxruntime_host.BACKEND.id, onnxruntime_host.LIBRARY),
}


def own_libraries(contract: OperatorContract) -> dict[str, tuple[str, str]]:
    """Return the libraries that an operator's own sources become: backend and file, by what workers call them."""
    if contract.kernel.kind is KernelKind.NATIVE:
        return {"kernel": (native.BACKEND.id, native.LIBRARY)}
    libraries = {"torch": (raw_torch.BACKEND.id, raw_torch.LIBRARY)}
    if contract.kernel.onnxruntime:
        libraries["onnxruntime"] = (raw_onnxruntime.BACKEND.id, raw_onnxruntime.LIBRARY)
    return libraries
