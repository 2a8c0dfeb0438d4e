"""Whether the parts of a contract fit together: each contradiction at its place."""

from __future__ import annotations

import keyword
from pathlib import Path

import pytest

from tests.support.contracts import (
    INPUT,
    KERNEL,
    MARK,
    OPERATOR,
    OUTPUT,
    SAMPLES,
    assert_reported,
    contract_text,
    findings_of,
    position_of,
    take_marks,
    write_contract,
)


def second_input(name: str, more: str = "") -> str:
    return f'[[input]]\nname = {name}\ntypes = ["float32"]\n{more}'


def attribute(name: str, kind: str, more: str = "") -> str:
    return f'[[attribute]]\nname = {name}\ntype = "{kind}"\n{more}'


SAMPLES_WITH_W = SAMPLES.replace(" }", ", w = [1] }")

CONTRADICTIONS: dict[str, tuple[dict[str, str], str]] = {
    "two inputs of one name": (
        {"inputs": INPUT + second_input(f'{MARK}"x"')},
        "x is used 2 times",
    ),
    "output of an input's name": (
        {"outputs": f'[[output]]\nname = {MARK}"x"\nshape = "[1]"\n'},
        "x is used 2 times",
    ),
    "output of an attribute's name": (
        {"attributes": attribute('"y"', "int", "default = 1\n"), "outputs": OUTPUT.replace('"y"', f'{MARK}"y"')},
        "y is used 2 times",
    ),
    "no output": ({"operator": OPERATOR.replace('"op"', f'{MARK}"op"'), "outputs": ""}, "no [[output]]"),
    "variadic that is not the last": (
        {
            "inputs": INPUT + f"variadic = {MARK}true\n" + second_input('"w"'),
            "samples": "[samples]\n" + "".join(f"s{n} = {{ x = [[1, 1]], w = [1] }}\n" for n in range(3)),
        },
        "only the last input may be variadic",
    ),
    "optional before required": (
        {
            "inputs": INPUT + f"optional = {MARK}true\n" + second_input('"w"'),
            "outputs": OUTPUT.replace('shape = "x"', 'shape = "w"'),
            "samples": SAMPLES_WITH_W,
        },
        "required inputs stand behind this optional one",
    ),
    "optional variadic": (
        {"inputs": INPUT + second_input('"w"', f"variadic = true\noptional = {MARK}true\n")},
        "a variadic input cannot be optional",
    ),
    "attribute without default behind one with": (
        {
            "attributes": attribute('"a"', "int", "default = 1\n") + attribute(f'{MARK}"b"', "int"),
            "samples": SAMPLES.replace(" }", ", b = 2 }"),
        },
        "b has no default but stands behind one that has",
    ),
    "default outside of the choices": (
        {"attributes": attribute('"a"', "string", f'choices = ["p", "q"]\ndefault = {MARK}"r"\n')},
        "'r' is not one of the choices Choose one of p, q",
    ),
    "gradient of an unknown input": (
        {"more": f'[gradient]\ninputs = {MARK}["X"]\n'},
        "X is not known here; did you mean x?",
    ),
    "gradient of an output": ({"more": f'[gradient]\ninputs = {MARK}["y"]\n'}, "y is not known here"),
    "gradient that saves an unknown tensor": (
        {"more": f'[gradient]\ninputs = ["x"]\nsaved = {MARK}["x", "mask"]\n'},
        "mask is not known here; known are x, y",
    ),
    "gradient of an input whose shape nothing tells": (
        {
            "inputs": INPUT + second_input('"w"'),
            "samples": SAMPLES_WITH_W,
            "more": f'[gradient]\ninputs = ["x", "w"]\nsaved = {MARK}["x"]\n',
        },
        'the gradient of w has the shape of w, which is neither saved nor that of an output Save it: saved = ["w", …]',
    ),
    "missing source": (
        {"kernel": KERNEL.replace('["op.cpp"]', f'{MARK}["opp.cpp"]')},
        "did you mean op.cpp?",
    ),
    "missing CUDA source": ({"kernel": KERNEL + f'cuda = {MARK}["op.cu"]\n'}, "op.cu is not in"),
    "missing source of ONNX Runtime": ({"kernel": KERNEL + f'onnxruntime = {MARK}["ort.cpp"]\n'}, "ort.cpp is not in"),
    "missing reference": (
        {"kernel": f'[kernel]\nsources = ["op.cpp"]\nreference = {MARK}"gone.py:op"\n'},
        "gone.py is not in",
    ),
    "missing model": ({"kernel": KERNEL + f'model = {MARK}"gone.py:Model"\n'}, "gone.py is not in"),
    "missing registration": (
        {"more": f'[export]\nregistration = {MARK}"translations.py"\n'},
        "translations.py is not there",
    ),
    "native kernel that changes an input": (
        {"inputs": INPUT + f"mutable = {MARK}true\n"},
        "a native kernel writes its outputs only",
    ),
}


