"""The operator under check, inside a worker: its callable, its reference, its ONNX Runtime sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opstudio.checks.cases import Case, Shapes, arguments_of, as_tuple
from opstudio.checks.entries import load_entry
from opstudio.checks.reference_call import acceptance
from opstudio.contract.operator import AttributeValue, OperatorContract, Sample
from opstudio.worker.context import WorkerContext


@dataclass(slots=True)
class Subject:
    """All that a check may use.

    ``operator`` is the PyTorch operator (``None`` where it is not registered), ``library`` the ONNX Runtime operator
    library or ``None``.
    """

    context: WorkerContext
    contract: OperatorContract
    folder: Path
    operator: Any
    library: str | None
    expected: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    thrown_from: Callable[[], tuple[tuple[str, int], ...]] = field(default=lambda: ())
    set_guards: Callable[[bool, bool], None] = field(default=lambda _outputs, _inputs: None)

    def call(self, case: Case) -> tuple[Any, ...]:
        """Call the operator and return its outputs."""
        return as_tuple(self.operator(*case.arguments(self.contract)))

    def call_with(
        self, inputs: Mapping[str, tuple[Any, ...]], attributes: Mapping[str, AttributeValue]
    ) -> tuple[Any, ...]:
        """Call the operator with other tensors and return its outputs."""
        return as_tuple(self.operator(*arguments_of(self.contract, inputs, attributes)))

    def load_reference(self) -> Callable[..., Any]:
        """Import the reference function.

        Raises:
            InputError: the file cannot be imported or lacks the function.
        """
        return load_entry(self.folder, self.contract.reference)

    def accepts(self, sample: Sample, shapes: Shapes) -> bool:
        """Whether the reference takes a sample's values at other shapes.

        Raises:
            InputError: the reference cannot be loaded.
        """
        return acceptance(self.contract, self.load_reference())(sample, shapes)

    def progress(self, stage: str, label: str) -> None:
        """Say what comes next."""
        self.context.progress(f"{stage}: {label}")
