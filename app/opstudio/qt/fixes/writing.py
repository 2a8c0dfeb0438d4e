"""A new file with fixes, as the window has it written: what must be asked first, and which step is under way."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.contracts import KnownContract
from opstudio.workflows.fix import FixedModel, apply_fixes
from opstudio.workflows.fix_target import OutputOrder, check_output
from opstudio.workflows.fix_trial import Trial, try_changed_model
from opstudio.workflows.graph import GraphReport, examine_model_file
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge


class OutputQuestion(enum.Enum):
    """What a person must say before a file is written."""

    REPLACE = enum.auto()
    """There is a file already."""
    COPY_WEIGHTS = enum.auto()
    """Weights lie beside the original, and would not be found from the new place."""


class WritingStep(enum.Enum):
    """What is under way."""

    EXAMINING = enum.auto()
    """The original is read and held against the runtime."""
    FIXING = enum.auto()
    """A fix was made, and what came of it is held against the runtime."""
    TRYING = enum.auto()
    """The new file is tried beside the original."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The step, and for a fix its number, counted from one."""

    step: WritingStep
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FixOrder:
    """What to do with a model: fixes by their ids, in their order, and where to write.

    ``libraries`` are those that it needs, ``contracts`` reads what the workspace says of its operators.
    """

    model: Path
    ids: tuple[str, ...]
    libraries: tuple[Path, ...]
    contracts: Callable[[], Sequence[KnownContract]]
    python: str
    output: OutputOrder


def write_fixed(
    order: FixOrder, knowledge: RuntimeKnowledge, cancel: CancelToken, tell: Callable[[Progress], None]
) -> FixedModel | OutputQuestion:
    """Write a new file with fixes, or return what must be asked first; errors are those of ``apply_fixes``."""
    question = question_about(read_model(order.model), order.output)
    if question is not None:
        return question
    contracts, examined = order.contracts(), 0

    def examine(model: ModelRecord) -> GraphReport:
        nonlocal examined
        step = WritingStep.FIXING if examined else WritingStep.EXAMINING
        tell(Progress(step=step, number=examined))
        examined += 1
        return examine_model_file(model, knowledge, cancel, libraries=order.libraries, contracts=contracts)

    def try_model(original: Path, changed: Path, providers: Sequence[str]) -> Trial:
        tell(Progress(step=WritingStep.TRYING))
        return try_changed_model(
            order.python, original, changed, cancel, libraries=order.libraries, providers=providers
        )

    return apply_fixes(order.model, order.ids, order.output, examine, try_model, cancel)


def question_about(model: ModelRecord, order: OutputOrder) -> OutputQuestion | None:
    """Return what must be asked before a changed model is written.

    Raises:
        InputError: it cannot be written there, whatever the answer.
    """
    forced = dataclasses.replace(order, force=True)
    question = None
    try:
        check_output(model, forced)
    except InputError:
        if order.copy_weights:
            raise
        check_output(model, dataclasses.replace(forced, copy_weights=True))
        question = OutputQuestion.COPY_WEIGHTS
    return OutputQuestion.REPLACE if order.path.exists() and not order.force else question
