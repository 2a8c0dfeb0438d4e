"""What the values of a tensor are like: their range, their moments, how many are zero or not finite, a histogram.

The tensor is read twice, block by block: the histogram needs the range first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.element_values import Values
from opstudio.model.graph.records import (
    ModelRecord,
)
from opstudio.model.graph.tensor_records import (
    TensorRecord,
)
from opstudio.model.graph.tensor_values import value_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorStatistics:
    """Statistics of the values of a tensor; of complex ones those of their absolute values.

    Range, mean, standard deviation (of the whole, not of a sample) and histogram are of the finite values; the first
    four are ``None`` where there are none. ``histogram`` counts values in parts of equal width from ``minimum`` to
    ``maximum``, the last one with its upper end.
    """

    count: int
    minimum: float | None
    maximum: float | None
    mean: float | None
    standard_deviation: float | None
    zeros: int
    nans: int
    positive_infinities: int
    negative_infinities: int
    histogram: tuple[int, ...]


def tensor_statistics(
    model: ModelRecord, tensor: TensorRecord, *, bins: int = 64, cancel: CancelToken | None = None
) -> TensorStatistics:
    """Read all values of a tensor of numbers and return their statistics.

    Raises:
        InputError: the values cannot be read.
        CancelledError: ``cancel`` was set.
    """
    moments = _Moments()
    for block in value_blocks(model, tensor):
        if cancel is not None:
            cancel.check()
        moments.add(_real(block))
    counts = np.zeros(bins, dtype=np.int64)
    if moments.finite:
        for block in value_blocks(model, tensor):
            if cancel is not None:
                cancel.check()
            counts += _histogram(_real(block), moments.minimum, moments.maximum, bins)
    return moments.statistics(tuple(int(count) for count in counts))


class _Moments:
    """Counts and moments that blocks are added to.

    Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
    """

    def __init__(self) -> None:
        self.count = self.finite = self.zeros = self.nans = self.positive = self.negative = 0
        self.minimum = math.inf
        self.maximum = -math.inf
        self._mean = 0.0
        self._squares = 0.0

    def add(self, values: Values) -> None:
        self.count += len(values)
        self.zeros += int(np.count_nonzero(values == 0))
        is_finite = np.isfinite(values)
        if not is_finite.all():
            self.nans += int(np.count_nonzero(np.isnan(values)))
            self.positive += int(np.count_nonzero(values == np.inf))
            self.negative += int(np.count_nonzero(values == -np.inf))
            values = values[is_finite]
        if not len(values):
            return
        self.minimum = min(self.minimum, values.min().item())
        self.maximum = max(self.maximum, values.max().item())
        numbers = values.astype(np.float64)
        # Values near the largest float64 overflow in sums and squares: the moments are then infinite, not wrong.
        with np.errstate(over="ignore", invalid="ignore"):
            mean = float(numbers.mean())
            squares = float(np.square(numbers - mean).sum())
            total = self.finite + len(numbers)
            change = mean - self._mean
            self._squares += squares + change * change * self.finite * len(numbers) / total
            self._mean += change * len(numbers) / total
        self.finite = total

    def statistics(self, histogram: tuple[int, ...]) -> TensorStatistics:
        found = self.finite > 0
        return TensorStatistics(
            count=self.count,
            minimum=self.minimum if found else None,
            maximum=self.maximum if found else None,
            mean=self._mean if found else None,
            standard_deviation=math.sqrt(self._squares / self.finite) if found else None,
            zeros=self.zeros,
            nans=self.nans,
            positive_infinities=self.positive,
            negative_infinities=self.negative,
            histogram=histogram,
        )


def _real(values: Values) -> Values:
    if values.dtype == np.bool_:
        return values.astype(np.uint8)
    return np.abs(values) if np.iscomplexobj(values) else values


def _histogram(values: Values, minimum: float, maximum: float, bins: int) -> npt.NDArray[np.int64]:
    # Halved, so that the width of the range is finite for every float64.
    numbers = values[np.isfinite(values)].astype(np.float64) / 2
    low, width = minimum / 2, maximum / 2 - minimum / 2
    if width <= 0:
        places = np.zeros(len(numbers), dtype=np.int64)
    else:
        places = np.minimum(((numbers - low) / width * bins).astype(np.int64), bins - 1)
    return np.bincount(places, minlength=bins)
