"""Shape patterns and rules of a contract: what they may name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.contracts import (
    INPUT,
    MARK,
    OUTPUT,
    SAMPLES,
    assert_reported,
    contract_text,
    findings_of,
    take_marks,
    write_contract,
)


def rule(text: str) -> str:
    """Return an output of that shape rule, marked at the rule."""
    quote = "'" if '"' in text else '"'
    return f'[[output]]\nname = "y"\nshape = {MARK}{quote}{text}{quote}\n'


def pattern(text: str, *, name: str = "x", mark: str = MARK, more: str = "") -> str:
    return f'[[input]]\nname = "{name}"\ntypes = ["float32"]\nshape = {mark}"{text}"\n{more}'


def attribute(kind: str, default: str) -> str:
    return f'[[attribute]]\nname = "a"\ntype = "{kind}"\ndefault = {default}\n'


MISTAKES: dict[str, tuple[dict[str, str], str]] = {
    "rule that does not parse": ({"outputs": rule("[N, C")}, "expected ], found the end at character 6: [N, C⟨here⟩"),
    "division of Python 2": ({"outputs": rule("[N / 2]")}, "use // (division that rounds down)"),
    "unknown function": ({"outputs": rule("[abs(N)]")}, "expected ], found ( at character 5: [abs⟨here⟩(N)]"),
    "pattern that does not parse": ({"inputs": pattern("[N,, C]")}, "at character 4: [N,⟨here⟩, C]"),
    "arithmetic in a pattern": ({"inputs": pattern("[N, C + 1]")}, "expected ], found + at character 7"),
    "two starred letters": ({"inputs": pattern("[*N, *C]")}, "a pattern may have one starred letter"),
    "unknown letter": ({"outputs": rule("[N, W]")}, "W is neither a dimension letter of an input nor an attribute"),
    "letter of another case": ({"outputs": rule("[N, c]")}, "did you mean C?"),
    "mistyped attribute": (
        {"attributes": attribute("int", "1").replace('"a"', '"stride"'), "outputs": rule("[N // stirde]")},
        "did you mean stride?",
    ),
    "input's name in a list": (
        {"outputs": rule("[x]")},
        "x is neither a dimension letter of an input nor an attribute",
    ),
    "unknown input": ({"outputs": rule("w")}, "expected [ or the name of an input, found w at character 1"),
    "unknown starred letter": ({"outputs": rule("[*D, C]")}, "*D is not a starred letter of an input; none is known"),
    "starred letter without its star": (
        {"inputs": pattern("[N, *D]", mark=""), "outputs": rule("[N, D]")},
        "D is neither a dimension letter of an input nor an attribute",
    ),
    "letter with a star in one place": (
        {
            "inputs": pattern("[N, C]") + pattern("[*N]", name="w", mark=""),
            "samples": SAMPLES.replace(" }", ", w = [1] }"),
        },
        "N is starred in one place only",
    ),
    "letter in a condition": (
        {"outputs": rule("[N if C > 1 else 1]")},
        "a condition may use attributes only, so that symbolic sizes survive export",
    ),
    "text compared with a letter": ({"outputs": rule("[N if C == 'a' else 1]")}, "C is not an attribute"),
    "length of a letter": ({"outputs": rule("[len(N)]")}, "N is not an attribute"),
}


@pytest.mark.parametrize(("sections", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_that_a_mistaken_shape_is_reported_alone_and_at_its_place(
    tmp_path: Path, sections: dict[str, str], words: str
) -> None:
    assert_reported(tmp_path, sections, "CON004", words)


def test_that_a_letter_with_a_star_in_one_place_is_reported_where_it_is_used(tmp_path: Path) -> None:
    inputs = (
        '[[input]]\nname = "x"\ntypes = ["float32"]\n' + pattern("[K]", name="v") + pattern("[*K]", name="w", mark="")
    )
    sections = {"inputs": inputs, "samples": SAMPLES.replace(" }", ", v = [1], w = [1] }")}

    assert_reported(tmp_path, sections, "CON004", "K is starred in one place only")


def test_that_every_mistaken_shape_is_reported(tmp_path: Path) -> None:
    outputs = "".join(f'[[output]]\nname = "y{n}"\nshape = "[Q{n}]"\n' for n in range(3))

    findings = findings_of(write_contract(tmp_path, contract_text(outputs=outputs)))

    assert [finding.cause[:2] for finding in findings] == ["Q0", "Q1", "Q2"]
    assert [finding.places[0].line for finding in findings] == [10, 13, 16]


GOOD_RULES = ["x", "[]", "[N, C]", "[C, N]", "[N + C * 2, 7]", "[N,]"]


@pytest.mark.parametrize("text", GOOD_RULES)
def test_that_a_rule_over_the_letters_of_the_inputs_is_fine(tmp_path: Path, text: str) -> None:
    assert findings_of(write_contract(tmp_path, contract_text(outputs=OUTPUT.replace('"x"', f'"{text}"')))) == ()


NEGATIVE = {
    "negative size": ("[N - 2]", "y = [N - 2] gives [-1]: a size is negative"),
    "division by zero": ("[N // (C - 1)]", "1 // 0: a divisor is zero"),
}


@pytest.mark.parametrize(("text", "words"), NEGATIVE.values(), ids=NEGATIVE.keys())
def test_that_a_rule_which_gives_no_shape_is_reported_at_the_sample(tmp_path: Path, text: str, words: str) -> None:
    samples = SAMPLES.replace("{ x = [1, 1] }", f"{MARK}{{ x = [1, 1] }}").replace("1, 64", "2, 64")

    assert_reported(tmp_path, {"outputs": rule(text).replace(MARK, ""), "samples": samples}, "CON004", words)


MISUSED_ATTRIBUTES = {
    "text as a number": ("string", '"1x"', "[N + a]"),
    "number with a fraction": ("float", "1.5", "[N + a]"),
    "list as a number": ("ints", "[1]", "[N + a]"),
    "length of a number": ("float", "1.5", "[len(a)]"),
    "length of a text": ("string", '"abc"', "[len(a)]"),
    "item of a number": ("int", "1", "[a[0]]"),
    "item with a fraction": ("floats", "[1.5]", "[a[0]]"),
    "text that is compared with a number": ("string", '"x"', "[N if a == 1 else 2]"),
    "text as a flag": ("string", '"x"', "[N if a else 2]"),
    "number that is compared with a text": ("int", "1", "[N if a == 'x' else 2]"),
}


@pytest.mark.parametrize(("kind", "default", "text"), MISUSED_ATTRIBUTES.values(), ids=MISUSED_ATTRIBUTES.keys())
def test_that_a_rule_which_misuses_an_attribute_is_refused_at_the_rule(
    tmp_path: Path, kind: str, default: str, text: str
) -> None:
    assert_reported(tmp_path, {"attributes": attribute(kind, default), "outputs": rule(text)}, "CON004", "a ")


def with_second_input(text: str, more: str, samples: str = SAMPLES) -> dict[str, str]:
    """Return a contract whose rule needs an input ``w`` that a call may leave out."""
    letter = "*K" if "*" in text else "K"
    return {
        "inputs": INPUT + pattern(f"[{letter}]", name="w", mark="", more=more),
        "outputs": OUTPUT.replace('"x"', f'{MARK}"{text}"'),
        "samples": samples,
    }


@pytest.mark.parametrize("text", ["[N, K]", "[N, *K]", "w"])
def test_that_a_rule_which_needs_an_optional_input_is_refused_at_the_rule(tmp_path: Path, text: str) -> None:
    sections = with_second_input(text, "optional = true\n")

    assert_reported(tmp_path, sections, "CON004", "is known only when an optional input is given")


def test_that_a_letter_that_a_required_input_binds_as_well_is_never_lost(tmp_path: Path) -> None:
    inputs = INPUT + pattern("[C]", name="w", mark="", more="optional = true\n")

    assert (
        findings_of(write_contract(tmp_path, contract_text(inputs=inputs, outputs=OUTPUT.replace('"x"', '"[C]"'))))
        == ()
    )


@pytest.mark.parametrize("text", ["[N, K]", "w"])
def test_that_a_rule_which_needs_a_tensor_of_an_empty_variadic_input_is_reported(tmp_path: Path, text: str) -> None:
    sections = with_second_input(text, "variadic = true\n", SAMPLES.replace(" }", ", w = [] }"))
    plain, _ = take_marks(contract_text(**sections))

    assert {"CON004"} == {finding.id for finding in findings_of(write_contract(tmp_path, plain))}


def test_that_a_number_beyond_64_bits_is_refused(tmp_path: Path) -> None:
    assert_reported(tmp_path, {"outputs": rule("[N, 9223372036854775808]")}, "CON004", "9223372036854775808")


@pytest.mark.parametrize("sections", [{"inputs": pattern("N" * 40_000)}, {"outputs": rule("[" + "N" * 40_000)}])
def test_that_an_endless_text_is_repeated_only_around_the_mistake(tmp_path: Path, sections: dict[str, str]) -> None:
    text, _ = take_marks(contract_text(**sections))

    findings = findings_of(write_contract(tmp_path / "op", text))

    assert [finding.id for finding in findings if "⟨here⟩" in finding.cause] == ["CON004"]
    assert max(len(finding.cause) for finding in findings) < 400
