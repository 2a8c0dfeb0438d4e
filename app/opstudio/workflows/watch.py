"""The loop at every save: folders are watched, changed operators are checked, the newest save supersedes."""

from __future__ import annotations

import collections
import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

from opstudio.base.errors import InputError
from opstudio.jobs.events import JobEvent
from opstudio.jobs.lanes import Job, JobContext, Lane
from opstudio.workflows.check import CheckOptions, check_operator
from opstudio.workflows.studio import Studio
from opstudio.workspace.folder import DIST_FOLDER, STATE_FOLDER, OperatorFolder
from opstudio.workspace.operator_files import file_addresses, is_operator_file, operator_files
from opstudio.workspace.source_snapshot import HEADER_SUFFIXES, SOURCE_SUFFIXES, source_files

_QUIET_SECONDS = 0.03
"""A save is over when nothing has happened for this long: editors write, rename and touch."""
_LONGEST_WAIT_SECONDS = 0.5
_MOST_OWN_CHANGES = 5
"""A file of data that changed more often than this, always while its operator was checked, is the operator's own."""


class LiveLoop:
    """Checks operators whenever their files change, on one lane; listeners are called on that lane's thread."""

    def __init__(
        self,
        studio: Studio,
        listener: Callable[[JobEvent], None],
        *,
        operators: Iterable[str] = (),
        options: CheckOptions | None = None,
    ) -> None:
        """Prepare the loop for the named operators, or for all; ``options`` hold for every check of it."""
        self._studio = studio
        self._listener = listener
        self._names = frozenset(operators)
        self._options = options or CheckOptions()
        self._lane = Lane("loop")
        self._changes = _Changes(studio.workspace.root)
        self._known: dict[str, dict[Path, str]] = {}
        self._latest: dict[str, Job] = {}
        self._own_changes: collections.Counter[tuple[str, Path]] = collections.Counter()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="opstudio-watch", daemon=True)

    def start(self, *, check_now: bool = True) -> None:
        """Begin to watch; ``check_now`` checks every operator once."""
        for folder in self._folders():
            self._known[folder.name] = self._content(folder)
            if check_now:
                self.request(folder)
        self._changes.start()
        self._thread.start()

    def request(self, folder: OperatorFolder, options: CheckOptions | None = None) -> Job:
        """Check an operator now; an older check of it that still runs is cancelled."""
        chosen = options or self._options

        def work(context: JobContext) -> None:
            check_operator(self._studio, folder, chosen, context)

        job = Job(f"check {folder.name}", folder.name, work, self._listener)
        self._latest[folder.name] = job
        self._lane.submit(job)
        return job

    def close(self) -> None:
        """Stop watching and cancel what runs."""
        self._closing.set()
        self._changes.close()
        if self._thread.is_alive():
            self._thread.join()
        self._lane.close()

    def _folders(self) -> tuple[OperatorFolder, ...]:
        return tuple(
            folder for folder in self._studio.workspace.operators() if not self._names or folder.name in self._names
        )

    def _follow(self) -> None:
        while not self._closing.is_set():
            if not self._changes.wait_settled(self._closing):
                continue
            self._changes.follow_new_folders()
            # Contents decide, not events: a checkout of 200 files or a touched file is one look each.
            try:
                folders = self._folders()
            except InputError as error:
                self._refuse(error)
                continue
            # The operator that was saved first: to look at all of them takes its time in a large workspace.
            self._note_membership({folder.name for folder in folders})
            touched = self._changes.take_touched()
            for folder in sorted(folders, key=lambda item: not any(path.is_relative_to(item.path) for path in touched)):
                content = self._content(folder)
                before, self._known[folder.name] = self._known.get(folder.name), content
                if before is None or self._is_news(folder.name, before, content):
                    self.request(folder)

    def _note_membership(self, names: set[str]) -> None:
        """Forget operators that are gone, so that they are new when they come back; tell of any change."""
        before = set(self._known)
        for gone in before - names:
            del self._known[gone]
        if before != names:
            self.membership_changed()

    def membership_changed(self) -> None:
        """An operator came or went. For subclasses; called on the thread that watches."""

    def _is_news(self, operator: str, before: dict[Path, str], content: dict[Path, str]) -> bool:
        """Whether something changed that the operator does not write itself while it is checked: that has no end."""
        changed = {path for path, _ in before.items() ^ content.items()}
        latest = self._latest.get(operator)
        is_checked = latest is not None and not latest.done.is_set()
        for path in changed:
            if is_checked and path.suffix not in SOURCE_SUFFIXES:
                self._own_changes[operator, path] += 1
            else:
                self._own_changes.pop((operator, path), None)
        return any(self._own_changes[operator, path] <= _MOST_OWN_CHANGES for path in changed)

    def _content(self, folder: OperatorFolder) -> dict[Path, str]:
        """Return the addresses of all files that can change an operator's results: its own, and headers beside it."""
        workspace = self._studio.workspace
        own = {operator.path for operator in workspace.operators()}
        shared = [other for other in _watchable_folders(workspace.root) if other not in own]
        paths = {*source_files(folder.path), *operator_files(folder.path)}
        for other in shared:
            paths.update(source_files(other, HEADER_SUFFIXES))
        return file_addresses(paths)

    def _refuse(self, error: InputError) -> None:
        """Tell the listener that the operators cannot be listed any more; the next change is looked at again."""

        def work(_context: JobContext) -> None:
            raise error

        self._lane.submit(Job("list operators", "", work, self._listener))


