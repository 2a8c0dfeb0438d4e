"""What all verbs on one workspace share: its workers, its stores and its tools. Opened once, closed at the end."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from opstudio.base.discovery import discover
from opstudio.base.errors import SetupError, ToolError
from opstudio.base.files import cannot_write
from opstudio.base.finding import Finding
from opstudio.base.user_folders import cache_folder
from opstudio.build import backends
from opstudio.build.records import BuildBackend, BuildRequest, BuildResult, Scope
from opstudio.build.runner import execute
from opstudio.build.toolchain import Compiler, FrameworkBuild, find_cxx
from opstudio.jobs.cancel import CancelToken
from opstudio.worker.pool import WorkerPool
from opstudio.workflows.framework_versions import recall_versions, remember_versions
from opstudio.workflows.operators import LoadedOperator
from opstudio.workflows.support_builds import SharedBuilds, SupportBuilds
from opstudio.workspace.artifact_store import ArtifactStore
from opstudio.workspace.folder import Workspace
from opstudio.workspace.result_store import ResultStore
from opstudio.workspace.trust import Trust

WARM_UP_ENTRIES = ("opstudio.checks.warm_up:import_modules", "opstudio.checks.warm_up:run_small_checks")
FRAMEWORKS = ("numpy", "torch", "onnx", "onnxruntime")
_VERSIONS = ("python", *FRAMEWORKS, "torch_root", "torch_cxx11_abi", "torch_cuda", "python_include")


_LEAST_ROOM = 16 * 2**20
"""Bytes: what the studio's own libraries and the precompiled header take, measured with g++ 12."""


