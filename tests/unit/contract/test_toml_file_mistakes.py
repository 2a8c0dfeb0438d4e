"""Each mistake of form in a contract: reported alone, at its line and column, with the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.contracts import (
    INPUT,
    KERNEL,
    MARK,
    OPERATOR,
    SAMPLES,
    assert_reported,
    contract_text,
    findings_of,
    position_of,
    take_marks,
    write_contract,
)

MISTAKES: dict[str, tuple[dict[str, str], str, str]] = {
    "unknown key": (
        {"operator": OPERATOR + f'{MARK}summry = "s"\n'},
        "CON001",
        "did you mean summary?",
    ),
    "unknown key of an input": (
        {"inputs": INPUT + f"{MARK}optionl = true\n"},
        "CON001",
        "did you mean optional?",
    ),
    "attribute without a type": (
        {"attributes": f'[[attribute]]\nname = "a"\ntype = "int"\ndefault = 1\n\n[[{MARK}attribute]]\nname = "b"\n'},
        "CON003",
        "[[attribute]] b needs type",
    ),
    "unknown key of an attribute": (
        {"attributes": f'[[attribute]]\nname = "a"\ntype = "int"\n{MARK}defualt = 1\ndefault = 1\n'},
        "CON001",
        "did you mean default?",
    ),
    "unknown section": ({"more": f'[{MARK}kernal]\nkind = "raw"\n'}, "CON001", "did you mean kernel?"),
    "unknown tolerance layer": (
        {"more": f"[tolerance]\n{MARK}kernels = {{ float32 = {{ atol = 1 }} }}\n"},
        "CON001",
        "did you mean kernel?",
    ),
    "unknown type in a tolerance": (
        {"more": f"[tolerance]\nkernel = {{ {MARK}flaot32 = {{ atol = 1 }} }}\n"},
        "CON001",
        "did you mean float32?",
    ),
    "unknown bound in a tolerance": (
        {"more": f"[tolerance.kernel]\nfloat32 = {{ atol = 1, {MARK}rtoll = 2 }}\n"},
        "CON001",
        "did you mean rtol?",
    ),
    "wrong type": ({"operator": OPERATOR + f'version = {MARK}"1"\n'}, "CON002", "an integer, not a string ('1')"),
    "wrong type of an item": (
        {"kernel": f'[kernel]\nsources = ["op.cpp",\n  {MARK}7]\nreference = "reference.py:op"\n'},
        "CON002",
        "a string, not an integer (7)",
    ),
    "missing name": ({"operator": f'[{MARK}operator]\ndomain = "myops"\n'}, "CON003", "[operator] needs name"),
    "missing reference": ({"kernel": f'[{MARK}kernel]\nsources = ["op.cpp"]\n'}, "CON003", "needs reference"),
    "missing shape": ({"outputs": f'[[{MARK}output]]\nname = "y"\n'}, "CON003", "Add shape ="),
    "missing sources": (
        {"kernel": f'[{MARK}kernel]\nreference = "reference.py:op"\n'},
        "CON004",
        "[kernel] names no sources",
    ),
    "no TOML": (
        {"operator": f'{OPERATOR}summary = {MARK}"é" "x"\n'.replace(f'{MARK}"é" ', f'"é" {MARK}')},
        "CON005",
        "",
    ),
    "bad name": ({"operator": f'[operator]\ndomain = "m"\nname = {MARK}"re lu"\n'}, "CON004", "not a C++ identifier"),
    "bad domain": (
        {"operator": f'[operator]\nname = "op"\ndomain = {MARK}"my.ops"\n'},
        "CON004",
        "not a C++ identifier",
    ),
    "bad input name": (
        {"inputs": INPUT + f'[[input]]\ntypes = ["bool"]\nname = {MARK}"名"\noptional = true\n'},
        "CON004",
        "not a C++ identifier",
    ),
    "unknown element type": (
        {"inputs": f'[[input]]\nname = "x"\ntypes = {MARK}["float32", "flaot16"]\n'},
        "CON004",
        "did you mean float16?",
    ),
    "choices of a number": (
        {"attributes": f'[[attribute]]\nname = "a"\ntype = "int"\ndefault = 1\nchoices = {MARK}["1"]\n'},
        "CON004",
        "choices are texts, and the attribute is of type int",
    ),
    "later input as type": (
        {"inputs": INPUT + f'[[input]]\nname = "w"\ntype = {MARK}"w"\noptional = true\n'},
        "CON004",
        "'w' is not an earlier input; known are x",
    ),
    "input without types": (
        {"inputs": INPUT + f'[[input]]\nname = {MARK}"w"\noptional = true\n'},
        "CON004",
        "an input needs types",
    ),
    "range upside down": ({"inputs": INPUT + f"range = {MARK}[3, -3]\n"}, "CON004", "a lower and a higher bound"),
    "range of one": ({"inputs": INPUT + f"range = {MARK}[3]\n"}, "CON004", "a lower and a higher bound"),
    "unknown output type": (
        {"outputs": f'[[output]]\nname = "y"\nshape = "x"\ntype = {MARK}"float23"\n'},
        "CON004",
        "did you mean float32?",
    ),
    "unknown kernel kind": ({"kernel": KERNEL + f'kind = {MARK}"natve"\n'}, "CON004", "did you mean native?"),
    "reference without function": (
        {"kernel": f'[kernel]\nsources = ["op.cpp"]\nreference = {MARK}"reference.py"\n'},
        "CON004",
        "does not name a Python function",
    ),
    "model that is no Python file": (
        {"kernel": KERNEL + f'model = {MARK}"model.txt:Model"\n'},
        "CON004",
        "does not name a Python function",
    ),
    "axis by name": (
        {"more": f'[export.dynamic]\nx = {{ 0 = "batch", height = {MARK}"h" }}\n'},
        "CON004",
        "'height' is not an axis",
    ),
    "input section that is no array": (
        {"more": '[[output]]\nname = "z"\nshape = "x"\n' + f"[{MARK}attribute]\n"},
        "CON002",
        "an array of tables ([[attribute]])",
    ),
}


@pytest.mark.parametrize(("sections", "number", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_that_a_mistake_of_form_is_reported_alone_and_at_its_place(
    tmp_path: Path, sections: dict[str, str], number: str, words: str
) -> None:
    assert_reported(tmp_path, sections, number, words)


@pytest.mark.parametrize(
    ("sections", "number", "words"),
    [
        ({"more": f"[[{MARK}outputs]]\n"}, "CON001", "did you mean output?"),
        ({"more": f"[[{MARK}export]]\nopset = 17\n"}, "CON002", "export must be a table"),
    ],
)
def test_that_a_mistaken_array_of_tables_is_reported_at_its_first_member(
    tmp_path: Path, sections: dict[str, str], number: str, words: str
) -> None:
    assert_reported(tmp_path, sections, number, words)


def test_that_all_mistakes_of_a_file_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text, places = take_marks(
        contract_text(
            operator=f'[operator]\nname = "op"\n{MARK}domian = "m"\ndomain = {MARK}"my ops"\n',
            inputs=INPUT + f'optional = {MARK}"yes"\n',
            outputs=f'[[{MARK}output]]\nname = "y"\n',
            kernel=KERNEL + f"strided = {MARK}0\n",
            samples=SAMPLES + f"more = {{ x = [1, 1], {MARK}z = 3 }}\n",
            more=f"[{MARK}sample]\n",
        )
    )

    findings = findings_of(write_contract(tmp_path, text))

    assert list(places) == [position_of(finding) for finding in findings]
    assert [item.id for item in findings] == ["CON001", "CON004", "CON002", "CON003", "CON002", "CON001", "CON001"]


@pytest.mark.parametrize("section", ["operator", "kernel", "output"])
def test_that_a_section_that_is_missing_altogether_is_reported_for_the_file(tmp_path: Path, section: str) -> None:
    name = {"output": "outputs"}.get(section, section)
    path = write_contract(tmp_path, contract_text(**{name: ""}))

    findings = findings_of(path)

    assert findings
    assert {str(path)} == {finding.places[0].file for finding in findings}
    assert any(section in f"{finding.cause} {finding.fix}" for finding in findings)


def test_that_an_empty_file_lacks_every_required_part(tmp_path: Path) -> None:
    titles = {finding.title for finding in findings_of(write_contract(tmp_path, ""))}

    assert {"name is missing", "domain is missing", "reference is missing"} <= titles


VALUES_THAT_MAKE_NO_SENSE = {
    "tolerance that accepts everything": {"more": f"[tolerance.kernel]\nfloat32 = {{ rtol = {MARK}nan }}\n"},
    "tolerance without bound": {"more": f"[tolerance.kernel]\nfloat32 = {{ rtol = {MARK}inf }}\n"},
    "negative tolerance": {"more": f"[tolerance.kernel]\nfloat32 = {{ atol = {MARK}-1.0 }}\n"},
    "endless range": {"inputs": INPUT + f"range = {MARK}[-inf, inf]\n"},
    "version of no domain": {"operator": OPERATOR + f"version = {MARK}0\n"},
    "version beyond 32 bits": {"operator": OPERATOR + f"version = {MARK}2147483648\n"},
    "opset of no release": {"more": f"[export]\nopset = {MARK}-1\n"},
    "type of no name": {"operator": OPERATOR + f'onnx_type = {MARK}"two words"\n'},
    "number beyond all numbers": {
        "attributes": f'[[attribute]]\nname = "a"\ntype = "float"\ndefault = {MARK}{"9" * 400}\n'
    },
    "empty list of types": {"inputs": f'[[input]]\nname = "x"\nshape = "[N, C]"\ntypes = {MARK}[]\n'},
    "empty list of sources": {"kernel": f'[kernel]\nsources = {MARK}[]\nreference = "reference.py:op"\n'},
    "types of its own and of another": {
        "inputs": INPUT + f'[[input]]\nname = "w"\ntypes = ["bool"]\ntype = {MARK}"x"\noptional = true\n'
    },
}


@pytest.mark.parametrize("sections", VALUES_THAT_MAKE_NO_SENSE.values(), ids=VALUES_THAT_MAKE_NO_SENSE.keys())
def test_that_a_value_that_makes_no_sense_is_refused(tmp_path: Path, sections: dict[str, str]) -> None:
    assert_reported(tmp_path, sections, "CON004", "")
