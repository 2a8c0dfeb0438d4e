"""Whether the samples of a contract are enough, and fit its shapes and choices."""

from __future__ import annotations

from opstudio.base.toml_document import TomlDocument
from opstudio.base.toml_positions import TomlPath
from opstudio.contract.operator import OperatorContract, Sample
from opstudio.contract.shape_evaluation import ShapeMismatchError, infer_output_shapes

LEAST_SAMPLES = 3
"""Bugs hide in extreme shapes, so a contract has a single element, a typical and an extreme sample at least."""


def check_samples(contract: OperatorContract, document: TomlDocument) -> None:
    """Note every sample that contradicts the contract; the inputs, attributes and outputs must be good."""
    for sample in contract.samples:
        if not document.doubts("samples", sample.name):
            _check_sample(contract, sample, document)
    if len(contract.samples) < LEAST_SAMPLES and not document.doubts("samples"):
        _invalid(
            document,
            ("samples",),
            f"{len(contract.samples)} samples; many faults show only at extreme shapes",
            f"Give {LEAST_SAMPLES} at least: a single element, a typical and an extreme one",
        )


def _check_sample(contract: OperatorContract, sample: Sample, document: TomlDocument) -> None:
    path: TomlPath = ("samples", sample.name)
    for attribute in contract.attributes:
        value = sample.attributes.get(attribute.name)
        if attribute.choices and value not in (None, *attribute.choices):
            _invalid(
                document,
                (*path, attribute.name),
                f"{value!r} is not one of the choices",
                f"Choose one of {', '.join(attribute.choices)}",
            )
    try:
        infer_output_shapes(contract, sample.shapes, contract.complete_attributes(sample.attributes))
    except ShapeMismatchError as error:
        _invalid(document, path, str(error), "Correct the sample or the shape rule")


def _invalid(document: TomlDocument, path: TomlPath, cause: str, fix: str) -> None:
    document.report("CON004", path, title=f"{path[-1]} cannot be used", cause=cause, fix=fix, at_value=True)
