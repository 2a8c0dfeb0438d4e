"""Types and shapes of the nodes that the TorchScript exporter writes: it infers nothing of a custom one itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opstudio.contract.operator import AttributeValue, OperatorContract, Output
from opstudio.contract.shape_evaluation import ShapeEnvironment, evaluate
from opstudio.contract.shape_syntax import Letter, Number, Star, letters_of


def set_output_type(
    contract: OperatorContract, output: Output, value: Any, inputs: list[list[Any]], attributes: Mapping[str, Any]
) -> None:
    """Give an output type and shape, without which everything behind the node has neither."""
    import torch

    known = {
        item.name: group[0].type()
        for item, group in zip(contract.inputs, inputs, strict=True)
        if group and _is_tensor(group[0])
    }
    like = known.get(output.same_type_as or "")
    data_type = getattr(torch, output.type.value) if output.type is not None else like.dtype() if like else None
    rule = contract.output_rule(output)
    # The type of an input that the output is like keeps the names of dimensions that vary.
    tensor_type = known.get(rule.same_as or "", torch._C.TensorType.get())  # noqa: SLF001 - no public form
    if rule.same_as is None:
        sizes = _output_sizes(contract, output, {name: item.varyingSizes() for name, item in known.items()}, attributes)
        tensor_type = tensor_type if sizes is None else tensor_type.with_sizes(sizes)
    value.setType(tensor_type if data_type is None else tensor_type.with_dtype(data_type))


def _is_tensor(value: Any) -> bool:
    """Whether a value of the graph is a tensor: an absent optional input is a value too, of type None."""
    return bool(value.type().kind() == "TensorType")


def _output_sizes(
    contract: OperatorContract,
    output: Output,
    known: Mapping[str, Sequence[int | None] | None],
    attributes: Mapping[str, Any],
) -> list[int | None] | None:
    """Return the sizes as far as they are known; ``None`` where even the rank is not."""
    rule = contract.output_rule(output)
    letters: dict[str, int | None] = {}
    stars: dict[str, list[int | None]] = {}
    for item in contract.inputs:
        sizes = known.get(item.name)
        if item.pattern is None or item.optional:
            continue  # rules use letters of required inputs only
        if sizes is None:
            return None
        _bind_partly(item.pattern.elements, list(sizes), letters, stars)
    plain: dict[str, AttributeValue] = {key: tuple(v) if isinstance(v, list) else v for key, v in attributes.items()}
    environment = ShapeEnvironment(plain, {name: size for name, size in letters.items() if size is not None})
    result: list[int | None] = []
    for element in rule.elements:
        if isinstance(element, Star):
            result += stars[element.name]
        elif all(name in environment.letters for name in letters_of(element)):
            result.append(evaluate(element, environment))
        else:
            result.append(None)
    return result


def _bind_partly(
    elements: tuple[Any, ...],
    sizes: list[int | None],
    letters: dict[str, int | None],
    stars: dict[str, list[int | None]],
) -> None:
    covered = len(sizes) - (len(elements) - 1)
    position = 0
    for element in elements:
        if isinstance(element, Star):
            stars.setdefault(element.name, sizes[position : position + covered])
            position += covered
            continue
        if isinstance(element, Letter) and letters.get(element.name) is None:
            letters[element.name] = sizes[position]
        assert isinstance(element, Letter | Number)
        position += 1
