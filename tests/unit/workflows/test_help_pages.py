"""The help pages say what the product does: commands parse, keys of settings exist, code compiles, stages are those."""

from __future__ import annotations

import argparse
import dataclasses
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from opstudio.base.errors import InputError
from opstudio.checks.check import Pace, all_checks
from opstudio.cli.main import build_parser, find_commands
from opstudio.contract.operator import DEFAULT_TOLERANCES, Layer
from opstudio.contract.toml_file import read_contract
from opstudio.diagnosis.engine import all_rules
from opstudio.workflows.help_pages import (
    HelpLanguage,
    HelpPage,
    find_help_page,
    help_pages,
    rule_pages,
    search_pages,
)
from opstudio.workspace.settings import Settings, read_settings
from tests.support.workspaces import KERNELS, ROOT

FOLDER = ROOT / "resources" / "help"
ENGLISH = {page.name: page for page in help_pages()}
CHINESE = {page.name: page for page in help_pages(HelpLanguage.CHINESE)}
PAGES = [*ENGLISH.values(), *CHINESE.values()]
COMMENT = re.compile(r"\s+(#|//) .*$", re.MULTILINE)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.name}-{page.language.value}")
both = pytest.mark.parametrize("pages", [ENGLISH, CHINESE], ids=["en", "zh_CN"])


def blocks(page: HelpPage, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.text, re.MULTILINE | re.DOTALL)


def links(page: HelpPage) -> set[str]:
    prose = re.sub(r"^```.*?^```", "", page.text, flags=re.MULTILINE | re.DOTALL)
    return set(re.findall(r"\]\(([^)]+)\)", prose))


def headings(page: HelpPage) -> list[str]:
    return re.findall(r"^## (.+)$", page.text, re.MULTILINE)


def first_cells(page: HelpPage) -> list[str]:
    """Return what stands as code in the first column of tables."""
    return re.findall(r"^\| `([^`]+)` \|", page.text, re.MULTILINE)


def test_that_every_page_is_there_in_both_languages() -> None:
    names = {path.stem for path in FOLDER.glob("*.md")}
    assert names == {path.stem for path in (FOLDER / "zh_CN").glob("*.md")} == set(ENGLISH) == set(CHINESE)
    assert {page.language for page in CHINESE.values()} == {HelpLanguage.CHINESE}
    assert all(re.search("[一-鿿]", page.title) for page in CHINESE.values())


@pytest.mark.parametrize("name", ENGLISH)
def test_that_both_languages_have_the_same_sections_and_show_the_same_code(name: str) -> None:
    english, chinese = ENGLISH[name], CHINESE[name]
    assert len(headings(english)) == len(headings(chinese)) > 0
    for language in ("sh", "toml", "cpp"):
        shown = [[COMMENT.sub("", block) for block in blocks(page, language)] for page in (english, chinese)]
        assert shown[0] == shown[1]
    assert first_cells(english) == first_cells(chinese)


@pytest.mark.parametrize("name", ENGLISH)
def test_that_both_languages_name_the_same_ids_and_pages(name: str) -> None:
    ids = [sorted(set(re.findall(r"`([A-Z]{3}\d{3})", page.text))) for page in (ENGLISH[name], CHINESE[name])]
    assert ids[0] == ids[1]
    assert links(ENGLISH[name]) == links(CHINESE[name])


@every_page
def test_that_every_link_leads_to_a_page_and_every_id_is_known(page: HelpPage) -> None:
    assert links(page) <= {f"{name}.md" for name in ENGLISH}
    assert set(re.findall(r"\b[A-Z]{3}\d{3}\b", page.text)) <= {rule.name for rule in rule_pages()}


@every_page
def test_that_every_command_line_parses(page: HelpPage) -> None:
    parser = build_parser(find_commands())
    lines = [line for block in blocks(page, "sh") for line in block.splitlines() if line.strip()]
    for line in lines:
        program, *arguments = shlex.split(line, comments=True)
        assert program == "opstudio"
        if "--help" in arguments:
            with pytest.raises(SystemExit) as ended:
                parser.parse_args(arguments)
            assert ended.value.code == 0
        else:
            assert parser.parse_args(arguments).verb


