"""The release of operators: one extension, one runtime library and one wheel for each domain, free of the studio.

What is released passes the same checks as what is developed, on the very libraries that are given away. ``dist``
changes only when all of it is good.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.files import cannot_write, write_atomic
from opstudio.base.finding import Finding, Place
from opstudio.build.backends import onnxruntime_release, torch_release
from opstudio.build.codegen.source_tree import onnxruntime_tree, package_name, project_files, torch_tree
from opstudio.build.records import BuildRecord, BuildResult
from opstudio.build.release_trial import ReleaseTrial, try_release
from opstudio.build.wheel import WheelContent, write_wheel
from opstudio.contract.history import publish
from opstudio.contract.operator import KernelKind
from opstudio.diagnosis.engine import diagnose
from opstudio.jobs.events import OutputWritten, StageFinished, StageStarted, StageState, Verdict
from opstudio.jobs.lanes import JobContext
from opstudio.workflows.check import CheckOptions, OperatorReport, check_operator
from opstudio.workflows.check_run import FinishedLibraries
from opstudio.workflows.operators import LoadedOperator, load_operator
from opstudio.workflows.studio import Studio
from opstudio.workspace.folder import DIST_FOLDER, OperatorFolder

LABEL = "release"
_FROM_SOURCES = ("cuda", "sanitizer")
"""Stages that compile the sources anew; they say nothing about finished libraries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainRelease:
    """What came of one domain. ``folder`` and ``files`` are empty where a check was bad and nothing was written."""

    domain: str
    version: int
    operators: tuple[OperatorReport, ...]
    findings: tuple[Finding, ...] = ()
    folder: Path | None = None
    files: tuple[Path, ...] = ()

    @property
    def good(self) -> bool:
        """Whether it was released."""
        return self.folder is not None


def release(studio: Studio, folders: Sequence[OperatorFolder], job: JobContext) -> tuple[DomainRelease, ...]:
    """Build, check and write the releases of all domains that the operators belong to.

    Raises:
        InputError: a contract is wrong, or an operator cannot be released.
        SetupError: a tool is missing, or the workspace cannot be written.
        CancelledError: the job was cancelled; ``dist`` holds what it held.
    """
    domains: dict[str, list[LoadedOperator]] = {}
    operators = [load_operator(studio.workspace, folder) for folder in folders]
    _require_native(operators)
    for operator in operators:
        domains.setdefault(operator.contract.domain, []).append(operator)
    return tuple(_DomainRelease(studio, operators, job).run() for operators in domains.values())


def _require_native(operators: Sequence[LoadedOperator]) -> None:
    """Refuse operators that register themselves.

    Raises:
        InputError: there are some; it says which of the others can be released, and how.
    """
    raw = [operator for operator in operators if operator.contract.kernel.kind is not KernelKind.NATIVE]
    if not raw:
        return
    others = " ".join(operator.name for operator in operators if operator not in raw)
    ways = f"Release the others: opstudio build {others} --release" if others else "Give away its own libraries"
    raise InputError(
        [
            Finding(
                id=InputError.id,
                stage="release",
                title=f"{operator.name} cannot be released",
                cause="it is a raw operator: its sources register it themselves, so that nothing is generated for it",
                fix=f'{ways}, or turn it into a native kernel: [kernel] kind = "native"',
                places=(Place(file=operator.rule_context("release").relative(str(operator.folder.contract_path))),),
            )
            for operator in raw
        ]
    )


