"""Where the data trees are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from opstudio.base import assets
from opstudio.base.errors import SetupError


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Pretend that the package lies in a folder of its own; return that folder."""
    package = tmp_path / "app" / "opstudio"
    package.mkdir(parents=True)
    monkeypatch.setattr(assets, "files", lambda _name: package)
    assets.asset_root.cache_clear()
    yield package
    assets.asset_root.cache_clear()


def test_that_this_checkout_has_the_kernel_header() -> None:
    assert (assets.asset_root("kernels") / "include" / "opstudio" / "kernel.h").is_file()


def test_that_a_wheel_uses_what_lies_inside_the_package(installed: Path) -> None:
    (installed / "_data" / "kernels").mkdir(parents=True)
    (installed.parent.parent / "kernels").mkdir()
    (installed.parent.parent / "pyproject.toml").touch()

    assert installed / "_data" / "kernels" == assets.asset_root("kernels")


def test_that_a_checkout_uses_what_stands_beside_its_project_file(installed: Path) -> None:
    (installed.parent.parent / "plugins").mkdir()
    (installed.parent.parent / "pyproject.toml").touch()

    assert installed.parent.parent / "plugins" == assets.asset_root("plugins")


def test_that_a_folder_of_that_name_without_a_project_file_is_somebody_elses(installed: Path) -> None:
    (installed.parent.parent / "plugins").mkdir()

    with pytest.raises(SetupError, match="The plugins of the studio are missing") as caught:
        assets.asset_root("plugins")

    cause = caught.value.findings[0].cause
    assert str(installed / "_data" / "plugins") in cause
    assert str(installed.parent.parent / "plugins") in cause
