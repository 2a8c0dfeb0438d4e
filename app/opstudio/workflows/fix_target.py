"""Where a fixed model is written, and what becomes of weights that lie beside the original."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError, SetupError
from opstudio.base.files import cannot_write
from opstudio.base.finding import Place
from opstudio.base.hashing import file_address
from opstudio.model.fixes.fix import STAGE
from opstudio.model.fixes.model_tensors import all_tensors
from opstudio.model.graph.external_data import ExternalFiles
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.tensor_records import ExternalBytes


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOrder:
    """Where to write. ``force`` replaces what stands there, ``copy_weights`` brings weights to another folder."""

    path: Path
    force: bool = False
    copy_weights: bool = False


def check_output(model: ModelRecord, order: OutputOrder) -> None:
    """Make sure that a changed model may be written.

    Raises:
        InputError: the place is the model itself, one of its weights, taken, or no place for a file; or weights would
            not be found from there.
    """
    path = order.path
    if _is_same(path, model.path):
        raise _refused(path, "it is the model itself", "Name a new file; the original is never changed")
    check_weights(model, path)
    if not path.parent.is_dir():
        raise _refused(path, f"there is no folder {path.parent}", "Make the folder first, or correct the path")
    if path.is_dir():
        raise _refused(path, "it is a folder", "Name a file in it")
    if path.exists() and not path.is_file():
        raise _refused(path, "it is a pipe, a socket or a device", "Name a file")
    if path.exists() and not order.force:
        raise _refused(path, "there is a file already", "Take another name, or replace it with --force")
    list(_to_copy(order, weight_files(model)))


def check_weights(model: ModelRecord, output: Path) -> None:
    """Make sure that a changed model is not put in the place of weights: the original's, or those it found anew.

    Raises:
        InputError: it would be.
    """
    if any(_is_same(output, used) for used in weight_files(model).values()):
        raise _refused(output, "it is a file with weights of the model", "Name a new file; weights are never changed")


def _to_copy(order: OutputOrder, weights: dict[str, Path]) -> Iterator[tuple[Path, Path]]:
    """Yield the weights that are not found from the new place, with where they belong."""
    missing: list[str] = []
    for location, source in weights.items():
        target = order.path.parent / location
        if _is_same(target, source):
            continue
        if not order.copy_weights:
            missing.append(location)
        elif not target.exists():
            yield source, target
        elif not target.is_file() or file_address(target) != file_address(source):
            raise _refused(target, "another file stands where the weights belong", "Choose another folder")
    if missing:
        more = f" and {len(missing) - 1} more files" if len(missing) > 1 else ""
        raise _refused(
            order.path,
            f"the weights in {missing[0]}{more} lie beside the original, and a model may only name files of its own "
            "folder",
            "Write it beside the original, or copy the weights as well: --copy-weights",
        )


class CarriedWeights:
    """Brings weights to the folder of the output, as models name them there. ``copied`` are the new files."""

    def __init__(self, original: Path, order: OutputOrder) -> None:
        self.copied: list[Path] = []
        self._files = ExternalFiles(original)
        self._order = order
        self._made: list[Path] = []
        self._seen: set[str] = set()

    def bring(self, model: ModelRecord) -> bool:
        """Copy what a model names, of the original's folder, and does not find; return whether there was any.

        Raises:
            InputError: there is some, and it may not be copied.
            SetupError: a file cannot be written.
        """
        named = {place: file for place, file in self._named(model).items() if place not in self._seen}
        self._seen.update(named)
        new = dict.fromkeys(_to_copy(self._order, named))
        for source, target in new:
            try:
                for folder in reversed([folder for folder in target.parents if not folder.exists()]):
                    folder.mkdir()
                    self._made.append(folder)
                self.copied.append(target)
                shutil.copyfile(source, target)
            except OSError as error:
                raise _cannot_write(target, error) from error
        return bool(new)

    def remove(self) -> None:
        """Remove the copies, and the folders that were made for them."""
        for path in self.copied:
            with contextlib.suppress(OSError):
                path.unlink()
        for folder in reversed(self._made):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _named(self, model: ModelRecord) -> dict[str, Path]:
        """Return the files of the original's folder that a model names, by their locations."""
        found: dict[str, Path] = {}
        for tensor in all_tensors(model):
            if isinstance(data := tensor.data, ExternalBytes):
                file = self._files.locate(data.location)
                if file.path is not None and file.size >= data.offset + data.length:
                    found[data.location] = file.path
        return found


@contextmanager
def carried_weights(original: Path, order: OutputOrder) -> Iterator[CarriedWeights]:
    """Give what brings weights to the output; they are removed again where the work with them fails."""
    carried = CarriedWeights(original, order)
    try:
        yield carried
    except BaseException:
        carried.remove()
        raise


@contextmanager
def temporary_files(output: Path) -> Iterator[Iterator[Path]]:
    """Give an endless row of files beside the output, from where weights are found as well; all are removed at the end.

    Raises:
        SetupError: the folder cannot be written.
    """
    made: list[Path] = []

    def names() -> Iterator[Path]:
        while True:
            try:
                handle, name = tempfile.mkstemp(prefix=f".{output.name[:40]}.", suffix=".part", dir=output.parent)
            except OSError as error:
                raise _cannot_write(output, error) from error
            os.close(handle)
            made.append(Path(name))
            yield made[-1]

    try:
        yield names()
    finally:
        for path in made:
            with contextlib.suppress(OSError):
                path.unlink()


def put_in_place(temporary: Path, output: Path, model: Path) -> None:
    """Make the temporary file the output in one step, with the rights of the original; its owner may change it.

    Raises:
        SetupError: it cannot be moved.
    """
    try:
        temporary.chmod(stat.S_IMODE(model.stat().st_mode) | stat.S_IWUSR)
        temporary.replace(output)
    except OSError as error:
        raise _cannot_write(output, error) from error


def weight_files(model: ModelRecord) -> dict[str, Path]:
    """Return the files of weights beside a model by their locations; those that cannot be read are no loss."""
    found: dict[str, Path] = {}
    for tensor in all_tensors(model):
        if isinstance(tensor.data, ExternalBytes) and tensor.data.path is not None:
            found[tensor.data.location] = tensor.data.path
    return found


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except (OSError, ValueError):
        return os.path.realpath(first) == os.path.realpath(second)


def _cannot_write(path: Path, error: OSError) -> SetupError:
    """Turn the system's refusal to write an output into an error that says what to do."""
    reasons = {
        errno.EROFS: "the file system is read-only",
        errno.EACCES: "you may not write there",
        errno.EPERM: "you may not write there",
    }
    cause = reasons.get(error.errno or 0)
    if cause is None:
        return cannot_write(path, error)
    fix = "Name an output in a folder that you may write"
    return SetupError.of(f"Cannot write {path}", cause=cause, fix=fix, stage=STAGE, place=Place(file=str(path)))


def _refused(path: Path, cause: str, fix: str) -> InputError:
    return InputError.of(f"{path} cannot be written", cause=cause, fix=fix, stage=STAGE, place=Place(file=str(path)))
