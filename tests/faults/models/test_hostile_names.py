"""Names near a mistyped one: the same as ``difflib`` finds, and found among as many as a hostile file holds."""

from __future__ import annotations

import difflib
import random
import time

import onnx.defs  # noqa: TID253 - a source of real names
import pytest

from opstudio.model.resolution.near_names import NearNames


def nearest_of_difflib(name: str, known: list[str]) -> tuple[str, ...]:
    """Return what ``difflib`` finds; of four to eight letters, more must agree."""
    folded = {item.casefold(): item for item in known}
    cutoff = 0.7 if 4 <= len(name.casefold()) <= 8 else 0.6
    return tuple(folded[found] for found in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=cutoff))


def mistyped(chance: random.Random, name: str) -> str:
    letters = list(name)
    for _ in range(chance.choice((0, 1, 2, 5))):
        place = chance.randrange(len(letters) + 1)
        letters[place : place + chance.choice((0, 1))] = chance.choice(("", "x", "ß", "É", "e", "Conv"))
    return "".join(letters)


@pytest.mark.parametrize("seed", range(4))
def test_that_the_nearest_operators_are_those_of_difflib(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    names = [schema.name for schema in onnx.defs.get_all_schemas()]
    near = NearNames(iter(names))
    for _ in range(150):
        name = mistyped(chance, chance.choice(names))
        assert near.nearest(name) == nearest_of_difflib(name, names), name


def test_that_the_nearest_values_are_those_of_difflib() -> None:
    chance = random.Random(5)  # noqa: S311 - no secret
    names = [f"/model/layers.{layer}/{part}_output_0" for layer in range(60) for part in ("Add", "Mul", "self_attn/Q")]
    near = NearNames(names)
    for _ in range(20):
        name = mistyped(chance, chance.choice(names))
        assert near.nearest(name) == nearest_of_difflib(name, names), name


def test_that_short_names_with_a_few_letters_in_common_are_not_near() -> None:
    names = [schema.name for schema in onnx.defs.get_all_schemas()]
    assert NearNames(names).nearest("DCNv2") == ()
    assert NearNames(names).nearest("Convv") == ("Conv",)
    assert "Mul" in NearNames(names).nearest("Mal")


def test_that_names_that_differ_in_case_alone_are_found_as_they_are_written() -> None:
    assert NearNames(["GridSample", "Relu"]).nearest("GRIDSAMPLE") == ("GridSample",)
    assert NearNames(["Relu", "", "x" * 60_000]).nearest("x" * 60_000) == ()


def test_that_thousands_of_names_are_searched_among_thousands_within_seconds() -> None:
    near = NearNames([f"layer.{number}.value" for number in range(20_000)])
    start = time.process_time()
    found = [near.nearest(f"missing.{number}.value") for number in range(20_000)]
    assert time.process_time() - start < 5
    # The first searches are made in full; later ones are left out.
    assert near.nearest("layer.19999.valeu") == () == found[-1]
    assert NearNames([f"layer.{number}.value" for number in range(20_000)]).nearest("layer.19999.valeu")[0] == (
        "layer.19999.value"
    )


def test_that_searching_among_no_names_takes_no_time() -> None:
    near = NearNames([])
    start = time.process_time()
    assert not any(near.nearest(f"gone.{number}") for number in range(500_000))
    assert time.process_time() - start < 3
