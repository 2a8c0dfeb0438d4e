"""Whether the parts of a contract fit together: names, references, rules and samples."""

from __future__ import annotations

from collections import Counter

from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import TomlDocument
from opstudio.base.toml_positions import TomlPath
from opstudio.contract.operator import Attribute, Input, KernelKind, OperatorContract, Output
from opstudio.contract.shape_consistency import check_shapes
from opstudio.contract.shape_evaluation import ShapeMismatchError, infer_output_shapes

LEAST_SAMPLES = 3
"""Bugs hide in extreme shapes, so a contract has a single element, a typical and an extreme sample at least."""


def check_consistency(contract: OperatorContract, document: TomlDocument) -> None:
    """Note every contradiction in the document."""
    for check in (_names, _arguments, check_shapes, _gradient, _kernel, _export):
        check(contract, document)
    if not document.problems:
        _gradient_shapes(contract, document)
        _samples(contract, document)


def _invalid(document: TomlDocument, path: TomlPath, cause: str, fix: str, *, title: str = "") -> None:
    document.report("CON004", path, title=title or f"{path[-1]} cannot be used", cause=cause, fix=fix, at_value=True)


def _names(contract: OperatorContract, document: TomlDocument) -> None:
    arguments = [item.name for item in contract.inputs] + [item.name for item in contract.attributes]
    everything = arguments + [item.name for item in contract.outputs]
    for name, count in Counter(everything).items():
        if count > 1:
            _invalid(
                document, _path_of(contract, name), f"{name} is used {count} times", "Give each of them its own name"
            )
    if not contract.inputs:
        _invalid(document, ("operator", "name"), "the operator has no [[input]]", "Add at least one input")
    if not contract.outputs:
        _invalid(document, ("operator", "name"), "the operator has no [[output]]", "Add at least one output")


def _path_of(contract: OperatorContract, name: str) -> TomlPath:
    """Return the path of the last argument or output of that name."""
    groups: tuple[tuple[str, tuple[Input | Attribute | Output, ...]], ...] = (
        ("output", contract.outputs),
        ("attribute", contract.attributes),
        ("input", contract.inputs),
    )
    for kind, items in groups:
        for index, item in reversed(list(enumerate(items))):
            if item.name == name:
                return (kind, index, "name")
    return ("operator", "name")


def _arguments(contract: OperatorContract, document: TomlDocument) -> None:
    for index, item in enumerate(contract.inputs):
        if item.variadic and index != len(contract.inputs) - 1:
            _invalid(
                document, ("input", index, "variadic"), "only the last input may be variadic", "Move it to the end"
            )
        if item.variadic and item.optional:
            _invalid(document, ("input", index, "optional"), "a variadic input cannot be optional", "Remove optional")
        if item.optional and any(not later.optional for later in contract.inputs[index + 1 :]):
            _invalid(
                document,
                ("input", index, "optional"),
                "required inputs stand behind this optional one",
                "Move optional inputs to the end",
            )
    seen_default = False
    for index, attribute in enumerate(contract.attributes):
        seen_default = seen_default or attribute.default is not None
        if seen_default and attribute.default is None:
            _invalid(
                document,
                ("attribute", index, "name"),
                f"{attribute.name} has no default but stands behind one that has, which PyTorch refuses",
                "Move attributes without default to the front",
            )
        if attribute.choices and attribute.default is not None and attribute.default not in attribute.choices:
            _invalid(
                document,
                ("attribute", index, "default"),
                f"{attribute.default!r} is not one of the choices",
                f"Choose one of {', '.join(attribute.choices)}",
            )


def _gradient(contract: OperatorContract, document: TomlDocument) -> None:
    if contract.gradient is None:
        return
    inputs = [item.name for item in contract.inputs]
    tensors = inputs + [item.name for item in contract.outputs]
    for key, names, known in (
        ("inputs", contract.gradient.inputs, inputs),
        ("saved", contract.gradient.saved, tensors),
    ):
        for name in names:
            if name not in known:
                _invalid(
                    document,
                    ("gradient", key),
                    f"{name} is not known here; {did_you_mean(name, known)}",
                    "Correct the name",
                )


def _gradient_shapes(contract: OperatorContract, document: TomlDocument) -> None:
    for name in contract.gradient.inputs if contract.gradient else ():
        if not _gradient_shape_is_known(contract, name):
            _invalid(
                document,
                ("gradient", "saved"),
                f"the gradient of {name} has the shape of {name}, which is neither saved nor that of an output",
                f'Save it: saved = ["{name}", …]',
            )


def _gradient_shape_is_known(contract: OperatorContract, name: str) -> bool:
    """Whether the backward operator can tell the shape of an input's gradient from its arguments."""
    assert contract.gradient is not None
    item = next(item for item in contract.inputs if item.name == name)
    shared = any(
        contract.output_rule(output).same_as == name and output.same_type_as == name for output in contract.outputs
    )
    return name in contract.gradient.saved or (shared and not item.optional and not item.variadic)


def _kernel(contract: OperatorContract, document: TomlDocument) -> None:
    folder = document.path.parent
    for key in ("sources", "cuda", "onnxruntime"):
        for name in getattr(contract.kernel, key):
            if not (folder / name).is_file():
                present = [path.name for path in folder.iterdir() if path.is_file()]
                _invalid(
                    document,
                    ("kernel", key),
                    f"{name} is not in {folder}; {did_you_mean(name, present)}",
                    "Correct the name or create the file",
                )
    for key in ("reference", "model"):
        text: str | None = getattr(contract, key)
        if text and not (folder / text.partition(":")[0]).is_file():
            _invalid(document, ("kernel", key), f"{text.partition(':')[0]} is not in {folder}", "Create the file")
    if contract.kernel.kind is KernelKind.NATIVE:
        for index, item in enumerate(contract.inputs):
            if item.mutable:
                _invalid(
                    document,
                    ("input", index, "mutable"),
                    "a native kernel writes its outputs only; an input that changes has no form in ONNX",
                    'Return it as an output, or use kind = "raw"',
                )


def _export(contract: OperatorContract, document: TomlDocument) -> None:
    registration = contract.export.registration
    if registration and not (document.path.parent / registration).is_file():
        _invalid(document, ("export", "registration"), f"{registration} is not there", "Create the file")
    for name, axes in contract.export.dynamic.items():
        for axis in axes:
            if not axis.isdecimal():
                _invalid(
                    document,
                    ("export", "dynamic", name, axis),
                    f"{axis!r} is not an axis",
                    'Write axes as numbers: { 0 = "batch" }',
                )


def _samples(contract: OperatorContract, document: TomlDocument) -> None:
    if len(contract.samples) < LEAST_SAMPLES:
        _invalid(
            document,
            ("samples",),
            f"{len(contract.samples)} samples; many faults show only at extreme shapes",
            f"Give {LEAST_SAMPLES} at least: a single element, a typical and an extreme one",
        )
    for sample in contract.samples:
        try:
            infer_output_shapes(contract, sample.shapes, contract.complete_attributes(sample.attributes))
        except ShapeMismatchError as error:
            _invalid(document, ("samples", sample.name), str(error), "Correct the sample or the shape rule")
        for attribute in contract.attributes:
            value = sample.attributes.get(attribute.name)
            if attribute.choices and value is not None and value not in attribute.choices:
                _invalid(
                    document,
                    ("samples", sample.name, attribute.name),
                    f"{value!r} is not one of the choices",
                    f"Choose one of {', '.join(attribute.choices)}",
                )
