"""Whether results that differ are right in another order of the axes: of an input, of an output or of both.

It is asked in the failing case only, and of small cases. An order explains nothing unless it explains every one of
them, those that are right included, at enough elements to be no accident.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from opstudio.base.errors import StudioError
from opstudio.checks.cases import Case
from opstudio.checks.reference_call import run_reference
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer
from opstudio.parity.arrays import to_numpy
from opstudio.parity.axis_order import (
    RANKS,
    AxisOrder,
    AxisOrderSearch,
    SearchOutcome,
    Side,
    all_orders,
    common_orders,
    inverse,
    is_line,
    read_as,
    written_as,
)
from opstudio.parity.comparison import compare

_MOST_ELEMENTS = 1 << 17
"""Larger tensors are not looked at: each order costs a run of the reference."""
_MOST_CASES = 4
"""The most wrong cases that are looked at, and the most right ones."""
_FEW = 1 << 10
"""So many elements are compared before all are: most orders end there."""
_LEAST_ELEMENTS = 8
"""The fewest elements that an order must move for being told."""

Outputs = tuple[Any, ...]
Run = Callable[[Case], Outputs]
"""What computes the results that differ."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A case with what came out and what should have."""

    case: Case
    value: Outputs
    expected: Outputs


def find_axis_orders(
    subject: Subject,
    stage: str,
    cases: Iterable[tuple[Case, Outputs, bool]],
    run: Run,
    layer: Layer,
) -> AxisOrderSearch:
    """Look for orders of axes that explain what differs from the reference.

    Args:
        subject: the operator.
        stage: the stage that asks.
        cases: each case with what the reference returned, and whether the result was good.
        run: computes the results once more.
        layer: whose tolerance counts.
    """
    search = _Search(subject=subject, stage=stage, layer=layer)
    try:
        wrong, right = _choose(cases)
        if not wrong:
            return _cannot_tell("every case that differs is too large to be computed in other orders")
        search.load()
        return search.look([_Seen(case, run(case), expected) for case, expected in (*wrong, *right)], len(wrong))
    except StudioError as error:
        return _cannot_tell(error.findings[0].title)
    except Exception as error:  # noqa: BLE001 - whatever an operator raises at its second call
        return _cannot_tell(f"a second call raised {type(error).__name__}")


def _cannot_tell(reason: str, cases: tuple[str, ...] = ()) -> AxisOrderSearch:
    return AxisOrderSearch(outcome=SearchOutcome.CANNOT_TELL, reason=reason, cases=cases)


_Chosen = list[tuple[Case, Outputs]]


def _choose(cases: Iterable[tuple[Case, Outputs, bool]]) -> tuple[_Chosen, _Chosen]:
    """Return small wrong cases and small right ones, those of different samples first, the smallest before others.

    All orders are tried on the first: the wrong values of most kernels are told from an order at a few elements.
    """
    chosen: dict[bool, _Chosen] = {False: [], True: []}
    for case, expected, good in cases:
        if _size(case, expected) <= _MOST_ELEMENTS:
            chosen[good].append((case, expected))
    return _spread(chosen[False]), _spread(chosen[True])


def _spread(cases: _Chosen) -> _Chosen:
    first = {case.sample: case.name for case, _ in reversed(cases)}
    by_size = sorted(cases, key=lambda item: (first[item[0].sample] != item[0].name, _size(*item)))
    return by_size[:_MOST_CASES]


def _size(case: Case, expected: Outputs) -> int:
    """Return how many elements the largest tensor has."""
    tensors = itertools.chain(itertools.chain.from_iterable(case.inputs.values()), expected)
    return max((math.prod(tensor.shape) for tensor in tensors), default=0)


