"""Extensions are found by their manifests; broken ones are named."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from opstudio.base.discovery import BrokenExtension, discover

PREFIX = "from tests.unit.base.test_discovery import Manifest\n"
MakePackage = Callable[[dict[str, str]], str]


@dataclass(frozen=True)
class Manifest:
    name: str


@pytest.fixture
def make_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakePackage]:
    """Return a function that writes a package of the given files and returns its name."""
    name = f"extensions_of_{tmp_path.name}"

    def make(files: dict[str, str]) -> str:
        for file, text in {"__init__.py": "", **files}.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        # The class as this module knows it, whatever name pytest gave the module.
        monkeypatch.setitem(sys.modules, "tests.unit.base.test_discovery", sys.modules[__name__])
        return name

    yield make
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        del sys.modules[module]


def test_that_manifests_are_found_at_any_depth_in_the_order_of_their_modules(make_package: MakePackage) -> None:
    package = make_package(
        {
            "zebra.py": PREFIX + "RULE = Manifest('zebra')",
            "ant.py": PREFIX + "RULE = Manifest('ant')",
            "family/__init__.py": "",
            "family/deep/__init__.py": PREFIX + "RULE = Manifest('a package itself')",
            "family/deep/bee.py": PREFIX + "RULE = Manifest('bee')",
        }
    )

    found = discover(package, "RULE", Manifest)

    assert [manifest.name for manifest in found.manifests] == ["ant", "a package itself", "bee", "zebra"]
    assert found.broken == ()


def test_that_modules_without_a_manifest_are_passed_over(make_package: MakePackage) -> None:
    package = make_package({"helper.py": "OTHER = 1", "none.py": "RULE = None", "text.txt": "no module"})

    assert discover(package, "RULE", Manifest).manifests == ()


def test_that_a_module_with_a_missing_import_is_reported_and_the_others_serve(make_package: MakePackage) -> None:
    package = make_package(
        {
            "good.py": PREFIX + "RULE = Manifest('good')",
            "broken.py": "import a_package_that_nobody_has",
            "renamed.py": "from opstudio.base.names import a_function_that_went_away",
            "family/__init__.py": "import a_package_that_nobody_has",
            "family/member.py": PREFIX + "RULE = Manifest('unreachable')",
        }
    )

    found = discover(package, "RULE", Manifest)

    assert [manifest.name for manifest in found.manifests] == ["good"]
    assert [f"{package}.broken", f"{package}.family", f"{package}.renamed"] == [item.module for item in found.broken]
    assert BrokenExtension(f"{package}.broken", "No module named 'a_package_that_nobody_has'") == found.broken[0]
    assert "a_function_that_went_away" in found.broken[2].reason


@pytest.mark.parametrize("text", ["def (", "1 / 0", "raise RuntimeError('no device')", "undefined_name"])
def test_that_a_module_which_fails_otherwise_is_reported_as_well(make_package: MakePackage, text: str) -> None:
    package = make_package({"good.py": PREFIX + "RULE = Manifest('good')", "broken.py": text})

    found = discover(package, "RULE", Manifest)

    assert [manifest.name for manifest in found.manifests] == ["good"]
    assert [f"{package}.broken"] == [item.module for item in found.broken]


def test_that_a_manifest_of_another_class_is_a_bug(make_package: MakePackage) -> None:
    package = make_package({"wrong.py": "RULE = 'a text'"})

    with pytest.raises(TypeError, match=rf"^{package}\.wrong\.RULE is a str, not a Manifest$"):
        discover(package, "RULE", Manifest)


def test_that_a_missing_package_is_a_bug() -> None:
    with pytest.raises(ModuleNotFoundError):
        discover("opstudio.no_such_package", "RULE", Manifest)


def test_that_a_package_which_fails_is_reported_and_the_others_serve(make_package: MakePackage) -> None:
    package = make_package(
        {
            "family/__init__.py": "1 / 0",
            "family/member.py": PREFIX + "RULE = Manifest('unreachable')",
            "good.py": PREFIX + "RULE = Manifest('good')",
        }
    )

    found = discover(package, "RULE", Manifest)

    assert [manifest.name for manifest in found.manifests] == ["good"]
    assert found.broken == (BrokenExtension(f"{package}.family", "ZeroDivisionError: division by zero"),)