@pytest.mark.parametrize(("sections", "words"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_that_a_contradiction_is_reported_alone_and_at_its_place(
    tmp_path: Path, sections: dict[str, str], words: str
) -> None:
    assert_reported(tmp_path, sections, "CON004", words)


def test_that_an_operator_without_inputs_is_refused(tmp_path: Path) -> None:
    output = '[[output]]\nname = "y"\ntype = "float32"\nshape = "[1]"\n'
    samples = "[samples]\na = {}\nb = {}\nc = {}\n"
    text, (place,) = take_marks(
        contract_text(operator=OPERATOR.replace('"op"', f'{MARK}"op"'), inputs="", outputs=output, samples=samples)
    )

    (finding,) = findings_of(write_contract(tmp_path, text))

    assert ("CON004", place, "the operator has no [[input]]") == (finding.id, position_of(finding), finding.cause)


def test_that_several_contradictions_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text, places = take_marks(
        contract_text(
            inputs=INPUT + f"optional = {MARK}true\n" + second_input(f'{MARK}"x"'),
            attributes=attribute('"a"', "string", f'choices = ["p"]\ndefault = {MARK}"r"\n'),
            outputs=OUTPUT.replace('"x"', f'{MARK}"[Q]"'),
            kernel=KERNEL + f'cuda = {MARK}["op.cu"]\n',
            more=f'[gradient]\ninputs = {MARK}["q"]\n',
        )
    )

    assert list(places) == [position_of(finding) for finding in findings_of(write_contract(tmp_path, text))]


def test_that_optional_inputs_at_the_end_and_a_variadic_last_one_are_fine(tmp_path: Path) -> None:
    optional = INPUT + second_input('"w"', "optional = true\n") + second_input('"v"', "optional = true\n")
    variadic = INPUT + second_input('"w"', "variadic = true\n")

    assert findings_of(write_contract(tmp_path / "optional", contract_text(inputs=optional))) == ()
    samples = SAMPLES.replace(" }", ", w = [[1], [2, 3]] }")
    assert findings_of(write_contract(tmp_path / "variadic", contract_text(inputs=variadic, samples=samples))) == ()


def test_that_a_variadic_input_without_any_tensor_in_a_sample_is_fine_where_no_rule_needs_it(tmp_path: Path) -> None:
    text = contract_text(
        inputs=INPUT + second_input('"w"', 'shape = "[K]"\nvariadic = true\n'),
        samples=SAMPLES.replace(" }", ", w = [] }"),
    )

    assert findings_of(write_contract(tmp_path, text)) == ()


def test_that_the_shape_of_a_gradient_may_come_from_an_output(tmp_path: Path) -> None:
    text = contract_text(more='[gradient]\ninputs = ["x"]\nsaved = ["y"]\n')

    assert findings_of(write_contract(tmp_path, text)) == ()


def test_that_a_rule_which_does_not_parse_is_reported_for_an_operator_with_a_gradient_too(tmp_path: Path) -> None:
    sections = {"outputs": OUTPUT.replace('"x"', f'{MARK}"[N"'), "more": "[gradient]\n"}

    assert_reported(tmp_path, sections, "CON004", "expected ]")


def test_that_an_attribute_of_an_inputs_name_is_told_so(tmp_path: Path) -> None:
    sections = {"attributes": attribute(f'{MARK}"x"', "float", "default = 1\n")}

    assert_reported(tmp_path, sections, "CON004", "x is used 2 times")


def test_that_a_mistake_elsewhere_does_not_hide_a_sample_that_fits_no_shape(tmp_path: Path) -> None:
    text, places = take_marks(
        contract_text(
            kernel=KERNEL + f"strided = {MARK}1\n",
            samples=SAMPLES.replace("{ x = [4, 5] }", f"{MARK}{{ x = [4] }}"),
        )
    )

    assert list(places) == [position_of(finding) for finding in findings_of(write_contract(tmp_path, text))]


def test_that_mistakes_of_form_do_not_hide_contradictions(tmp_path: Path) -> None:
    text, places = take_marks(
        contract_text(
            operator=OPERATOR + f'{MARK}summry = "s"\n',
            outputs=OUTPUT.replace('"x"', f'{MARK}"[N"'),
            kernel=KERNEL + f'cuda = {MARK}["op.cu"]\n',
        )
    )

    assert list(places) == [position_of(finding) for finding in findings_of(write_contract(tmp_path, text))]


def test_that_the_names_which_a_contract_may_use_are_those_which_pytorch_takes(tmp_path: Path) -> None:
    import torch

    def takes(name: str) -> bool:
        try:
            torch._C.parse_schema(f"{name}(int {name}) -> Tensor")
        except RuntimeError:
            return False
        return True

    words = [*keyword.kwlist, "self", "int", "Tensor", "inf", "x1", "_x", "out"]
    contracts = {word: contract_text(attributes=attribute(f'"{word}"', "int", "default = 1\n")) for word in words}

    assert {word: takes(word) for word in words} == {
        word: not findings_of(write_contract(tmp_path, text)) for word, text in contracts.items()
    }


def test_that_a_model_has_input_names_of_its_own(tmp_path: Path) -> None:
    kernel = KERNEL + 'model = "reference.py:model"\n'
    good = contract_text(kernel=kernel, more='[export.dynamic]\nimages = { 3 = "width" }\n')
    assert findings_of(write_contract(tmp_path, good)) == ()
    assert_reported(
        tmp_path,
        {"kernel": kernel, "more": f'[export.dynamic]\nimages = {{ width = {MARK}"w" }}\n'},
        "CON004",
        "'width' is not an axis",
    )


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ({"more": f'[export.dynamic]\n{MARK}X = {{ 0 = "batch" }}\n'}, "did you mean x?"),
        ({"more": f'[export.dynamic]\nx = {{ {MARK}7 = "batch" }}\n'}, "axis 7 is not in its shape [N, C]"),
        ({"more": f'[export.dynamic]\nx = {{ 0 = "n", {MARK}2 = "k" }}\n'}, "axis 2 is not in its shape [N, C]"),
        ({"more": f'[export.dynamic]\n{MARK}y = {{ 0 = "n" }}\n'}, "y is not an input; known are x"),
    ],
)
def test_that_a_name_which_nothing_bears_is_refused(tmp_path: Path, sections: dict[str, str], words: str) -> None:
    assert_reported(tmp_path, sections, "CON004", words)


