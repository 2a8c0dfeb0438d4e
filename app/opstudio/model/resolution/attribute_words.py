"""The words that attributes of standard operators take, by the opset from which each is taken.

Attributes of which ONNX Runtime passes over a wrong word in silence are left out: no finding tells of them.
Source: the descriptions of these attributes in ONNX's definitions of operators; ONNX Runtime 1.32, asked with models of
one node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_Words = Mapping[str, int]
"""Words, each with the first opset that has it."""


def _of(first: int, *words: str, **later: int) -> _Words:
    return {**dict.fromkeys(words, first), **later}


_AUTO_PAD = {"auto_pad": _of(1, "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")}
_DIRECTION = {"direction": _of(1, "forward", "reverse", "bidirectional")}
_PADDED = ["AveragePool", "Conv", "ConvInteger", "ConvTranspose", "LpPool", "MaxPool", "QLinearConv"]

_TABLE: Mapping[str, Mapping[str, _Words]] = {
    **dict.fromkeys(_PADDED, _AUTO_PAD),
    **dict.fromkeys(("GRU", "LSTM", "RNN"), _DIRECTION),
    "BitShift": {"direction": _of(11, "LEFT", "RIGHT")},
    "DepthToSpace": {"mode": _of(11, "DCR", "CRD")},
    "GridSample": {
        "mode": _of(16, "nearest", bilinear=16, bicubic=16, linear=20, cubic=20),
        "padding_mode": _of(16, "zeros", "border", "reflection"),
    },
    "Pad": {"mode": _of(1, "constant", "reflect", "edge", wrap=19)},
    "Resize": {
        "mode": _of(10, "nearest", "linear", cubic=11),
        "nearest_mode": _of(11, "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
        "coordinate_transformation_mode": _of(
            11,
            *("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"),
            "tf_half_pixel_for_nn",
            half_pixel_symmetric=19,
        ),
        "keep_aspect_ratio_policy": _of(18, "stretch", "not_larger", "not_smaller"),
    },
    "RoiAlign": {"mode": _of(10, "avg", "max")},
    "TfIdfVectorizer": {"mode": _of(9, "TF", "IDF", "TFIDF")},
    "Upsample": {"mode": _of(7, "nearest", "linear")},
}
_GONE: Mapping[tuple[str, str], Mapping[str, int]] = {
    ("GridSample", "mode"): {"bilinear": 20, "bicubic": 20},
    ("Resize", "coordinate_transformation_mode"): {"tf_half_pixel_for_nn": 13},
}
"""Words by the opset that does not have them any more."""
_MAY_BE_EMPTY = ("auto_pad", "nearest_mode")
"""Attributes for which the runtime takes an empty word as none."""


def operators_with_words() -> Mapping[str, Sequence[str]]:
    """Return the standard operators whose attributes take certain words, with these attributes."""
    return {operator: tuple(attributes) for operator, attributes in _TABLE.items()}


def words_of(operator: str, attribute: str, opset: int) -> tuple[str, ...]:
    """Return the words that an attribute of a standard operator takes; none where it is not known or takes any."""
    gone = _GONE.get((operator, attribute), {})
    known = _TABLE.get(operator, {}).get(attribute, {})
    return tuple(word for word, since in known.items() if since <= opset < gone.get(word, opset + 1))


def is_wrong_word(operator: str, attribute: str, opset: int, written: str) -> bool:
    """Whether an attribute takes certain words, and ``written`` is none of them."""
    words = words_of(operator, attribute, opset)
    return bool(words) and written not in words and not (written == "" and attribute in _MAY_BE_EMPTY)


def word_meant(written: str, words: Sequence[str]) -> str | None:
    """Return the word that was mistyped as ``written``; ``None`` where none is near, or more than one.

    Near are words of other capitals, and those at most two letters away: one letter, in words of up to four.
    """
    near = [word for word in words if _distance(written.casefold(), word.casefold()) <= _allowed(word)]
    same = [word for word in near if word.casefold() == written.casefold()]
    found = same or near
    return found[0] if len(found) == 1 else None


_SHORT = 4


def _allowed(word: str) -> int:
    return 1 if len(word) <= _SHORT else 2


def _distance(first: str, second: str) -> int:
    """Return how many letters must be changed, added or taken away, or exchanged with their neighbour."""
    before: list[int] = []
    above = list(range(len(second) + 1))
    for row, letter in enumerate(first, start=1):
        line = [row]
        for column, other in enumerate(second, start=1):
            best = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and (letter, first[row - 2]) == (second[column - 2], other):
                best = min(best, before[column - 2] + 1)
            line.append(best)
        before, above = above, line
    return above[-1]
