"""The samples of a contract: each mistake at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from opstudio.contract.operator import Sample
from opstudio.contract.toml_file import read_contract
from tests.support.contracts import INPUT, MARK, SAMPLES, assert_reported, contract_text, findings_of, write_contract

ATTRIBUTE = '[[attribute]]\nname = "a"\ntype = "float"\n'
CHOICE = '[[attribute]]\nname = "mode"\ntype = "string"\ndefault = "p"\nchoices = ["p", "q"]\n'
VARIADIC = INPUT + '[[input]]\nname = "w"\ntypes = ["float32"]\nvariadic = true\n'


def samples(changed: str, *, every: str = "") -> str:
    """Return three samples, the second of them as given."""
    return f"[samples]\nfirst = {{ x = [1, 1]{every} }}\n{changed}\nthird = {{ x = [0, 3]{every} }}\n"


MISTAKES: dict[str, tuple[dict[str, str], str, str]] = {
    "too few": (
        {"samples": f"[{MARK}samples]\nfirst = {{ x = [1, 1] }}\nsecond = {{ x = [2, 2] }}\n"},
        "CON004",
        "2 samples; many faults show only at extreme shapes",
    ),
    "none": ({"samples": f"[{MARK}samples]\n"}, "CON004", "0 samples"),
    "lacking an input": (
        {"samples": samples(f"{MARK}second = {{}}")},
        "CON003",
        "every sample gives a shape for each input, x has none Add x = [sizes]",
    ),
    "lacking an input, as a table of its own": (
        {"samples": SAMPLES, "more": f"[{MARK}samples.fourth]\n"},
        "CON003",
        "Add x = [sizes]",
    ),
    "lacking an attribute": (
        {"attributes": ATTRIBUTE, "samples": samples(f"{MARK}second = {{ x = [1, 2] }}", every=", a = 1")},
        "CON003",
        "attribute a has no default, so every sample must give it",
    ),
    "rank that does not fit": (
        {"samples": samples(f"second = {MARK}{{ x = [1, 2, 3] }}")},
        "CON004",
        "x has shape [1, 2, 3], the contract asks for [N, C]",
    ),
    "no list": ({"samples": samples(f"second = {{ x = {MARK}3 }}")}, "CON004", "3 is not a shape"),
    "negative size": ({"samples": samples(f"second = {{ x = {MARK}[2, -1] }}")}, "CON004", "[2, -1] is not a shape"),
    "fraction": ({"samples": samples(f"second = {{ x = {MARK}[2.0, 1] }}")}, "CON004", "[2.0, 1] is not a shape"),
    "truth value": ({"samples": samples(f"second = {{ x = {MARK}[true, 1] }}")}, "CON004", "is not a shape"),
    "more dimensions than tensors have": (
        {"samples": samples(f"second = {{ x = {MARK}[{', '.join('1' * 70)}] }}")},
        "CON004",
        "has 70 dimensions; PyTorch and NumPy compute with 64 at most",
    ),
    "list of shapes": ({"samples": samples(f"second = {{ x = {MARK}[[2, 1]] }}")}, "CON004", "[[2, 1]] is not a shape"),
    "one shape for a variadic input": (
        {"inputs": VARIADIC, "samples": samples(f"second = {{ x = [1, 1], w = {MARK}[2] }}", every=", w = []")},
        "CON004",
        "Write sizes from 0 up: w = [[2, 3], [2, 4]]",
    ),
    "value of another type": (
        {"attributes": ATTRIBUTE, "samples": samples(f'second = {{ x = [1, 2], a = {MARK}"1" }}', every=", a = 1")},
        "CON004",
        "'1' is not a number",
    ),
    "value outside of the choices": (
        {"attributes": CHOICE, "samples": samples(f'second = {{ x = [1, 2], mode = {MARK}"r" }}')},
        "CON004",
        "'r' is not one of the choices Choose one of p, q",
    ),
    "unknown name": (
        {"attributes": CHOICE, "samples": samples(f'second = {{ x = [1, 2], {MARK}mdoe = "q" }}')},
        "CON001",
        "mdoe is neither an input nor an attribute; did you mean mode?",
    ),
    "no table": (
        {"samples": samples(f"second = {MARK}[1, 2]")},
        "CON002",
        "a table",
    ),
    "size of more than memory": (
        {"samples": samples(f"second = {{ x = {MARK}[65536, 65536] }}")},
        "CON004",
        "[65536, 65536]",
    ),
    "size beyond any machine beside an empty one": (
        {"samples": samples(f"second = {{ x = {MARK}[0, 9223372036854775808] }}")},
        "CON004",
        "a size that does not fit into 64 bits",
    ),
    "attribute beyond 64 bits": (
        {
            "attributes": ATTRIBUTE.replace("float", "int"),
            "samples": samples(f"second = {{ x = [1, 2], a = {MARK}9223372036854775808 }}", every=", a = 1"),
        },
        "CON004",
        "9223372036854775808 does not fit into 64 bits",
    ),
    "size beyond any machine": (
        {"samples": samples(f"second = {{ x = {MARK}[1, 99999999999999999999] }}")},
        "CON004",
        "99999999999999999999",
    ),
}


@pytest.mark.parametrize(("sections", "number", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_that_a_mistake_in_a_sample_is_reported_alone_and_at_its_place(
    tmp_path: Path, sections: dict[str, str], number: str, words: str
) -> None:
    assert_reported(tmp_path, sections, number, words)


def test_that_a_sample_too_large_is_told_so(tmp_path: Path) -> None:
    sections = {"samples": samples(f"second = {{ x = {MARK}[65536, 65536] }}")}

    assert_reported(tmp_path, sections, "CON004", "elements")


def test_that_too_few_samples_with_tables_of_their_own_are_reported_at_the_first(tmp_path: Path) -> None:
    sections = {"samples": f"[{MARK}samples.only]\nx = [1, 1]\n"}

    assert_reported(tmp_path, sections, "CON004", "1 samples")


@pytest.mark.parametrize("size", [2**31, 0])
def test_that_the_largest_and_the_empty_sample_are_taken(tmp_path: Path, size: int) -> None:
    text = contract_text(samples=samples(f"second = {{ x = [1, {size}] }}"))

    contract = read_contract(write_contract(tmp_path, text))

    assert [1, size, 0] == [sample.element_count for sample in contract.samples]


def test_that_each_sample_of_a_broken_set_is_reported(tmp_path: Path) -> None:
    text = contract_text(samples="[samples]\n" + "".join(f"s{n} = {{ x = [{n}] }}\n" for n in range(4)))

    findings = findings_of(write_contract(tmp_path, text))

    first = text.splitlines().index("[samples]") + 2
    assert [(first + n, 6) for n in range(4)] == [(item.places[0].line, item.places[0].column) for item in findings]


def test_that_shapes_of_optional_and_variadic_inputs_arrive(tmp_path: Path) -> None:
    inputs = INPUT + "optional = true\n" + '[[input]]\nname = "w"\ntypes = ["int8"]\nvariadic = true\n'
    # An optional input in front of a variadic one is another matter; here only the samples are looked at.
    text = contract_text(inputs=inputs.replace("optional = true\n", ""), attributes=ATTRIBUTE).replace(
        SAMPLES,
        "[samples]\na = { x = [1, 1], w = [[], [2, 3]], a = 2 }\n"
        "b = { x = [1, 1], w = [], a = 0.5 }\nc = { x = [0, 0], w = [[1]], a = -1 }\n",
    )

    contract = read_contract(write_contract(tmp_path, text))

    assert Sample(name="a", shapes={"x": ((1, 1),), "w": ((), (2, 3))}, attributes={"a": 2.0}) == contract.samples[0]
    assert Sample(name="b", shapes={"x": ((1, 1),), "w": ()}, attributes={"a": 0.5}) == contract.samples[1]
    assert [sample.element_count for sample in contract.samples] == [1 + 1 + 6, 1, 1]