class Studio:
    """A workspace at work. Use from any thread; close it, or use it as a context manager."""

    def __init__(self, workspace: Workspace, *, warm: bool = False, trust: Trust | None = None) -> None:
        """Open a workspace; ``warm`` prepares its worker for many runs.

        Whatever builds or runs something of a workspace needs a studio: this is the one place that asks for trust.

        Raises:
            SetupError: the workspace cannot be written.
            UntrustedError: the user did not say yet that it may be built and run; nothing was.
        """
        workspace.require_writable()
        self.trust = Trust.of_user() if trust is None else trust
        self.trust.require(workspace.root)
        self.workspace = workspace
        self.is_warm = warm
        self.artifacts = ArtifactStore(workspace.state)
        self._shared_artifacts = _artifacts_of_person()
        self.results = ResultStore(workspace.state)
        self.arrays = workspace.state / "arrays"
        self.python = workspace.settings.python or sys.executable
        # Frameworks keep caches in the person's home, ONNX Runtime even an identifier of the machine: not from here.
        cache = workspace.state / "cache"
        environment = {
            "TORCHINDUCTOR_CACHE_DIR": str(cache / "torchinductor"),
            **os.environ,
            "XDG_CACHE_HOME": str(cache),
        }
        self._shared = SharedBuilds()
        self.workers = WorkerPool(self.python, environment=environment, warm=WARM_UP_ENTRIES if warm else ())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers and what is still built."""
        self.workers.close()
        self._shared.close()

    @functools.cached_property
    def compiler(self) -> Compiler:
        """The C++ compiler of the workspace.

        Raises:
            SetupError: there is none.
        """
        return find_cxx(self.workspace.settings.compiler)

    def frameworks(self) -> Mapping[str, str]:
        """Return the versions that results depend on; the worker is started only where they are not known already.

        Raises:
            SetupError: the worker cannot be started, or a framework is missing.
        """
        versions = self.workers.versions() if self.is_warm else self._remembered_versions
        if missing := [name for name in FRAMEWORKS if name not in versions]:
            raise SetupError.of(
                f"The workspace's Python lacks {', '.join(missing)}",
                cause=f"{self.python} cannot import {', '.join(missing)}",
                fix=f"Install: pip install {' '.join(missing)}, or name another interpreter in [environment] python",
            )
        return {name: versions[name] for name in _VERSIONS}

    @functools.cached_property
    def _remembered_versions(self) -> Mapping[str, str]:
        file = self.workspace.state / "frameworks.json"
        versions = recall_versions(file, self.python)
        if versions is None:
            versions = self.workers.versions()
            if all(name in versions for name in FRAMEWORKS):
                remember_versions(file, self.python, versions)
        return versions

    def confirm_frameworks(self) -> None:
        """Start the worker and see that it is what results are kept under.

        Raises:
            SetupError: the worker cannot be started, or is another one than was remembered.
        """
        versions = self.workers.versions()
        known = versions if self.is_warm else self._remembered_versions
        if changed := [name for name in _VERSIONS if known.get(name) != versions.get(name)]:
            remember_versions(self.workspace.state / "frameworks.json", self.python, versions)
            raise SetupError.of(
                "The workspace's Python is another one than before",
                cause=f"{', '.join(changed)} changed behind the studio's back",
                fix="Start again: what changed is known now",
            )

    def torch_build(self) -> FrameworkBuild:
        """Return what building against the workspace's PyTorch takes.

        Raises:
            SetupError: the worker cannot be started, or PyTorch is missing.
        """
        versions = self.frameworks()
        return FrameworkBuild(
            version=versions["torch"],
            root=Path(versions["torch_root"]),
            cxx11_abi=versions["torch_cxx11_abi"] == "1",
            cuda=versions["torch_cuda"] or None,
            python_include=Path(versions["python_include"]),
        )

    def build(  # noqa: PLR0913 - the parts of a build
        self,
        backend_id: str,
        *,
        cancel: CancelToken,
        on_output: Callable[[str], None],
        operators: tuple[LoadedOperator, ...] = (),
        objects: tuple[Path, ...] = (),
        headers: Path | None = None,
        support: SupportBuilds | None = None,
    ) -> BuildResult:
        """Build with one backend; ``support`` hears of it where it is something of the studio's own.

        Raises:
            SetupError: a tool is missing, or the workspace cannot be written.
            CancelledError: ``cancel`` was set.
        """
        backend = find_backend(backend_id)
        request = BuildRequest(
            operators=tuple(operator.sources for operator in operators),
            compiler=self.compiler,
            torch=self.torch_build() if backend.needs_torch else None,
            flags=self.workspace.settings.flags,
            objects=objects,
            headers=headers,
        )
        available = backend.probe(request)
        if available.missing:
            raise SetupError.of(
                f"{backend.title} cannot be built without {available.missing}",
                cause=f"{available.missing} was not found",
                fix=available.fix,
                stage="build",
            )
        plan = backend.plan(request)
        # What is made of the studio's own sources alone is the same in every workspace.
        shared = self._shared_artifacts if backend.scope is Scope.SUPPORT and not (operators or objects) else None
        if support is None:
            return execute(plan, self.artifacts, cancel=cancel, on_output=on_output, shared=shared)
        with support.building() as heard:

            def run(closing: CancelToken, write: Callable[[str], None]) -> BuildResult:
                def begin() -> None:
                    heard.begin()
                    write(f"{backend.title}:\n")
                    for step in plan.steps:
                        write(f"{shlex.join(step.command)}\n")

                return execute(plan, self.artifacts, cancel=closing, on_output=write, on_start=begin, shared=shared)

            # It may outlive this verb; whoever waits for it then is told what its tools print.
            return self._shared.run(backend_id, run, cancel, on_output=on_output, on_wait=heard.wait)

    def support_library(
        self,
        backend_id: str,
        library: str,
        *,
        cancel: CancelToken,
        on_output: Callable[[str], None],
        support: SupportBuilds | None = None,
    ) -> Path:
        """Return a library of the studio's own, built the first time.

        Raises:
            SetupError: a tool is missing, or the disk is full.
            ToolError: the compiler refuses, which is a fault of the studio or of the compiler.
        """
        result = self.build(backend_id, cancel=cancel, on_output=on_output, support=support)
        if result.artifact is None:
            # Tools that run out of room die in many ways, and blame themselves.
            state = self.workspace.state
            if not state.is_dir():
                raise cannot_write(state, OSError(errno.ENOENT, os.strerror(errno.ENOENT)))
            if shutil.disk_usage(state).free < _LEAST_ROOM:
                raise cannot_write(state, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
            first = result.record.diagnostics[0].message if result.record.diagnostics else result.record.output[-500:]
            raise ToolError(
                Finding(
                    id="STU004",
                    stage="build",
                    title=f"The studio's own {library} does not build",
                    cause=first,
                    fix="Check the compiler with opstudio doctor; PyTorch 2.13 needs g++ 11 or clang 14 at least",
                    evidence={"commands": list(result.record.commands), "output": result.record.output},
                )
            )
        return result.artifact.output(library)


def _artifacts_of_person() -> ArtifactStore | None:
    """Return the store of the studio's own libraries for all workspaces, unless the person has no home."""
    with contextlib.suppress(RuntimeError):
        return ArtifactStore(cache_folder())
    return None


@functools.cache
def find_backends() -> tuple[BuildBackend, ...]:
    """Return all build backends."""
    found = discover(backends.__name__, "BACKEND", BuildBackend)
    assert not found.broken, found.broken
    return found.manifests


def find_backend(backend_id: str) -> BuildBackend:
    """Return the backend of that id."""
    return next(backend for backend in find_backends() if backend.id == backend_id)


def worker_threads() -> int:
    """Return how many threads a worker computes with: all processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
