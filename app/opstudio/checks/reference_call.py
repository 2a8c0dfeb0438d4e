"""Calling the reference: in float64, rounded once."""

from __future__ import annotations

from typing import Any

from opstudio.checks.cases import Accepts, Case, Shapes, as_tuple, make_case, round_attributes, torch_type
from opstudio.contract.operator import OperatorContract, Sample


def run_reference(contract: OperatorContract, reference: Any, case: Case) -> tuple[Any, ...]:
    """Run the reference in float64 and round its results to the types of the contract."""
    import torch

    raised = {
        name: tuple(tensor.to(torch.float64) if tensor.is_floating_point() else tensor for tensor in group)
        for name, group in case.inputs.items()
    }
    arguments = Case(case.name, case.sample, case.types, raised, round_attributes(contract, case.attributes)).arguments(
        contract
    )
    results = as_tuple(reference(*arguments))
    if len(results) != len(contract.outputs):
        message = f"the reference returns {len(results)} tensors, the contract has {len(contract.outputs)} outputs"
        raise ValueError(message)
    return tuple(
        result.to(torch_type(contract.output_type(output, case.types)))
        for output, result in zip(contract.outputs, results, strict=True)
    )


def acceptance(contract: OperatorContract, reference: Any) -> Accepts:
    """Return a test of shapes that runs the reference on them; what it refuses is no fault of the kernel."""

    def accepts(sample: Sample, shapes: Shapes) -> bool:
        case = make_case(contract, sample, shapes, next(contract.type_combinations()))
        try:
            run_reference(contract, reference, case)
        except Exception:  # noqa: BLE001 - a reference may refuse with anything
            return False
        return True

    return accepts