def _few(tensors: Outputs) -> Outputs:
    return tuple(tensor.reshape(-1)[:: max(tensor.numel() // _FEW, 1)] for tensor in tensors)


class _Search:
    """One search."""

    def __init__(self, *, subject: Subject, stage: str, layer: Layer) -> None:
        self._subject = subject
        self._stage = stage
        self._layer = layer
        self._reference: Any = None
        self._results: dict[tuple[str, str, tuple[int, ...], bool], Outputs | None] = {}

    def load(self) -> None:
        """Import the reference."""
        self._reference = self._subject.load_reference()

    def look(self, seen: list[_Seen], wrong: int) -> AxisOrderSearch:
        """Try all orders on the first case, and those that explain it on the others."""
        names = tuple(item.case.name for item in seen)
        if all(self._is_line(item) for item in seen[:wrong]):
            return _cannot_tell("a wrong sign, factor or offset explains the values as well", names)
        orders: list[AxisOrder] = []
        moved: dict[AxisOrder, int] = {}
        for order in self._orders(seen[0].case):
            image = self._image(order, seen[0])
            if image is not None and self._agrees(seen[0].value, image, seen[0].case):
                orders.append(order)
                moved[order] = self._differences(image, seen[0].expected, seen[0].case)
        for index, item in enumerate(seen[1:], start=1):
            orders = [order for order in orders if self._explains(order, item, moved, is_wrong=index < wrong)]
        if not orders:
            return AxisOrderSearch(outcome=SearchOutcome.NOT_EXPLAINED, cases=names)
        told = tuple(order for order in orders if moved[order] >= _LEAST_ELEMENTS)
        if not told:
            return _cannot_tell("too few elements differ to tell an order from an accident", names)
        return AxisOrderSearch(outcome=SearchOutcome.EXPLAINED, orders=told, cases=names)

    def _explains(self, order: AxisOrder, seen: _Seen, moved: dict[AxisOrder, int], *, is_wrong: bool) -> bool:
        """Whether an order explains another case as well; what it moves there is added up."""
        image = self._image(order, seen)
        if image is None:
            return not is_wrong  # nothing speaks against it where it does not apply
        moved[order] += self._differences(image, seen.expected, seen.case)
        return self._agrees(seen.value, image, seen.case)

    def _orders(self, case: Case) -> Iterator[AxisOrder]:
        """Yield what may be assumed: first of the outputs, which costs nothing, then of the inputs."""
        for output, axes, is_memory in itertools.product(
            self._subject.contract.outputs, [axes for rank in RANKS for axes in all_orders(rank)], (True, False)
        ):
            yield AxisOrder(side=Side.OUTPUT, tensor=output.name, axes=axes, is_memory=is_memory)
        for name, group in case.inputs.items():
            if len(group) == 1:
                for axes, is_memory, side in itertools.product(
                    common_orders(group[0].dim()), (True, False), (Side.INPUT, Side.BOTH)
                ):
                    yield AxisOrder(side=side, tensor=name, axes=axes, is_memory=is_memory)

    def _image(self, order: AxisOrder, seen: _Seen) -> Outputs | None:
        """Return what would come out if an order were assumed, ``None`` where it does not apply."""
        if order.side is Side.OUTPUT:
            return self._output_image(order, seen)
        group = seen.case.inputs[order.tensor]
        if len(group) != 1 or group[0].dim() != len(order.axes):
            return None
        turned = read_as(group[0], order.axes) if order.is_memory else group[0].permute(order.axes).contiguous()
        results = self._run_reference(order, seen.case, turned)
        if results is None or order.side is Side.INPUT:
            return results
        return tuple(self._back(order, result) for result in results)

    def _back(self, order: AxisOrder, result: Any) -> Any:
        """Return an output as it lies where the input's order is assumed for it as well."""
        if result.dim() != len(order.axes):
            return result
        if order.is_memory:
            return written_as(result, order.axes)
        return result.permute(inverse(order.axes))

    def _output_image(self, order: AxisOrder, seen: _Seen) -> Outputs | None:
        index = [output.name for output in self._subject.contract.outputs].index(order.tensor)
        expected = seen.expected[index]
        if expected.dim() != len(order.axes):
            return None
        turned = written_as(expected, order.axes) if order.is_memory else expected.permute(order.axes)
        return (*seen.expected[:index], turned, *seen.expected[index + 1 :])

    def _run_reference(self, order: AxisOrder, case: Case, tensor: Any) -> Outputs | None:
        key = (case.name, order.tensor, order.axes, order.is_memory)
        if key not in self._results:
            self._subject.progress(self._stage, f"{case.name}, {order.tensor} in the order {list(order.axes)}")
            inputs = {**case.inputs, order.tensor: (tensor,)}
            turned = Case(case.name, case.sample, case.types, inputs, case.attributes)
            try:
                self._results[key] = run_reference(self._subject.contract, self._reference, turned)
            except Exception:  # noqa: BLE001 - a reference may refuse other shapes with anything
                self._results[key] = None
        return self._results[key]

    def _compare(self, value: Outputs, other: Outputs, case: Case) -> Iterator[tuple[bool, int]]:
        contract = self._subject.contract
        for output, ours, theirs in zip(contract.outputs, value, other, strict=True):
            tolerance = contract.tolerance(self._layer, contract.output_type(output, case.types))
            comparison = compare(to_numpy(ours), to_numpy(theirs), tolerance)
            yield comparison.agrees, comparison.mismatches

    def _agrees(self, value: Outputs, image: Outputs, case: Case) -> bool:
        if any(ours.shape != theirs.shape for ours, theirs in zip(value, image, strict=True)):
            return False
        if any(count for _, count in self._compare(_few(value), _few(image), case)):
            return False
        return all(agrees for agrees, _ in self._compare(value, image, case))

    def _differences(self, image: Outputs, expected: Outputs, case: Case) -> int:
        """Return how many elements an order changes."""
        return sum(count for _, count in self._compare(image, expected, case))

    def _is_line(self, seen: _Seen) -> bool:
        contract = self._subject.contract
        return all(
            is_line(
                to_numpy(value),
                to_numpy(expected),
                contract.tolerance(self._layer, contract.output_type(output, seen.case.types)),
            )
            for output, value, expected in zip(contract.outputs, seen.value, seen.expected, strict=True)
        )
