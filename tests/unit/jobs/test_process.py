"""Programs run to their end: status, output, environment, limits."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from opstudio.base.errors import SetupError
from opstudio.jobs.process import ProcessOutcome, run_process


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def shell(code: str) -> list[str]:
    return ["/bin/sh", "-c", code]


@pytest.mark.parametrize("status", [0, 1, 77, 255])
def test_that_the_status_of_a_program_arrives(status: int) -> None:
    outcome = run_process(shell(f"exit {status}"))

    assert (status, status == 0, "") == (outcome.status, outcome.succeeded, outcome.output)


def test_that_a_program_ended_by_a_signal_has_its_negative_number() -> None:
    outcome = run_process(shell("kill -SEGV $$"))

    assert (outcome.status, outcome.succeeded) == (-11, False)


def test_that_both_streams_arrive_in_the_order_they_were_written() -> None:
    outcome = run_process(shell("echo one; echo two >&2; echo three"))

    assert outcome.output == "one\ntwo\nthree\n"


def test_that_output_is_handed_on_while_the_program_runs() -> None:
    pieces: list[tuple[float, str]] = []

    start = time.monotonic()
    outcome = run_process(
        shell("echo first; sleep 0.4; echo second"),
        on_output=lambda text: pieces.append((time.monotonic() - start, text)),
    )

    assert [text for _, text in pieces] == ["first\n", "second\n"]
    assert pieces[1][0] - pieces[0][0] > 0.3
    assert outcome.seconds >= 0.4


def test_that_arguments_reach_the_program_as_they_are() -> None:
    arguments = ["a b", "$HOME", "*", "'", '"', "中文", ""]

    outcome = run_process([*python("import sys; print(sys.argv[1:])"), *arguments])

    assert f"{arguments}\n" == outcome.output
    assert shlex.split(outcome.command_line) == list(outcome.command)


def test_that_folder_and_environment_are_those_that_were_given(tmp_path: Path) -> None:
    code = "import os; print(os.getcwd(), sorted(os.environ.items()))"

    outcome = run_process(python(code), cwd=tmp_path, environment={"ONLY": "this", "LC_ALL": "C.UTF-8"})

    assert f"{tmp_path} [('LC_ALL', 'C.UTF-8'), ('ONLY', 'this')]\n" == outcome.output


def test_that_a_program_inherits_the_environment_of_the_studio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPSTUDIO_TEST_WORD", "inherited")

    assert run_process(shell("echo $OPSTUDIO_TEST_WORD")).output == "inherited\n"


def test_that_a_program_reads_nothing_of_what_is_typed_for_the_studio() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"typed\n")
    os.close(writing)
    before = os.dup(0)
    os.dup2(reading, 0)
    try:
        outcome = run_process(shell("cat; echo end"))
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(reading)

    assert outcome.output == "end\n"


def test_that_a_program_has_a_session_of_its_own() -> None:
    outcome = run_process(python("import os; print(os.getsid(0) == os.getpgid(0) == os.getpid())"))

    assert outcome.output == "True\n"


@pytest.mark.parametrize("name", ["opstudio-no-such-program", "/no/such/place/gcc"])
def test_that_a_missing_program_is_a_matter_of_setup(name: str) -> None:
    with pytest.raises(SetupError) as caught:
        run_process([name, "--version"])

    (finding,) = caught.value.findings
    assert (f"Cannot start {name}", "No such file or directory") == (finding.title, finding.cause)
    assert Path(name).name in finding.fix


def test_that_a_file_without_the_right_to_run_is_a_matter_of_setup(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\n")

    with pytest.raises(SetupError, match="Permission denied"):
        run_process([str(tmp_path / "tool")])


def test_that_a_missing_folder_is_not_taken_for_a_missing_program(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as caught:
        run_process(["/bin/sh", "-c", "exit 0"], cwd=tmp_path / "gone")

    assert str(tmp_path / "gone") in f"{caught.value.findings[0].title} {caught.value.findings[0].cause}"


def test_that_bytes_which_are_no_text_do_not_stop_the_program() -> None:
    outcome = run_process(python("import sys; sys.stdout.buffer.write(b'a\\xff\\x00b')"))

    assert outcome.output == "a\ufffd\x00b"


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.stdout.buffer.write(('x' + '中' * 100_000).encode())",
        "import os, time; os.write(1, '中'.encode()[:1]); time.sleep(0.2); os.write(1, '中'.encode()[1:])",
    ],
)
def test_that_characters_of_several_bytes_arrive_whole(code: str) -> None:
    assert "\ufffd" not in run_process(python(code)).output


def test_that_endless_output_keeps_its_beginning_and_its_end_in_bounded_memory() -> None:
    code = "print('the first error')\nfor _ in range(150_000): print('x' * 79)\nprint('last')"

    output = run_process(python(code)).output

    assert output.startswith("the first error\n")
    assert output.endswith("x\nlast\n")
    assert len(output) < 5 * 2**20
    left_out = int(output.partition("\n… ")[2].partition(" characters left out")[0])
    assert len("the first error\n") + 80 * 150_000 + len("last\n") == (
        len(output) - len(f"\n… {left_out} characters left out …\n") + left_out
    )


def test_that_the_beginning_stays_where_it_comes_in_small_pieces() -> None:
    code = "printf compiling; sleep 0.2; printf 'the first error'; sleep 0.2; head -c 6000000 /dev/zero"

    output = run_process(shell(code)).output

    assert "the first error" in output


def test_that_an_outcome_is_written_as_one_would_type_it() -> None:
    outcome = ProcessOutcome(command=("g++", "-DA=b c", "x.cpp"), status=0, output="", seconds=0.0)

    assert outcome.command_line == "g++ '-DA=b c' x.cpp"


@pytest.mark.parametrize("code", ["exec >&- 2>&-; sleep 0.3; exit 3", "exec >/dev/null 2>&1; sleep 0.3; exit 3"])
def test_that_a_program_may_close_its_output_before_it_ends(code: str) -> None:
    assert run_process(shell(code)).status == 3


def test_that_a_program_which_ends_at_once_is_never_ended_from_outside() -> None:
    statuses = {run_process(["/bin/ls", "/"]).status for _ in range(50)}

    assert statuses == {0}


def test_that_a_folder_which_may_not_be_entered_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(SetupError) as caught:
        run_process(["/bin/sh", "-c", "exit 0"], cwd=tmp_path / "file")

    (finding,) = caught.value.findings
    assert (f"Cannot start /bin/sh in {tmp_path / 'file'}", f"{tmp_path / 'file'}: Not a directory") == (
        finding.title,
        finding.cause,
    )
