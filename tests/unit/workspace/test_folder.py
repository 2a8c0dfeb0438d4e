"""Workspaces: which folders they are and which operators they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from opstudio.base.errors import InputError, SetupError
from opstudio.workspace.folder import OperatorFolder, Workspace, open_workspace
from opstudio.workspace.settings import Settings
from tests.support.limits import public_folder, run_as_ordinary_user


def make(root: Path, *operators: str, settings: str = "") -> Path:
    """Make a workspace with contracts (empty ones) in the given folders."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "opstudio.toml").write_text(settings)
    for name in operators:
        (root / name).mkdir(parents=True)
        (root / name / "contract.toml").touch()
    return root


def names(workspace: Workspace) -> list[str]:
    return [operator.name for operator in workspace.operators()]


def test_that_a_workspace_is_opened_from_any_folder_inside_of_it(tmp_path: Path) -> None:
    root = make(tmp_path / "我的 工作区", "relu/src")

    assert root == open_workspace(root).root
    assert root == open_workspace(root / "relu" / "src").root
    assert root == open_workspace(root / "relu" / "src" / "contract.toml").root
    assert root == open_workspace(root / "relu" / ".." / "relu").root
    assert (root / ".opstudio", "我的 工作区") == (open_workspace(root).state, open_workspace(root).settings.name)


def test_that_the_nearest_workspace_wins(tmp_path: Path) -> None:
    make(tmp_path / "outer")
    inner = make(tmp_path / "outer" / "inner", "relu")

    assert inner == open_workspace(inner / "relu").root


def test_that_a_relative_path_is_taken_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(tmp_path / "work", "relu")
    monkeypatch.chdir(root / "relu")

    assert root == open_workspace(Path()).root


def test_that_a_link_to_a_workspace_leads_to_it(tmp_path: Path) -> None:
    root = make(tmp_path / "work")
    (tmp_path / "link").symlink_to(root)

    assert root == open_workspace(tmp_path / "link").root


@pytest.mark.parametrize(
    ("name", "cause"),
    [("", "neither it nor a folder above it has an opstudio.toml"), ("absent", "there is no such folder")],
)
def test_that_a_folder_outside_of_any_workspace_is_refused(tmp_path: Path, name: str, cause: str) -> None:
    with pytest.raises(InputError) as caught:
        open_workspace(tmp_path / name)

    (finding,) = caught.value.findings
    assert (f"{tmp_path / name} is not a workspace", cause) == (finding.title, finding.cause)
    assert "opstudio init" in finding.fix


def test_that_a_folder_which_is_not_there_is_not_taken_for_the_workspace_around_it(tmp_path: Path) -> None:
    (tmp_path / "opstudio.toml").write_text("[workspace]\n", encoding="utf-8")

    with pytest.raises(InputError) as raised:
        open_workspace(tmp_path / "absent")

    assert "there is no such folder" in raised.value.findings[0].cause


def test_that_wrong_settings_are_refused_when_the_workspace_is_opened(tmp_path: Path) -> None:
    root = make(tmp_path, settings="[workspce]\n")

    with pytest.raises(InputError, match="Unknown key workspce"):
        open_workspace(root)


def test_that_operators_are_the_folders_with_a_contract_one_level_down(tmp_path: Path) -> None:
    root = make(tmp_path, "swish", "relu", "Add", "group/deep", ".opstudio/artifacts")
    (root / "notes").mkdir()
    (root / "contract.toml").touch()

    operators = open_workspace(root).operators()

    assert [operator.name for operator in operators] == ["Add", "relu", "swish"]
    assert OperatorFolder("relu", root / "relu") == operators[1]
    assert root / "relu" / "contract.toml" == operators[1].contract_path


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["*"], ["relu"]),
        (["groups/*"], ["a", "b"]),
        (["*", "groups/*"], ["a", "b", "relu"]),
        (["**"], ["a", "b", "inner", "relu"]),
        (["groups/a", "groups/a"], ["a"]),
        (["g*/?"], ["a", "b"]),
        (["none"], []),
        ([], []),
    ],
)
def test_that_patterns_say_where_operators_are(tmp_path: Path, patterns: list[str], found: list[str]) -> None:
    root = make(tmp_path, "relu", "groups/a", "groups/b", "groups/b/inner", ".opstudio/x", "groups/.opstudio/y")
    workspace = Workspace(root, Settings(name="w", operators=tuple(patterns)))

    assert found == sorted(names(workspace))