class _Changes(FileSystemEventHandler):
    """Notices that something changed in a workspace, whichever way an editor saves.

    The folder itself and everything in it are watched, except what the studio or a version control system writes.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._changed = threading.Event()
        self._last = 0.0
        self._observer = Observer()
        self._touched: set[Path] = set()
        self._watched: dict[Path, tuple[int, ObservedWatch]] = {}

    def start(self) -> None:
        self._observer.schedule(self, str(self._root), recursive=False)
        self.follow_new_folders()
        self._observer.start()

    def follow_new_folders(self) -> None:
        """Watch folders that came into being since the last look, also in the place of removed ones of their name."""
        found = _watchable_folders(self._root)
        for folder, (number, watch) in list(self._watched.items()):
            if found.get(folder) != number:
                del self._watched[folder]
                with contextlib.suppress(KeyError, OSError):  # the observer may have noticed already
                    self._observer.unschedule(watch)
        for folder, number in found.items():
            if folder not in self._watched:
                with contextlib.suppress(OSError):  # it may be gone again
                    self._watched[folder] = (number, self._observer.schedule(self, str(folder), recursive=True))

    def close(self) -> None:
        # Also where it was never started: its reader runs from the moment it is made.
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in ("opened", "closed_no_write"):
            return
        paths = [Path(str(path)) for path in (event.src_path, event.dest_path) if path]
        if any(_matters(path, self._root) or (event.is_directory and path.parent == self._root) for path in paths):
            self._last = time.monotonic()
            self._touched.update(paths)
            self._changed.set()

    def take_touched(self) -> frozenset[Path]:
        """Return the paths of which something was told since the last call."""
        touched, self._touched = self._touched, set()
        return frozenset(touched)

    def wait_settled(self, closing: threading.Event) -> bool:
        """Wait for a change and for the quiet behind it; ``False`` after a while without any."""
        if not self._changed.wait(0.2):
            return False
        first = time.monotonic()
        while not closing.wait(_QUIET_SECONDS / 2):
            now = time.monotonic()
            if now - self._last >= _QUIET_SECONDS or now - first >= _LONGEST_WAIT_SECONDS:
                break
        self._changed.clear()
        return not closing.is_set()


def _watchable_folders(root: Path) -> dict[Path, int]:
    """Return the folders of a workspace that people write in, with their numbers in the file system."""
    found: dict[Path, int] = {}
    with contextlib.suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir() and entry.name != DIST_FOLDER and not entry.name.startswith("."):
                found[Path(entry.path)] = entry.inode()
    return found


def _matters(path: Path, root: Path) -> bool:
    if STATE_FOLDER in path.parts:
        return False
    if path.suffix in SOURCE_SUFFIXES:
        return True
    return path.is_relative_to(root) and path != root and is_operator_file(path, root)