@both
def test_that_the_command_line_page_shows_every_verb_and_names_only_options_that_exist(
    pages: dict[str, HelpPage],
) -> None:
    page = pages["command_line"]
    shown = {line.split()[1] for block in blocks(page, "sh") for line in block.splitlines()}
    assert {command.name for command in find_commands()} <= shown
    parser = build_parser(find_commands())
    verbs = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    known = {option for verb in verbs.choices.values() for option in verb._option_string_actions}
    assert set(re.findall(r"--[a-z][a-z-]+", page.text)) <= known


@both
def test_that_the_loop_page_names_the_stages_in_their_order(pages: dict[str, HelpPage]) -> None:
    stages = [name for name in first_cells(pages["loop"]) if name in {check.id for check in all_checks()}]
    assert stages == [check.id for check in all_checks() if check.pace is Pace.FAST] + [
        check.id for check in all_checks() if check.pace is Pace.SLOW
    ]
    assert len(first_cells(pages["loop"])) == len(stages)


@both
def test_that_the_example_of_settings_sets_every_setting(pages: dict[str, HelpPage], tmp_path: Path) -> None:
    (text,) = blocks(pages["settings"], "toml")
    file = tmp_path / "opstudio.toml"
    file.write_text(text, encoding="utf-8")
    changed = read_settings(file)
    without = Settings(name=tmp_path.name)
    same = [
        field.name
        for field in dataclasses.fields(Settings)
        if getattr(changed, field.name) == getattr(without, field.name)
    ]
    assert same == []


@both
def test_that_the_table_of_settings_has_the_keys_and_defaults_of_the_product(pages: dict[str, HelpPage]) -> None:
    (text,) = blocks(pages["settings"], "toml")
    table, keys = "", []
    for line in text.splitlines():
        if match := re.fullmatch(r"\[(\w+)\]", line):
            table = match[1]
        elif line:
            keys.append(f"{table}.{line.split()[0]}")
    assert [name for name in first_cells(pages["settings"]) if "." in name] == keys
    rows = dict(re.findall(r"^\| `([\w.]+)` \|.*\| `?([^|`]+?)`? \|$", pages["settings"].text, re.MULTILINE))
    defaults = Settings(name="")
    assert float(rows["limits.memory_gib"]) * 2**30 == defaults.memory_bytes
    assert float(rows["limits.quiet_seconds"]) == defaults.quiet_seconds
    assert rows["workspace.operators"] == '["*"]'


@both
@pytest.mark.parametrize("name", ["contract", "raw"])
def test_that_the_example_contracts_are_contracts(pages: dict[str, HelpPage], name: str, tmp_path: Path) -> None:
    text = blocks(pages[name], "toml")[0]
    for file in re.findall(r'"([\w.]+\.(?:cpp|py))', text):
        (tmp_path / file).touch()
    (tmp_path / "contract.toml").write_text(text, encoding="utf-8")
    assert read_contract(tmp_path / "contract.toml").gradient is not None


@both
def test_that_the_tolerances_are_those_of_the_product(pages: dict[str, HelpPage]) -> None:
    number = r"([\d.e-]+)"
    rows = re.findall(
        rf"^\| `(float\d+|bfloat16)` \| {number}, {number} \| {number}, {number} \|$",
        pages["contract"].text,
        re.MULTILINE,
    )
    stated = {name: tuple(map(float, figures)) for name, *figures in rows}
    kernel, runtime = DEFAULT_TOLERANCES[Layer.KERNEL], DEFAULT_TOLERANCES[Layer.RUNTIME]
    assert stated == {
        data_type.value: (
            kernel[data_type].relative,
            kernel[data_type].absolute,
            runtime[data_type].relative,
            runtime[data_type].absolute,
        )
        for data_type in kernel
    }


