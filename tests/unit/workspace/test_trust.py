"""Trust in workspaces: what the user said of a folder holds for that folder, here and nowhere else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from opstudio.base.assets import asset_root
from opstudio.base.errors import SetupError
from opstudio.workspace.folder_identity import identity_of
from opstudio.workspace.trust import Trust, UntrustedError, workspace_around
from tests.support.limits import make_read_only, public_folder, run_as_ordinary_user, tiny_disk
from tests.support.workspaces import command_environment

CLOCK_SECONDS = 0.02
"""Folders made within one tick of the file system's clock have the same time."""


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "state" / "opstudio" / "trusted"


@pytest.fixture
def trust(records: Path) -> Trust:
    return Trust(records)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "work")


def make(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "opstudio.toml").write_text("[workspace]\n", encoding="utf-8")
    return folder


def again(records: Path) -> Trust:
    """Return what another process sees."""
    return Trust(records)


def test_that_nothing_is_trusted_before_it_was_granted(trust: Trust, root: Path) -> None:
    assert not trust.is_trusted(root)
    with pytest.raises(UntrustedError) as caught:
        trust.require(root)

    (finding,) = caught.value.findings
    assert (finding.id, finding.places[0].file) == ("STU007", str(root))
    assert str(root) in finding.title
    assert "native code as you" in finding.cause
    assert finding.fix.startswith("Review it, then add --trust")


def test_that_a_grant_holds_for_other_processes(trust: Trust, records: Path, root: Path) -> None:
    trust.grant(root)

    assert again(records).is_trusted(root)
    again(records).require(root)
    assert [record.root for record in again(records).records()] == [str(root)]


def test_that_the_record_is_kept_outside_of_the_workspace(trust: Trust, root: Path) -> None:
    before = sorted(root.rglob("*"))

    trust.grant(root)

    assert sorted(root.rglob("*")) == before


def edit_settings(root: Path) -> None:
    (root / "opstudio.toml").write_text('[workspace]\nname = "other"\n', encoding="utf-8")


def save_settings_by_renaming(root: Path) -> None:
    beside = root / "opstudio.toml~"
    beside.write_text('[workspace]\nname = "other"\n', encoding="utf-8")
    beside.replace(root / "opstudio.toml")


def check_another_branch_out(root: Path) -> None:
    run = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(root)]
    for command in (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "."),
        ("commit", "--quiet", "-m", "one"),
        ("checkout", "--quiet", "--orphan", "other"),
        ("rm", "--quiet", "-r", "-f", "."),
    ):
        subprocess.run([*run, *command], check=True)
    (root / "other.txt").touch()
    subprocess.run([*run, "add", "."], check=True)
    subprocess.run([*run, "commit", "--quiet", "-m", "two"], check=True)
    subprocess.run([*run, "checkout", "--quiet", "main"], check=True)


def delete_all_files(root: Path) -> None:
    for path in root.iterdir():
        path.unlink()
    edit_settings(root)


def change_rights_and_times(root: Path) -> None:
    root.chmod(0o700)
    os.utime(root, (0, 0))


@pytest.mark.parametrize(
    "work",
    [
        edit_settings,
        save_settings_by_renaming,
        check_another_branch_out,
        delete_all_files,
        change_rights_and_times,
    ],
)
def test_that_ordinary_work_never_asks_again(
    trust: Trust, records: Path, root: Path, work: Callable[[Path], None]
) -> None:
    trust.grant(root)
    time.sleep(CLOCK_SECONDS)

    work(root)

    assert again(records).is_trusted(root)


def test_that_a_moved_or_copied_workspace_asks_again(trust: Trust, records: Path, root: Path, tmp_path: Path) -> None:
    trust.grant(root)
    shutil.copytree(root, tmp_path / "copy")
    root.rename(tmp_path / "moved")

    assert not again(records).is_trusted(tmp_path / "copy")
    assert not again(records).is_trusted(tmp_path / "moved")
    (tmp_path / "moved").rename(root)
    assert again(records).is_trusted(root)


def test_that_another_folder_at_the_path_asks_again(trust: Trust, records: Path, root: Path) -> None:
    trust.grant(root)
    inode = root.stat().st_ino
    shutil.rmtree(root)
    time.sleep(CLOCK_SECONDS)
    make(root)

    # Most file systems give the inode to the next folder at once: it tells nothing.
    assert not again(records).is_trusted(root), f"inode {inode}, now {root.stat().st_ino}"
    assert not trust.is_trusted(root)
    assert "another folder stands there" in trust.doubt(root)
    assert [record.holds for record in trust.records()] == [False]
    trust.grant(root)
    assert again(records).is_trusted(root)