class _DomainRelease:
    """The release of one domain."""

    def __init__(self, studio: Studio, operators: list[LoadedOperator], job: JobContext) -> None:
        self._studio = studio
        self._operators = operators
        self._job = job
        self._domain = operators[0].contract.domain
        self._version = max(operator.contract.version for operator in operators)
        self._findings: list[Finding] = []

    def run(self) -> DomainRelease:
        """Build, load, check; then write."""
        results = {
            "torch": self._build(torch_release.BACKEND.id),
            "onnxruntime": self._build(onnxruntime_release.BACKEND.id),
        }
        names = {
            "torch": torch_release.library_name(self._domain),
            "onnxruntime": onnxruntime_release.library_name(self._domain),
        }
        libraries = {
            name: result.artifact.output(names[name]) for name, result in results.items() if result.artifact is not None
        }
        if len(libraries) < len(results) or not self._load(libraries):
            return self._ended(())
        record = _joined(tuple(result.record for result in results.values()))
        given = FinishedLibraries(label=LABEL, libraries=libraries, record=record)
        options = CheckOptions(skip=_FROM_SOURCES)
        reports = tuple(
            check_operator(self._studio, operator.folder, options, self._job, given) for operator in self._operators
        )
        if not all(report.verdict is Verdict.GOOD for report in reports):
            return self._ended(reports)
        folder = self._write(libraries)
        for operator in self._operators:
            publish(operator.folder.path, operator.contract)
        files = tuple(sorted(path for path in folder.iterdir() if path.is_file()))
        return self._ended(reports, folder=folder, files=files)

    def _ended(
        self, reports: tuple[OperatorReport, ...], *, folder: Path | None = None, files: tuple[Path, ...] = ()
    ) -> DomainRelease:
        return DomainRelease(
            domain=self._domain,
            version=self._version,
            operators=reports,
            findings=tuple(self._findings),
            folder=folder,
            files=files,
        )

    def _build(self, backend: str) -> BuildResult:
        self._start(backend)
        result = self._studio.build(
            backend,
            operators=tuple(self._operators),
            cancel=self._job.cancel,
            on_output=lambda text: self._job.emit(OutputWritten(operator=self._label, source=backend, text=text)),
        )
        self._finish(backend, result.record, result.record.seconds, cached=result.record.cached)
        return result

    def _load(self, libraries: Mapping[str, Path]) -> bool:
        self._start("load")
        start = time.monotonic()
        trial = try_release(self._studio.python, libraries, self._job.cancel)
        self._finish("load", trial, time.monotonic() - start)
        return trial.good

    @property
    def _label(self) -> str:
        return f"{self._domain}@{LABEL}"

    def _start(self, stage: str) -> None:
        self._job.emit(StageStarted(operator=self._label, stage=stage))

    def _finish(
        self, stage: str, evidence: BuildRecord | ReleaseTrial, seconds: float, *, cached: bool = False
    ) -> None:
        findings = diagnose(evidence, self._operators[0].rule_context(stage))
        self._findings += findings
        self._job.emit(
            StageFinished(
                operator=self._label,
                stage=stage,
                state=StageState.GOOD if evidence.good else StageState.BAD,
                seconds=seconds,
                cached=cached,
                summary=evidence.summary if evidence.good else findings[0].title,
                findings=findings,
            )
        )

    def _write(self, libraries: Mapping[str, Path]) -> Path:
        """Write the folder of the domain: made beside the old one, then put in its place.

        Raises:
            SetupError: it cannot be written.
        """
        root = self._studio.workspace.root / DIST_FOLDER
        try:
            root.mkdir(exist_ok=True)
            fresh = Path(tempfile.mkdtemp(prefix=f".{self._domain}-", dir=root))
        except OSError as error:
            raise cannot_write(root, error) from error
        try:
            self._fill(fresh, libraries)
            return _put_in_place(fresh, root / self._domain)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _fill(self, folder: Path, libraries: Mapping[str, Path]) -> None:
        sources = [operator.sources for operator in self._operators]
        torch = self._studio.frameworks()["torch"].partition("+")[0]
        version = f"{self._version}.0"
        project = project_files(sources, torch_version=torch, version=version)
        for name, text in {**torch_tree(sources), **onnxruntime_tree(sources), **project}.items():
            write_atomic(folder / "source" / name, text)
        package = package_name(self._domain)
        contents = {library.name: library.read_bytes() for library in libraries.values()}
        for name, data in contents.items():
            write_atomic(folder / name, data)
        operators = ", ".join(operator.contract.name for operator in self._operators)
        wheel = WheelContent(
            name=package,
            version=f"{version}+torch{torch}",
            summary=f"The operators {operators} of {self._domain} for PyTorch and ONNX Runtime",
            requires=(f"torch=={torch}",),
            description=project["README.md"],
            files={
                f"{package}/__init__.py": project[f"{package}/__init__.py"].encode("utf-8"),
                **{f"{package}/{name}": data for name, data in contents.items()},
            },
        )
        write_wheel(folder, wheel)


def _put_in_place(fresh: Path, target: Path) -> Path:
    """Exchange two folders; the old one is kept until the new one stands."""
    old = fresh.with_name(f"{fresh.name}-old")
    try:
        fresh.chmod(0o755)  # temporary folders are private
        if target.exists():
            target.rename(old)
        fresh.rename(target)
    except OSError as error:
        if old.exists() and not target.exists():
            old.rename(target)
        raise cannot_write(target, error) from error
    shutil.rmtree(old, ignore_errors=True)
    return target


def _joined(records: tuple[BuildRecord, ...]) -> BuildRecord:
    """Return what the builds of a release came to as one record."""
    return BuildRecord(
        backend=LABEL,
        succeeded=all(record.succeeded for record in records),
        cached=all(record.cached for record in records),
        seconds=sum(record.seconds for record in records),
        commands=tuple(command for record in records for command in record.commands),
        artifact=" ".join(record.artifact for record in records),
    )