@pytest.mark.parametrize(
    ("kind", "default"),
    [
        ("int", "9223372036854775808"),
        ("ints", "[1, -9223372036854775809]"),
        ("float", "inf"),
        ("float", "-inf"),
        ("float", "nan"),
        ("floats", "[0.5, inf]"),
        ("float", "5e-324"),
    ],
)
def test_that_a_default_which_pytorch_cannot_hold_is_refused(tmp_path: Path, kind: str, default: str) -> None:
    sections = {"attributes": attribute('"a"', kind, f"default = {MARK}{default}\n")}

    assert_reported(tmp_path, sections, "CON004", "")


@pytest.mark.parametrize(
    ("shape", "axis"),
    [('shape = "[N, C]"\n', 1), ('shape = "[*D, C]"\n', 7), ("", 7)],
    ids=["bounded", "starred", "any"],
)
def test_that_an_axis_which_an_input_may_have_can_be_dynamic(tmp_path: Path, shape: str, axis: int) -> None:
    inputs = INPUT.replace('shape = "[N, C]"\n', shape)

    text = contract_text(inputs=inputs, more=f'[export.dynamic]\nx = {{ {axis} = "n" }}\n')

    assert findings_of(write_contract(tmp_path, text)) == ()


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ({"operator": OPERATOR.replace('"op"', f'{MARK}"def"')}, "def is a word of PyTorch's schemas"),
        ({"operator": OPERATOR.replace('"myops"', f'{MARK}"global"')}, "global is a word of PyTorch's schemas"),
        ({"outputs": OUTPUT.replace('"y"', f'{MARK}"None"')}, "None is a word of PyTorch's schemas"),
        ({"inputs": INPUT + second_input(f'{MARK}"in"', "optional = true\n")}, "in is a word of PyTorch's schemas"),
        ({"operator": OPERATOR.replace('"op"', f'{MARK}"_2d"')}, "_2d gives the ONNX operator '2d'"),
    ],
)
def test_that_a_name_which_one_of_the_frameworks_refuses_is_refused(
    tmp_path: Path, sections: dict[str, str], words: str
) -> None:
    assert_reported(tmp_path, sections, "CON004", words)


def test_that_a_name_which_onnx_refuses_is_fine_with_another_one_for_onnx(tmp_path: Path) -> None:
    operator = OPERATOR.replace('"op"', '"_2d"') + 'onnx_type = "TwoD"\n'

    assert findings_of(write_contract(tmp_path, contract_text(operator=operator))) == ()
