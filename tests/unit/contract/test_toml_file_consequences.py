"""A mistake in a contract is told once: what follows from it is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.contracts import INPUT, KERNEL, MARK, OPERATOR, SAMPLES, assert_reported

MISTAKES: dict[str, tuple[dict[str, str], str, str]] = {
    "default of another type": (
        {"attributes": f'[[attribute]]\nname = "a"\ntype = "int"\ndefault = {MARK}1.5\n'},
        "CON004",
        "1.5 is not an integer",
    ),
    "unknown attribute type": (
        {"attributes": f'[[attribute]]\nname = "a"\ntype = {MARK}"strng"\ndefault = "x"\n'},
        "CON004",
        "did you mean string?",
    ),
    "input as one table": (
        {"inputs": f'[{MARK}input]\nname = "x"\ntypes = ["float32"]\n'},
        "CON002",
        "input must be an array of tables ([[input]])",
    ),
    "mistyped section of inputs": (
        {
            "inputs": INPUT.replace("[[input]]", f"[[{MARK}inputs]]"),
            "outputs": '[[output]]\nname = "y"\nshape = "[N]"\n',
            "more": '[gradient]\ninputs = ["x"]\n[export.dynamic]\nx = { 0 = "n" }\n',
        },
        "CON001",
        "did you mean input?",
    ),
    "mistyped section of attributes": (
        {
            "attributes": f'[[{MARK}atribute]]\nname = "k"\ntype = "int"\n',
            "outputs": '[[output]]\nname = "y"\nshape = "[k]"\n',
            "samples": SAMPLES.replace(" }", ", k = 1 }"),
        },
        "CON001",
        "did you mean attribute?",
    ),
    "mistyped section of outputs": (
        {"outputs": f'[[{MARK}outputs]]\nname = "y"\nshape = "x"\n'},
        "CON001",
        "did you mean output?",
    ),
    "mistyped section of samples": (
        {"samples": SAMPLES.replace("[samples]", f"[{MARK}sample]")},
        "CON001",
        "did you mean samples?",
    ),
    "mistyped section of the kernel": (
        {"kernel": KERNEL.replace("[kernel]", f"[{MARK}kernal]")},
        "CON001",
        "did you mean kernel?",
    ),
    "mistyped default": (
        {"attributes": f'[[attribute]]\nname = "a"\ntype = "int"\n{MARK}defualt = 1\n'},
        "CON001",
        "did you mean default?",
    ),
    "mistyped types": (
        {"inputs": f'[[input]]\nname = "x"\n{MARK}typs = ["float32"]\nshape = "[N, C]"\n'},
        "CON001",
        "did you mean types?",
    ),
    "mistyped shape of an input": (
        {
            "inputs": f'[[input]]\nname = "x"\ntypes = ["float32"]\n{MARK}shap = "[N, C]"\n',
            "outputs": '[[output]]\nname = "y"\nshape = "[N]"\n',
        },
        "CON001",
        "did you mean shape?",
    ),
    "shape of another type": (
        {
            "inputs": f'[[input]]\nname = "x"\ntypes = ["float32"]\nshape = {MARK}["N"]\n',
            "outputs": '[[output]]\nname = "y"\nshape = "[N]"\n',
        },
        "CON002",
        "shape must be a string",
    ),
    "kernel that is no table": (
        {"operator": f"kernel = {MARK}3\n" + OPERATOR, "kernel": ""},
        "CON002",
        "kernel must be a table",
    ),
    "kernel of an unknown kind that changes an input": (
        {"inputs": INPUT + "mutable = true\n", "kernel": KERNEL + f'kind = {MARK}"rwa"\n'},
        "CON004",
        "did you mean raw?",
    ),
    "input without a name": (
        {
            "inputs": INPUT + f'[[{MARK}input]]\ntypes = ["bool"]\n',
            "samples": SAMPLES.replace(" }", ", w = [2] }"),
        },
        "CON003",
        "[[input]] number 2 needs name",
    ),
    "unknown name of the only input": (
        {"inputs": f'[[input]]\n{MARK}nam = "x"\nname = "x"\ntypes = ["float32"]\n'},
        "CON001",
        "did you mean name?",
    ),
}


@pytest.mark.parametrize(("sections", "number", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_that_a_mistake_is_not_reported_a_second_time_by_its_consequences(
    tmp_path: Path, sections: dict[str, str], number: str, words: str
) -> None:
    assert_reported(tmp_path, sections, number, words)
