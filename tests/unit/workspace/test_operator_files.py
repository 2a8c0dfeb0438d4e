"""Which files below an operator's folder its Python may read, and what a change of them does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opstudio.base.hashing import file_address
from opstudio.workspace.operator_files import is_operator_file, operator_file_addresses

READ = ("reference.py", "tables/consts.py", "tables/deep/table.csv", "weights.npy", "limits.txt", "table.inc")
NOT_READ = (
    ".opstudio/results/x.json",
    ".git/HEAD",
    "__pycache__/reference.cpython-311.pyc",
    "tables/__pycache__/consts.pyc",
    "dist/op.whl",
    "build/op.o",
    "libop.so",
    ".reference.py.swp",
    "reference.py~",
    "op.cpp~new",
    "run.log",
    "README.md",
    "contract.toml",
    "history.toml",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*READ, *NOT_READ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return tmp_path


def test_that_sources_and_data_of_all_folders_count_and_products_do_not(folder: Path) -> None:
    addresses = operator_file_addresses(folder)

    assert addresses == {name: file_address(folder / name) for name in READ}
    assert operator_file_addresses(folder, without=READ[1:]) == {READ[0]: addresses[READ[0]]}


@pytest.mark.parametrize("name", READ)
def test_that_a_file_counts_before_it_is_there(tmp_path: Path, name: str) -> None:
    assert is_operator_file(tmp_path / name, tmp_path)


@pytest.mark.parametrize("name", NOT_READ[:-2])
def test_that_a_product_does_not(tmp_path: Path, name: str) -> None:
    assert not is_operator_file(tmp_path / name, tmp_path)


@pytest.mark.parametrize("age", [0, 3600])
def test_that_a_change_of_the_same_length_is_seen(folder: Path, age: int) -> None:
    table = folder / "tables/deep/table.csv"
    status = table.stat()
    os.utime(table, ns=(status.st_atime_ns, status.st_mtime_ns - age * 10**9))
    before = operator_file_addresses(folder)
    assert operator_file_addresses(folder) == before
    table.write_text("x" * status.st_size, encoding="utf-8")

    changed = operator_file_addresses(folder)

    assert {name for name in READ if changed[name] != before[name]} == {"tables/deep/table.csv"}
    assert changed["tables/deep/table.csv"] == file_address(table)


def test_that_what_is_no_regular_file_is_left_alone(folder: Path) -> None:
    os.mkfifo(folder / "pipe.csv")
    (folder / "gone.csv").symlink_to(folder / "nowhere")

    assert set(operator_file_addresses(folder)) == set(READ)


def test_that_a_folder_of_many_files_is_read_up_to_a_bound(tmp_path: Path) -> None:
    for number in range(2100):
        (tmp_path / f"{number:04}.csv").touch()

    assert len(operator_file_addresses(tmp_path)) == 2000


def test_that_a_large_file_is_known_by_its_size_and_time(tmp_path: Path) -> None:
    large = tmp_path / "large.bin"
    with large.open("wb") as file:
        file.truncate(40 * 2**20)
    before = operator_file_addresses(tmp_path)
    with large.open("ab") as file:
        file.truncate(41 * 2**20)

    assert operator_file_addresses(tmp_path) != before
