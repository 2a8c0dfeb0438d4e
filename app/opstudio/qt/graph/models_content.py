"""What the panel Models lists: read from the session that owns the open model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from opstudio.base.finding import Finding
from opstudio.model.graph.records import FunctionRecord
from opstudio.model.graph.value_index import ModelIndex, Scope
from opstudio.qt.graph.graph_session import GraphSession, GraphState
from opstudio.qt.models.model_tree import GraphEntry, LibraryEntry, OpenModel
from opstudio.qt.models.state_marks import Mark
from opstudio.workflows.graph import GraphReport


def open_model(session: GraphSession) -> OpenModel | None:
    """Return the open model in a few words, with its graphs."""
    translate = QCoreApplication.translate
    if session.path is None:
        return None
    if session.state is GraphState.FAILING:
        reason = session.findings[0].title if session.findings else ""
        mark = Mark("bad", "bad", translate("Models", "cannot be read"))
        return OpenModel(path=session.path, detail=mark.word, mark=mark, reason=reason)
    if session.index is None:
        mark = Mark("running", "info", translate("Models", "being read"))
        return OpenModel(path=session.path, detail=mark.word, mark=mark)
    return OpenModel(
        path=session.path,
        detail=_counts(session.index, session.report),
        mark=_mark(session),
        reason="" if session.report is not None or session.is_resolving else _first_title(session.findings),
        graphs=tuple(_graphs(session.index)),
    )


def library_entries(session: GraphSession) -> tuple[LibraryEntry, ...]:
    """Return the libraries and whether each can be used."""
    return tuple(_library(session, path) for path in session.libraries)


def _counts(index: ModelIndex, report: GraphReport | None) -> str:
    """Return how many nodes nobody implements, or else how many there are: for both a long name leaves no room."""
    missing = 0 if report is None else sum(1 for _ in report.evidence.unresolved())
    if missing:
        return QCoreApplication.translate("Models", "{0} unresolved").format(f"{missing:,}")
    return _nodes(sum(len(scope.content.nodes) for scope in index.scopes()))


def _nodes(count: int) -> str:
    if count == 1:
        return QCoreApplication.translate("Models", "1 node")
    return QCoreApplication.translate("Models", "{0} nodes").format(f"{count:,}")


def _mark(session: GraphSession) -> Mark:
    translate = QCoreApplication.translate
    if session.is_resolving:
        return Mark("running", "info", translate("Models", "who implements its nodes is being looked up"))
    if session.report is None:
        return Mark("unknown", "text_2", translate("Models", "who implements its nodes is not known"))
    if session.report.is_accepted:
        return Mark("good", "good", translate("Models", "a session takes it"))
    return Mark("bad", "bad", translate("Models", "a session refuses it"))


def _graphs(index: ModelIndex) -> Iterator[GraphEntry]:
    """Yield the graphs below the main one, and the functions, each before what is nested in it."""
    names = Counter(
        _short_title(scope.content) for scope in index.scopes() if isinstance(scope.content, FunctionRecord)
    )
    for scope in index.scopes():
        if scope is not index.main:
            count = _nodes(len(scope.content.nodes))
            is_function = isinstance(scope.content, FunctionRecord)
            yield GraphEntry(
                scope=scope.path,
                title=_title(scope, names),
                detail=count,
                depth=_depth(scope, index),
                is_function=is_function,
            )


def _depth(scope: Scope, index: ModelIndex) -> int:
    depth, around = 0, scope.parent
    while around is not None and around is not index.main:
        depth, around = depth + 1, around.parent
    return depth


def _title(scope: Scope, names: Mapping[str, int]) -> str:
    content = scope.content
    if isinstance(content, FunctionRecord):
        # Domains of exporters are long and the same for all; the tip tells them.
        short = _short_title(content)
        return short if names[short] == 1 else content.title
    # The node, and the attribute that holds the graph.
    return " · ".join(scope.path[-2:])


def _short_title(function: FunctionRecord) -> str:
    return function.title.removeprefix(f"{function.domain}:")


def _library(session: GraphSession, path: Path) -> LibraryEntry:
    translate = QCoreApplication.translate
    report = session.report
    looked = next((item for item in report.libraries if item.path == str(path)), None) if report is not None else None
    if looked is not None and looked.good and looked.contents is not None:
        number = len(looked.contents.operators)
        several = translate("Models", "{0} operators").format(f"{number:,}")
        count = translate("Models", "1 operator") if number == 1 else several
        return LibraryEntry(path=path, detail=count, mark=Mark("good", "good", translate("Models", "usable")))
    if looked is not None:
        reason = looked.refusal or (looked.contents.refusal if looked.contents is not None else "")
        said = _about(session.findings, path)
        mark = Mark("bad", "bad", translate("Models", "not usable"))
        return LibraryEntry(path=path, detail=mark.word, mark=mark, reason=said or reason)
    if session.is_resolving:
        mark = Mark("running", "info", translate("Models", "being looked into"))
        return LibraryEntry(path=path, detail=mark.word, mark=mark)
    if said := _about(session.findings, path):
        mark = Mark("bad", "bad", translate("Models", "not usable"))
        return LibraryEntry(path=path, detail=mark.word, mark=mark, reason=said)
    mark = Mark("unknown", "text_2", translate("Models", "not looked into yet"))
    return LibraryEntry(path=path, detail=mark.word, mark=mark)


def _about(findings: tuple[Finding, ...], path: Path) -> str:
    """Return the first line of what is said about a library."""
    for finding in findings:
        if any(place.file == str(path) for place in finding.places):
            return f"{finding.title}: {finding.cause}".splitlines()[0]
    return ""


def _first_title(findings: tuple[Finding, ...]) -> str:
    return findings[0].title if findings else ""
