"""Whether the parts of a contract fit together: names, references, rules and samples."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import TomlDocument
from opstudio.base.toml_positions import TomlPath
from opstudio.contract.operator import Attribute, AttributeKind, Input, KernelKind, OperatorContract, Output
from opstudio.contract.sample_consistency import check_samples
from opstudio.contract.shape_consistency import check_shapes
from opstudio.contract.shape_syntax import Star


def check_consistency(contract: OperatorContract, document: TomlDocument) -> None:
    """Note every contradiction in the document, except of what is wrong itself."""
    # Names that are used twice come last: they are known all the same to those who look them up.
    for check in (check_shapes, _gradient, _kernel, _export, _arguments, _names):
        check(contract, document)
    if not any(document.doubts(section) for section in ("input", "attribute", "output")):
        _gradient_shapes(contract, document)
        check_samples(contract, document)


def _invalid(document: TomlDocument, path: TomlPath, cause: str, fix: str, *, title: str = "") -> None:
    document.report("CON004", path, title=title or f"{path[-1]} cannot be used", cause=cause, fix=fix, at_value=True)


def _names(contract: OperatorContract, document: TomlDocument) -> None:
    arguments = [item.name for item in contract.inputs] + [item.name for item in contract.attributes]
    everything = arguments + [item.name for item in contract.outputs]
    for name, count in Counter(everything).items():
        if name and count > 1:
            _invalid(
                document, _path_of(contract, name), f"{name} is used {count} times", "Give each of them its own name"
            )
    if not contract.inputs and not document.doubts("input"):
        _invalid(document, ("operator", "name"), "the operator has no [[input]]", "Add at least one input")
    if not contract.outputs and not document.doubts("output"):
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
        if seen_default and attribute.default is None and not document.doubts("attribute", index):
            _invalid(
                document,
                ("attribute", index, "name"),
                f"{attribute.name} has no default but stands behind one that has, which PyTorch refuses",
                "Move attributes without default to the front",
            )
        is_text = attribute.kind is AttributeKind.STRING
        if is_text and attribute.choices and attribute.default not in (None, *attribute.choices):
            _invalid(
                document,
                ("attribute", index, "default"),
                f"{attribute.default!r} is not one of the choices",
                f"Choose one of {', '.join(attribute.choices)}",
            )


def _gradient(contract: OperatorContract, document: TomlDocument) -> None:
    if contract.gradient is None or any(document.doubts(section, ..., "name") for section in ("input", "output")):
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
    if document.doubts("gradient"):
        return
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
    source = contract.type_source(name)
    shared = any(
        contract.output_rule(output).same_as == name and output.same_type_as == source for output in contract.outputs
    )
    return name in contract.gradient.saved or (shared and not item.optional and not item.variadic)


def _kernel(contract: OperatorContract, document: TomlDocument) -> None:
    for key in ("sources", "cuda", "onnxruntime"):
        for name in getattr(contract.kernel, key):
            _require_file(document, ("kernel", key), name)
    for key in ("reference", "model"):
        text: str | None = getattr(contract, key)
        if text and not document.doubts("kernel", key):
            _require_file(document, ("kernel", key), text.partition(":")[0])
    if contract.kernel.kind is KernelKind.NATIVE and not document.doubts("kernel", "kind"):
        for index, item in enumerate(contract.inputs):
            if item.mutable:
                _invalid(
                    document,
                    ("input", index, "mutable"),
                    "a native kernel writes its outputs only; an input that changes has no form in ONNX",
                    'Return it as an output, or use kind = "raw"',
                )


def _require_file(document: TomlDocument, path: TomlPath, name: str) -> None:
    folder = document.path.parent
    if not (folder / name).is_file():
        present = [file.name for file in folder.iterdir() if file.is_file()]
        cause = f"{name} is not in {folder}; {did_you_mean(name, present)}"
        _invalid(document, path, cause, "Correct the name or create the file")


def _export(contract: OperatorContract, document: TomlDocument) -> None:
    registration = contract.export.registration
    if registration and not (document.path.parent / registration).is_file():
        _invalid(document, ("export", "registration"), f"{registration} is not there", "Create the file")
    inputs = {item.name: item for item in contract.inputs}
    for name, axes in contract.export.dynamic.items():
        path: TomlPath = ("export", "dynamic", name)
        if document.doubts(*path) or document.doubts("input", ..., "name") or document.doubts("input", ..., "shape"):
            continue
        if contract.model:
            # The names and ranks of a model's inputs are known once it runs.
            _axes(None, axes, document, path)
        elif name in inputs:
            _axes(inputs[name], axes, document, path)
        else:
            cause = f"{name} is not an input; {did_you_mean(name, inputs)}"
            document.report("CON004", path, title=f"{name} cannot be dynamic", cause=cause, fix="Correct the name")


def _axes(item: Input | None, axes: Iterable[str], document: TomlDocument, path: TomlPath) -> None:
    for axis in axes:
        if not _AXIS.fullmatch(axis):
            _invalid(document, (*path, axis), f"{axis!r} is not an axis", 'Write axes as numbers: { 0 = "batch" }')
        elif item is not None and int(axis) >= _rank(item):
            title, cause = f"{item.name} has no axis {axis}", f"axis {axis} is not in its shape {item.shape}"
            document.report("CON004", (*path, axis), title=title, cause=cause, fix="Count axes from 0")


_AXIS = re.compile(r"[0-9]{1,2}")


def _rank(item: Input) -> float:
    """Return the number of dimensions of an input; any number where its pattern does not bound them."""
    if item.pattern is None or any(isinstance(part, Star) for part in item.pattern.elements):
        return math.inf
    return len(item.pattern.elements)