def test_that_a_folder_that_is_gone_is_not_trusted(trust: Trust, root: Path) -> None:
    trust.grant(root)
    shutil.rmtree(root)

    assert not trust.is_trusted(root)
    with pytest.raises(SetupError, match="no such folder"):
        trust.grant(root)


def test_that_the_time_of_a_folder_is_that_of_the_system(root: Path) -> None:
    told = subprocess.run(
        ["stat", "--format=%.9W %i", str(root)],  # noqa: S607 - wherever the system has it
        capture_output=True,
        text=True,
        check=True,
    )
    created, inode = told.stdout.split()

    identity = identity_of(root)

    assert identity is not None
    assert identity.inode == int(inode)
    seconds, _, nanoseconds = created.partition(".")
    assert identity.created_ns == int(seconds) * 10**9 + int(nanoseconds or 0)


def test_that_the_first_write_into_a_layer_does_not_ask_again(trust: Trust, records: Path, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting layers needs root")
    layers = {name: tmp_path / name for name in ("lower", "upper", "work", "merged")}
    make(layers["lower"] / "ws")
    for folder in layers.values():
        folder.mkdir(exist_ok=True)
    options = f"lowerdir={layers['lower']},upperdir={layers['upper']},workdir={layers['work']}"
    command = ["mount", "-t", "overlay", "overlay", "-o", options, str(layers["merged"])]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"no layers can be mounted here: {mounted.stderr.strip()}")
    try:
        time.sleep(CLOCK_SECONDS)
        trust.grant(layers["merged"] / "ws")
        (layers["merged"] / "ws" / ".opstudio").mkdir()

        assert again(records).is_trusted(layers["merged"] / "ws")
    finally:
        subprocess.run(["umount", str(layers["merged"])], check=True)  # noqa: S607 - wherever the system has it


def test_that_a_link_is_what_it_leads_to(trust: Trust, records: Path, root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    trust.grant(tmp_path / "link")

    assert again(records).is_trusted(root)
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(make(tmp_path / "other"))
    assert not again(records).is_trusted(tmp_path / "link")


def test_that_folders_inside_belong_to_a_trusted_workspace(trust: Trust, root: Path) -> None:
    inner = make(root / "vendor" / "inner")
    trust.grant(root)

    assert trust.warrant(inner) == root
    (root / "opstudio.toml").unlink()
    assert trust.is_trusted(root)
    assert not trust.is_trusted(inner), "what is no workspace any more has nothing inside"


def test_that_folders_around_and_beside_do_not(trust: Trust, root: Path) -> None:
    inner = make(root / "inner")
    trust.grant(inner)

    assert not trust.is_trusted(root)
    assert not trust.is_trusted(make(root.with_name("work2")))


def test_that_a_link_out_of_a_trusted_workspace_leads_out_of_it(trust: Trust, root: Path, tmp_path: Path) -> None:
    trust.grant(root)
    (root / "link").symlink_to(make(tmp_path / "elsewhere"))

    assert not trust.is_trusted(root / "link")


def test_that_what_comes_with_the_studio_is_trusted() -> None:
    kernels = asset_root("kernels")

    assert Trust.of_user().is_trusted(kernels)
    assert Trust.of_user().is_trusted(kernels / "relu6_scale")
    assert not Trust.of_user().is_trusted(kernels.parent)


def test_that_a_revoked_workspace_asks_again(trust: Trust, records: Path, root: Path) -> None:
    trust.grant(root)

    assert trust.revoke(root)
    assert not trust.is_trusted(root)
    assert not again(records).is_trusted(root)
    assert not trust.revoke(root)


def test_that_a_record_which_cannot_be_removed_is_told(root: Path, tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        trust = Trust(disk / "trusted")
        trust.grant(root)
        (record,) = (disk / "trusted").iterdir()
        make_read_only(disk)

        with pytest.raises(SetupError, match="stays trusted: the file system is read-only") as caught:
            trust.revoke(root)

        assert caught.value.findings[0].fix == f"Remove {record}"
        assert again(disk / "trusted").is_trusted(root)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b"[" * 200_000,
        b'{"root": 3}',
        b'{"root": "/", "identity": {"created_ns": true, "inode": 1}}',
        b'{"root": "\\ud800\\u0000", "identity": {"created_ns": null, "inode": 1}}',
    ],
)
def test_that_a_damaged_record_trusts_nothing_and_stops_nothing(
    trust: Trust, records: Path, root: Path, tmp_path: Path, content: bytes
) -> None:
    other = make(tmp_path / "other")
    trust.grant(root)
    (record,) = records.glob("*.json")
    trust.grant(other)
    record.write_bytes(content)

    assert not again(records).is_trusted(root)
    assert again(records).is_trusted(other)
    assert str(other) in [item.root for item in again(records).records() if item.holds]
    again(records).grant(root)
    assert again(records).is_trusted(root)


