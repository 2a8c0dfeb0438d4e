"""Operators loaded into this very process, as a worker loads them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from opstudio.checks.loading import load_subject
from opstudio.checks.subject import Subject
from opstudio.jobs.cancel import CancelToken
from opstudio.worker.context import WorkerContext
from opstudio.worker.fault_page import FaultPage
from opstudio.workflows.operator_build import build_operator
from opstudio.workflows.operators import load_operator
from opstudio.workflows.studio import Studio
from opstudio.workspace.folder import open_workspace


@dataclass(frozen=True)
class LoadedOperators:
    """The subjects by name, and the operator library that ONNX Runtime is given."""

    subjects: dict[str, Subject]
    library: str


def load_operators(root: Path) -> LoadedOperators:
    """Build and load every operator of a workspace."""
    workspace = open_workspace(root)
    subjects: dict[str, Subject] = {}
    with Studio(workspace) as studio:
        for folder in workspace.operators():
            operator = load_operator(workspace, folder)
            built = build_operator(studio, operator, cancel=CancelToken(), on_output=lambda _text: None)
            assert built.succeeded, built.records
            context = WorkerContext(os.open(os.devnull, os.O_WRONLY), FaultPage())
            libraries = {name: str(path) for name, path in built.libraries.items()}
            subject = load_subject(context, operator.contract, folder.path, libraries, fault_recorder=None)
            subject.set_guards(False, False)
            subjects[folder.name] = subject
    library = next(iter(subjects.values())).library
    assert library is not None
    return LoadedOperators(subjects, library)
