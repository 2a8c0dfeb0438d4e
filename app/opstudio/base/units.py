"""Quantities as text: three significant digits and a unit."""

from __future__ import annotations

_TIME_STEPS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTE_STEPS = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def render_seconds(seconds: float) -> str:
    """Render a duration, for example ``1.24 ms``."""
    for size, unit in _TIME_STEPS:
        if _rounded(abs(seconds) / size) >= 1:
            return f"{_three_digits(seconds / size)} {unit}"
    return "0 s" if seconds == 0 else f"{_three_digits(seconds / 1e-9)} ns"


def render_bytes(count: int) -> str:
    """Render a number of bytes, for example ``12.0 MiB``."""
    for size, unit in _BYTE_STEPS:
        if _rounded(abs(count) / size) >= 1:
            return f"{_three_digits(count / size)} {unit}"
    return f"{count} B"


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _three_digits(value: float) -> str:
    # Rounding comes first: 9.996 has one digit before the point, 10.0 two.
    magnitude = _rounded(abs(value))
    digits = 2 if magnitude < 10 else 1 if magnitude < 100 else 0  # noqa: PLR2004 - powers of ten
    return f"{value:.{digits}f}"
