"""TOML files read strictly: every unknown key and wrong type is reported at its line, all of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import EllipsisType
from typing import Any

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Place, Severity
from opstudio.base.names import did_you_mean, nearest_name
from opstudio.base.toml_positions import TomlPath, find_position
from opstudio.base.toml_text import TomlTextError, parse_toml
from opstudio.base.toml_values import is_of, shown, to_float, type_words


class TomlDocument:
    """One file and the problems found in it so far."""

    def __init__(self, path: Path, stage: str, text: str, data: dict[str, Any]) -> None:
        self.path = path
        self.stage = stage
        self.text = text
        self.data = data
        self._problems: list[tuple[TomlPath, Finding]] = []
        self._doubted: set[TomlPath] = set()

    @classmethod
    def read(cls, path: Path, *, stage: str) -> TomlDocument:
        """Read a file.

        Raises:
            InputError: it cannot be read or is not TOML (with line and column).
        """
        try:
            # Editors of Windows begin UTF-8 with a mark, which is no part of the text.
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            cause = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InputError.of(
                f"Cannot read {path}",
                cause=cause,
                fix="Check the path, its rights and that the text is UTF-8",
                stage=stage,
                place=Place(file=str(path)),
            ) from error
        try:
            return cls(path, stage, text, parse_toml(text))
        except TomlTextError as error:
            raise InputError(
                Finding(
                    id="CON005",
                    stage=stage,
                    title="Not a TOML file",
                    cause=str(error),
                    fix="Mend the line; https://toml.io describes the format",
                    places=(Place(file=str(path), line=error.line, column=error.column),),
                )
            ) from error

    @property
    def root(self) -> Table:
        """The top of the document."""
        return Table(self, (), self.data)

    def report(
        self,
        finding_id: str,
        path: TomlPath,
        *,
        title: str,
        cause: str,
        fix: str,
        at_value: bool = False,
    ) -> None:
        """Note a problem at a key (or at its value)."""
        finding = Finding(
            id=finding_id,
            stage=self.stage,
            severity=Severity.ERROR,
            title=title,
            cause=cause,
            fix=fix,
            places=(self.place(path, at_value=at_value),),
        )
        self._problems.append((path, finding))

    def doubt(self, path: TomlPath) -> None:
        """Note that a key is missing because it was mistyped, which is reported already."""
        self._doubted.add(path)

    def doubts(self, *path: str | int | EllipsisType) -> bool:
        """Whether a problem was noted at a key, around it or below it, so that its value says nothing.

        ``...`` stands for any key or index.
        """
        noted = [*(known for known, _ in self._problems), *self._doubted]
        return any(
            all(wanted is ... or part == wanted for part, wanted in zip(known, path, strict=False)) for known in noted
        )

    def place(self, path: TomlPath, *, at_value: bool = False) -> Place:
        """Return where a key (or its value) stands."""
        position = find_position(self.text, path, "value" if at_value else "key")
        if position is None:
            return Place(file=str(self.path))
        return Place(file=str(self.path), line=position.line, column=position.column)

    def raise_problems(self) -> None:
        """Raise all problems noted so far as one error, in the order of their places.

        What is wrong below a key that is wrong itself, or missing because it was mistyped, is a consequence and left
        out.

        Raises:
            InputError: there are problems.
        """
        told = [finding for path, finding in self._problems if not self._is_consequence(path)]
        if told:
            raise InputError(sorted(told, key=_order))

    def _is_consequence(self, path: TomlPath) -> bool:
        around = any(path[: len(known)] == known and path != known for known, _ in self._problems)
        return around or any(path[: len(known)] == known for known in self._doubted)


def _order(finding: Finding) -> tuple[int, int]:
    return finding.places[0].line or 0, finding.places[0].column or 0


class Table:
    """One table of a document; reading a key marks it as known."""

    def __init__(self, document: TomlDocument, path: TomlPath, data: Mapping[str, Any]) -> None:
        self.document = document
        self.path = path
        self._data = data
        self._known: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def keys(self) -> tuple[str, ...]:
        """Return the keys as they stand in the file."""
        return tuple(self._data)

    def value(self, key: str) -> Any:
        """Return a value as it is, or ``None``."""
        self._known.add(key)
        return self._data.get(key)

    def text(self, key: str, default: str | None = None, *, choices: Iterable[str] = ()) -> str:
        """Return a string; one without a default must be there. ``choices`` are offered to those who forget it."""
        return str(self._typed(key, str, default, "", choices))

    def optional_text(self, key: str) -> str | None:
        """Return a string or ``None``."""
        self._known.add(key)
        return self.text(key) if key in self else None

    def integer(self, key: str, default: int | None = None) -> int:
        """Return an integer; one without a default must be there."""
        return int(self._typed(key, int, default, 0))

    def boolean(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        return bool(self._typed(key, bool, default, False))

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number; integers count."""
        return to_float(self._typed(key, float, default, 0.0))

    def texts(self, key: str, default: Iterable[str] = ()) -> tuple[str, ...]:
        """Return a list of strings."""
        return tuple(self._items(key, str, default))

    def numbers(self, key: str, default: Iterable[float] = ()) -> tuple[float, ...]:
        """Return a list of numbers."""
        return tuple(to_float(item) for item in self._items(key, float, default))

    def table(self, key: str) -> Table:
        """Return a table; an absent one is empty."""
        value = self.value(key)
        if value is not None and not isinstance(value, dict):
            self._wrong_type(key, "a table", value)
        return Table(self.document, (*self.path, key), value if isinstance(value, dict) else {})

    def tables(self, key: str) -> tuple[Table, ...]:
        """Return an array of tables; an absent one is empty."""
        value = self.value(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._wrong_type(key, f"an array of tables ([[{key}]])", value)
            return ()
        return tuple(Table(self.document, (*self.path, key, index), item) for index, item in enumerate(value))

    def report(self, key: str, *, cause: str, fix: str, title: str = "") -> None:
        """Note that the value of a key makes no sense."""
        self.document.report(
            "CON004", (*self.path, key), title=title or f"{key} cannot be used", cause=cause, fix=fix, at_value=True
        )

    def finish(self) -> None:
        """Note every key that nobody read."""
        for key in self._data:
            if key in self._known:
                continue
            where = "".join(f" in [{part}]" for part in self.path[:1])
            self.document.report(
                "CON001",
                (*self.path, key),
                title=f"Unknown key {key}{where}",
                cause=f"the studio does not know {key} here; {did_you_mean(key, self._known)}",
                fix="Correct the key or remove it",
            )
            if (meant := nearest_name(key, self._known)) is not None and meant not in self:
                self.document.doubt((*self.path, meant))

    def _typed(self, key: str, kind: type, default: object, fallback: Any, choices: Iterable[str] = ()) -> Any:
        value = self.value(key)
        if value is None:
            if default is None:
                self._missing(key, choices)
                return fallback
            return default
        if not is_of(value, kind):
            self._wrong_type(key, type_words(kind), value)
            return fallback if default is None else default
        return value

    def _items(self, key: str, kind: type, default: Iterable[Any]) -> Iterable[Any]:
        value = self.value(key)
        if value is None:
            return default
        if not isinstance(value, list):
            self._wrong_type(key, "a list", value)
            return default
        for index, item in enumerate(value):
            if not is_of(item, kind):
                self._wrong_type(key, type_words(kind), item, index=index)
                return default
        return value

    def _missing(self, key: str, choices: Iterable[str]) -> None:
        listed = ", ".join(f'"{choice}"' for choice in choices)
        self.document.report(
            "CON003",
            (*self.path, key),
            title=f"{key} is missing",
            cause=f"{self._words} needs {key}",
            fix=f"Add {key} = … with one of {listed}" if listed else f"Add {key} = …",
        )

    @property
    def _words(self) -> str:
        """The table in words: an element of an array goes by its name, or by its place where it has none."""
        match self.path:
            case ():
                return "the file"
            case (*around, str(kind), int(index)):
                name = self._data.get("name")
                which = name if isinstance(name, str) and name else f"number {index + 1}"
                return f"[[{'.'.join(map(str, [*around, kind]))}]] {which}"
        return f"[{'.'.join(map(str, self.path))}]"

    def _wrong_type(self, key: str, wanted: str, value: object, *, index: int | None = None) -> None:
        path = (*self.path, key) if index is None else (*self.path, key, index)
        self.document.report(
            "CON002",
            path,
            title=f"{key} has the wrong type",
            cause=f"{key} must be {wanted}, not {type_words(type(value))} ({shown(value)})",
            fix=f"Give {wanted}",
            at_value=True,
        )