def test_that_operators_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    root = make(tmp_path, "z/add", "a/swish")

    assert names(Workspace(root, Settings(name="w", operators=("*/*",)))) == ["add", "swish"]


def test_that_a_workspace_may_lie_below_a_folder_called_like_its_state(tmp_path: Path) -> None:
    root = make(tmp_path / ".opstudio" / "work", "relu")

    assert names(open_workspace(root)) == ["relu"]


def test_that_two_operators_of_one_name_are_refused(tmp_path: Path) -> None:
    root = make(tmp_path, "a/relu", "b/relu")
    workspace = Workspace(root, Settings(name="w", operators=("*/*",)))

    for find in (workspace.operators, lambda: workspace.operator("relu")):
        with pytest.raises(InputError) as caught:
            find()

        (finding,) = caught.value.findings
        assert ("Two operators are called relu", str(root / "b" / "relu")) == (finding.title, finding.places[0].file)
        assert "a/relu and b/relu" in finding.cause


def test_that_one_operator_found_on_two_ways_is_no_conflict(tmp_path: Path) -> None:
    root = make(tmp_path, "a/relu")
    (root / "b").symlink_to(root / "a")

    assert names(Workspace(root, Settings(name="w", operators=("*/*",)))) == ["relu"]


def test_that_an_operator_is_found_by_its_name(tmp_path: Path) -> None:
    root = make(tmp_path, "relu", "swish", "算子 一")

    assert root / "算子 一" == open_workspace(root).operator("算子 一").path


@pytest.mark.parametrize(
    ("name", "words"),
    [("rellu", "did you mean relu?"), ("RELU", "did you mean relu?"), ("conv", "known are relu, swish")],
)
def test_that_an_unknown_operator_is_answered_with_the_nearest(tmp_path: Path, name: str, words: str) -> None:
    root = make(tmp_path, "relu", "swish")

    with pytest.raises(InputError) as caught:
        open_workspace(root).operator(name)

    (finding,) = caught.value.findings
    assert (f"There is no operator {name}", str(root)) == (finding.title, finding.places[0].file)
    assert words in finding.cause


def test_that_an_empty_workspace_has_no_operator_to_offer(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none is known"):
        open_workspace(make(tmp_path)).operator("relu")


def test_that_paths_are_told_as_people_read_them(tmp_path: Path) -> None:
    workspace = open_workspace(make(tmp_path / "work"))

    assert workspace.relative(tmp_path / "work" / "relu" / "a.cpp") == "relu/a.cpp"
    assert workspace.relative(str(tmp_path / "work" / "relu")) == "relu"
    assert workspace.relative(tmp_path / "workshop" / "a") == str(tmp_path / "workshop" / "a")
    assert workspace.relative("relu/a.cpp") == "relu/a.cpp"


def test_that_a_workspace_of_ones_own_can_be_written(tmp_path: Path) -> None:
    workspace = open_workspace(make(tmp_path))
    workspace.require_writable()
    workspace.state.mkdir()

    workspace.require_writable()


@pytest.mark.parametrize("with_state", [False, True])
def test_that_a_workspace_without_write_right_says_how_to_go_on(*, with_state: bool) -> None:
    with public_folder() as folder:
        root = make(folder / "work")
        target = root / ".opstudio" if with_state else root
        target.mkdir(exist_ok=True)
        target.chmod(0o555)
        root.chmod(0o777 if with_state else 0o555)

        def attempt() -> str:
            with pytest.raises(SetupError) as caught:
                Workspace(root, Settings(name="w")).require_writable()
            (finding,) = caught.value.findings
            return f"{finding.title} | {finding.places[0].file} | {finding.fix}"

        answer = run_as_ordinary_user(attempt)
        target.chmod(0o755)

    assert answer == (
        f"The workspace {root} cannot be written | {target} | Copy it to a folder of your own: cp -r {root} ~/work"
    )


def test_that_a_folder_without_the_right_to_look_inside_is_an_error_to_act_on() -> None:
    with public_folder() as folder:
        root = make(folder / "work")
        root.chmod(0o000)

        def attempt() -> str:
            try:
                open_workspace(root)
            except (InputError, SetupError):
                return "told"
            return "opened"

        answer = run_as_ordinary_user(attempt)
        root.chmod(0o755)

    assert answer == "told"
