from __future__ import annotations

import codecs
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opstudio.base.errors import InputError
from opstudio.qt.editor.text_file import MOST_BYTES, TextFile, read_text_file, write_text_file


def read(folder: Path, data: bytes) -> TextFile:
    path = folder / "file.cpp"
    path.write_bytes(data)
    return read_text_file(path)


@pytest.mark.parametrize(
    ("data", "text", "encoding", "line_end"),
    [
        (b"a\nb\n", "a\nb\n", "UTF-8", "LF"),
        (b"a\r\nb\r\n", "a\nb\n", "UTF-8", "CRLF"),
        (b"a\rb\r", "a\nb\n", "UTF-8", "CR"),
        (codecs.BOM_UTF8 + b"a\n", "a\n", "UTF-8 BOM", "LF"),
        (codecs.BOM_UTF16_LE + "é\r\n".encode("utf-16-le"), "é\n", "UTF-16 LE", "CRLF"),
        (codecs.BOM_UTF16_BE + "é\n".encode("utf-16-be"), "é\n", "UTF-16 BE", "LF"),
        (b"caf\xe9\n", "café\n", "LATIN-1", "LF"),
        ("算子\n".encode(), "算子\n", "UTF-8", "LF"),
        (b"a\r\nb\n\r\n", "a\nb\n\n", "UTF-8", "CRLF, mixed"),
        (b"", "", "UTF-8", "LF"),
    ],
)
def test_that_a_file_is_read_as_lines_and_written_back_to_the_byte(
    tmp_path: Path, data: bytes, text: str, encoding: str, line_end: str
) -> None:
    file = read(tmp_path, data)
    assert (file.text, file.encoding_title, file.line_end_title) == (text, encoding, line_end)
    write_text_file(file, file.text)
    assert file.path.read_bytes() == data


def test_that_new_lines_get_the_ends_and_the_encoding_of_the_file(tmp_path: Path) -> None:
    file = read(tmp_path, codecs.BOM_UTF8 + b"a\r\nb\r\n")
    write_text_file(file, "a\nnew\nb\n")
    assert file.path.read_bytes() == codecs.BOM_UTF8 + b"a\r\nnew\r\nb\r\n"


def test_that_lines_of_a_mixed_file_keep_their_own_ends(tmp_path: Path) -> None:
    file = read(tmp_path, b"one\ntwo\r\nthree\r\nfour\n\r\n")
    write_text_file(file, "one\nNEW\ntwo\nthree\nfour\n\n")
    assert file.path.read_bytes() == b"one\nNEW\r\ntwo\r\nthree\r\nfour\n\r\n"


@given(text=st.lists(st.sampled_from(["a", "b", "é", " ", "\n", "\r\n", "\r", "\u00a0"]), max_size=30).map("".join))
def test_that_any_text_survives_reading_and_writing(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = read(tmp_path_factory.mktemp("any"), text.encode("utf-8"))
    write_text_file(file, file.text)
    assert file.path.read_bytes() == text.encode("utf-8")


def test_that_what_the_encoding_cannot_hold_is_refused_and_the_file_kept(tmp_path: Path) -> None:
    file = read(tmp_path, b"caf\xe9\n")
    with pytest.raises(InputError, match="算"):
        write_text_file(file, "算子\n")
    assert file.path.read_bytes() == b"caf\xe9\n"


def test_that_the_rights_of_a_file_are_kept(tmp_path: Path) -> None:
    file = read(tmp_path, b"#!/bin/sh\n")
    file.path.chmod(0o750)
    write_text_file(file, "#!/bin/sh\necho\n")
    assert file.path.stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize(("data", "cause"), [(b"\x7fELF\0\0", "binary"), (b" " * (MOST_BYTES + 1), "8.00 MiB")])
def test_that_what_is_no_text_for_an_editor_is_refused(tmp_path: Path, data: bytes, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        read(tmp_path, data)


def test_that_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_text_file(tmp_path / "missing.cpp")


def test_that_two_versions_of_equal_size_have_different_signatures(tmp_path: Path) -> None:
    first = read(tmp_path, b"one").signature
    other = tmp_path / "other"
    other.write_bytes(b"two")
    os.utime(other, ns=(first.modified_ns, first.modified_ns))
    other.replace(tmp_path / "file.cpp")
    assert read_text_file(tmp_path / "file.cpp").signature != first


def test_that_a_line_that_is_written_over_keeps_its_end_in_a_mixed_file(tmp_path: Path) -> None:
    file = read(tmp_path, b"one\r\ntwo\nthree\nfour\r\nfive\n")
    write_text_file(file, "ONE\ntwo\nthree\nFOUR\nfive\n")
    assert file.path.read_bytes() == b"ONE\r\ntwo\nthree\nFOUR\r\nfive\n"


@given(
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), max_size=12),
    place=st.integers(0, 40),
    typed=st.sampled_from(["x", "x\n", "x\ny", ""]),
)
def test_that_lines_beside_what_was_typed_keep_their_ends(
    tmp_path_factory: pytest.TempPathFactory, ends: list[str], place: int, typed: str
) -> None:
    # No line is like another: of equal lines nobody can tell which one is new.
    data = "".join(f"{number}{end}" for number, end in enumerate(ends))
    file = read(tmp_path_factory.mktemp("any"), data.encode("utf-8"))
    head, tail = file.text[:place], file.text[place:]
    written = write_text_file(file, head + typed + tail).data.decode("utf-8")
    assert re.sub("\r\n|\r|\n", "\n", written) == head + typed + tail
    # Whole lines before the place where something was typed, and behind it, are as they were to the byte.
    before, after = head.count("\n"), tail.count("\n")
    lines, now = re.findall("[^\r\n]*(?:\r\n|\r|\n)", data), re.findall("[^\r\n]*(?:\r\n|\r|\n)", written)
    assert now[:before] == lines[:before]
    if after > 1:
        assert now[-(after - 1) :] == lines[-(after - 1) :]


def test_that_a_large_file_with_mixed_line_ends_is_written_by_its_changes_only(tmp_path: Path) -> None:
    lines = [f"line {number % 7}" + ("\r\n" if number % 3 else "\n") for number in range(60_000)]
    file = read(tmp_path, "".join(lines).encode())
    write_text_file(file, file.text.replace("line 3\n", "line three\n", 1))
    assert file.path.read_bytes() == "".join(lines).replace("line 3", "line three", 1).encode()