@both
def test_that_every_piece_of_kernel_code_compiles(pages: dict[str, HelpPage], tmp_path: Path) -> None:
    for number, code in enumerate(blocks(pages["kernel"], "cpp")):
        text = code
        if "#include" not in code:
            body = f"void fragment_of_help(const opstudio::Call& call) {{\n{code}\n}}"
            text = f"#include <opstudio/kernel.h>\n{body}\n"
        source = tmp_path / f"block{number}.cpp"
        source.write_text(text, encoding="utf-8")
        command = ["g++", "-std=c++17", "-fsyntax-only", f"-I{KERNELS / 'include'}", str(source)]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        assert outcome.returncode == 0, f"{code}\n{outcome.stderr}"


@every_page
def test_that_files_of_the_project_which_a_page_names_are_there(page: HelpPage) -> None:
    missing = [path for path in re.findall(r"`(kernels/\w+)`", page.text) if not (ROOT / path).is_dir()]
    assert missing == []


@both
def test_that_the_families_are_those_of_all_ids(pages: dict[str, HelpPage]) -> None:
    listed = [name for name in first_cells(pages["findings"]) if re.fullmatch("[A-Z]{3}", name)]
    assert set(listed) == {page.name[:3] for page in rule_pages()}


def test_that_every_rule_has_a_page_with_its_title() -> None:
    pages = {page.name: page for page in rule_pages()}
    assert {rule.id for rule in all_rules()} <= set(pages)
    for rule in all_rules():
        assert rule.title in pages[rule.id].title
        assert headings(pages[rule.id])[:3] == ["What it finds", "Why it happens", "How to fix"]


def test_that_a_page_is_found_however_it_is_written() -> None:
    assert find_help_page("LOOP").name == "loop"
    assert find_help_page("loop.md", HelpLanguage.CHINESE).title == CHINESE["loop"].title
    assert find_help_page("num012").is_rule


def test_that_an_unknown_page_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as refused:
        find_help_page("kernle")
    assert "kernel" in refused.value.findings[0].cause


def test_that_a_page_without_translation_is_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "help" / "zh_CN").mkdir(parents=True)
    (tmp_path / "help" / "one.md").write_text("# One\n\nFirst.\n", encoding="utf-8")
    (tmp_path / "help" / "two.md").write_text("# Two\n\nSecond.\n", encoding="utf-8")
    (tmp_path / "help" / "zh_CN" / "two.md").write_text("# 二\n\n其次。\n", encoding="utf-8")
    monkeypatch.setattr("opstudio.workflows.help_pages.asset_root", lambda _kind: tmp_path)
    pages = help_pages(HelpLanguage.CHINESE)
    assert [(page.name, page.title, page.language.value) for page in pages] == [
        ("one", "One", "en"),
        ("two", "二", "zh_CN"),
    ]


def a_page(name: str, title: str, text: str) -> HelpPage:
    return HelpPage(name=name, title=title, text=text)


def test_that_a_search_wants_all_words_and_prefers_titles() -> None:
    pages = (
        a_page("far", "Elsewhere", "nothing of it\n\nfollow the `strides` of **views**"),
        a_page("near", "Views and strides", "about them"),
        a_page("half", "Views", "no other word"),
    )
    hits = search_pages(pages, "STRIDES view")
    assert [(hit.page.name, hit.context) for hit in hits] == [
        ("near", "about them"),
        ("far", "follow the strides of views"),
    ]


def test_that_a_search_without_words_lists_everything_with_its_first_line() -> None:
    pages = (a_page("b", "B", "| a | `b` |\n|---|---|"), a_page("a", "A", "See [the loop](loop.md)."))
    assert [(hit.page.name, hit.context) for hit in search_pages(pages, "  ")] == [
        ("b", "a  b"),
        ("a", "See the loop."),
    ]


def test_that_a_long_line_is_cut_around_what_was_found() -> None:
    (hit,) = search_pages((a_page("a", "A", "word " * 60 + "needle " + "word " * 60),), "needle")
    assert hit.context.startswith("… word")
    assert "needle" in hit.context
    assert len(hit.context) < 100


def test_that_chinese_is_searched_without_spaces() -> None:
    assert [hit.page.name for hit in search_pages(CHINESE.values(), "步长 半精度")] == ["kernel"]
