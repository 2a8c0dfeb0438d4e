"""What is found out of the open model in the background: who implements its nodes, made ready for all panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.jobs.cancel import CancelToken
from opstudio.model.diagram.records import Marks, ScopePath
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.contracts import KnownContract
from opstudio.model.runtime.shared_library import read_shared_library
from opstudio.qt.models.node_rows import NodeRows
from opstudio.workflows.graph import GraphReport, examine_model_file
from opstudio.workflows.graph_marks import marks_of
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A report, and the marks of the graph that was looked at when it was asked for.

    ``findings`` are those of files that are no libraries, then those of the report.
    """

    report: GraphReport
    findings: tuple[Finding, ...]
    scope: ScopePath
    marks: Marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What is asked. ``contracts`` are read when it is done, on its thread."""

    model: ModelRecord
    nodes: NodeRows | None
    scope: ScopePath
    libraries: Sequence[Path]
    contracts: Callable[[], Sequence[KnownContract]]

    def run(self, knowledge: RuntimeKnowledge, cancel: CancelToken) -> Examined:
        """Hold the model against what can be used of the libraries.

        Raises:
            SetupError, ToolError: the runtime cannot be asked.
            CancelledError: ``cancel`` was set.
        """
        cancel.check()
        usable, refused = [], list[Finding]()
        for library in self.libraries:
            try:
                read_shared_library(library)
                usable.append(library)
            except InputError as error:
                # A file that is no library, or gone, must not hide what is known without it.
                refused.extend(error.findings)
        report = examine_model_file(self.model, knowledge, cancel, libraries=usable, contracts=self.contracts())
        if self.nodes is not None:
            self.nodes.answers(report.evidence.nodes)  # kept there until panels ask
        return Examined(
            report=report,
            findings=(*refused, *report.findings),
            scope=self.scope,
            marks=marks_of(report, self.scope),
        )
