"""Places as people read them."""

from __future__ import annotations

import pytest

from opstudio.base.finding import Place


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place(), ""),
        (Place(file="a.cpp"), "a.cpp"),
        (Place(file="a.cpp", line=3), "a.cpp:3"),
        (Place(file="a.cpp", line=3, column=7), "a.cpp:3:7"),
        (Place(node="n1"), "node n1"),
        (Place(file="m.onnx", node="n1", tensor="t"), "m.onnx, node n1, tensor t"),
        (Place(tensor="t"), "tensor t"),
    ],
)
def test_that_a_place_is_written_as_compilers_do(place: Place, text: str) -> None:
    assert text == str(place)