def test_that_a_record_speaks_of_its_own_path_only(trust: Trust, records: Path, root: Path, tmp_path: Path) -> None:
    trust.grant(root)
    (record,) = records.glob("*.json")
    text = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps({**text, "root": str(make(tmp_path / "other"))}), encoding="utf-8")

    assert not again(records).is_trusted(root)
    assert not again(records).is_trusted(tmp_path / "other")


def test_that_records_which_cannot_be_read_trust_nothing(trust: Trust, records: Path, root: Path) -> None:
    trust.grant(root)
    shutil.rmtree(records)
    records.write_text("a file", encoding="utf-8")

    assert not again(records).is_trusted(root)
    assert again(records).records() == ()
    assert not again(records).revoke(root)


def test_that_two_studios_at_once_lose_nothing(records: Path, tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom opstudio.workspace.trust import Trust\n"
        "trust = Trust(Path(sys.argv[1]))\nfor root in sys.argv[2:]: trust.grant(Path(root))\n"
    )
    roots = [make(tmp_path / f"work {number}") for number in range(20)]
    # Each has ten workspaces of its own, and both have ten.
    shares = (roots[:15], roots[5:])
    both = [
        subprocess.Popen([sys.executable, "-c", script, str(records), *map(str, share)], env=command_environment())
        for share in shares
    ]

    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert all(again(records).is_trusted(root) for root in roots)
    assert [path.suffix for path in records.iterdir()] == [".json"] * len(roots)


def test_that_a_grant_which_cannot_be_kept_holds_for_this_run(root: Path, tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        make_read_only(disk)
        trust = Trust(disk / "opstudio" / "trusted")

        with pytest.raises(SetupError) as caught:
            trust.grant(root)

        assert "for this run only" in caught.value.findings[0].title
        assert "read-only" in caught.value.findings[0].cause
        assert trust.is_trusted(root)
        assert not again(disk / "opstudio" / "trusted").is_trusted(root)


def test_that_a_state_folder_of_somebody_else_is_told() -> None:
    def attempt() -> str:
        with public_folder() as folder:
            work = make(folder / "work")
            state = folder / "state"
            state.mkdir(mode=0o500)
            try:
                Trust(state / "opstudio" / "trusted").grant(work)
            except SetupError as error:
                return error.findings[0].cause
            return "granted"

    assert "you may not write there" in run_as_ordinary_user(attempt)


def test_that_without_a_state_folder_a_grant_holds_for_this_run(root: Path) -> None:
    trust = Trust(None)

    with pytest.raises(SetupError, match="no home folder"):
        trust.grant(root)

    assert trust.is_trusted(root)
    assert trust.records() == ()
    assert trust.revoke(root)
    assert not trust.is_trusted(root)


@pytest.mark.parametrize(
    ("named", "expected"),
    [("{home}/state", "state"), ("", ".local/state"), ("relative/state", ".local/state")],
)
def test_that_records_lie_where_the_directory_specification_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path, named: str, expected: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", named.format(home=tmp_path / "home"))
    monkeypatch.chdir(root)

    Trust.of_user().grant(root)

    assert len(list((tmp_path / "home" / expected / "opstudio" / "trusted").glob("*.json"))) == 1
    assert (tmp_path / "home" / expected / "opstudio" / "trusted").stat().st_mode & 0o777 == 0o700


def test_that_a_path_which_is_not_text_is_a_path_like_any_other(trust: Trust, records: Path, tmp_path: Path) -> None:
    root = make(Path(os.fsdecode(os.fsencode(tmp_path / "w") + b"\xff\xe4")))

    trust.grant(root)

    assert again(records).is_trusted(root)


def test_that_a_file_belongs_to_the_nearest_workspace_around_it(root: Path, tmp_path: Path) -> None:
    inner = make(root / "inner")

    assert workspace_around(inner / "a" / "model.py") == inner
    assert workspace_around(root / "model.py") == root
    assert workspace_around(tmp_path / "model.py") is None
