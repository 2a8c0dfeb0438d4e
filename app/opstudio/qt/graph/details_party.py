"""Who implements a node, or the first question that it fails, with the cause first and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from opstudio.model.graph.records import NodeRecord
from opstudio.model.graph.value_index import Scope
from opstudio.model.resolution.records import Origin, Resolved, Step, Unresolved
from opstudio.qt.graph.details_records import HelpTarget, Row, ScopeTarget, Section, ValueTarget, code, words
from opstudio.qt.graph.details_source import ModelSource
from opstudio.qt.models.party_words import party_title

_MOST_CANDIDATES = 8


def party_section(source: ModelSource, scope: Scope, index: int, waiting: str) -> Section:
    """Return who implements a node, or why nobody does; ``waiting`` is said while that is not known."""
    translate = QCoreApplication.translate
    answer = source.answer(scope, index)
    if answer is None:
        rows: tuple[Row, ...] = (Row(spans=(words(waiting, "text_2"),)),)
    elif isinstance(answer.resolution, Unresolved):
        rows = tuple(_fault_rows(source, scope, index, answer.resolution))
        return Section(title=translate("Details", "Nobody implements it"), rows=rows)
    else:
        rows = tuple(_resolved_rows(source, scope.content.nodes[index], answer.resolution))
    return Section(title=translate("Details", "Implemented by"), rows=rows)


def _resolved_rows(source: ModelSource, node: NodeRecord, resolved: Resolved) -> Iterator[Row]:
    translate = QCoreApplication.translate
    match resolved.origin:
        case Origin.FUNCTION:
            body = source.function_scope(node)
            target = None if body is None else ScopeTarget(scope=body.path)
            yield Row(spans=(words(translate("Details", "A function of the file"), target=target),))
        case Origin.LIBRARY:
            name = code(Path(resolved.library).name, "good")
            yield Row(name=translate("Details", "Library"), spans=(name,))
        case Origin.RUNTIME:
            release = "" if source.report is None else source.report.evidence.catalogue.tables.release
            yield Row(name=translate("Details", "Runtime"), spans=(code(f"ONNX Runtime {release}".rstrip(), "good"),))
    if resolved.provider:
        yield Row(name=translate("Details", "Provider"), spans=(code(resolved.provider),))
    if resolved.since_version:
        yield Row(name=translate("Details", "Since version"), spans=(code(str(resolved.since_version)),))
    if resolved.through:
        yield Row(name=translate("Details", "By way of"), spans=(words(party_title(resolved.through)),))
    if resolved.unsure:
        text = translate("Details", "Not all types are known: that a kernel takes them is an assumption.")
        yield Row(spans=(words(text, "text_2"),))


def _fault_rows(source: ModelSource, scope: Scope, index: int, fault: Unresolved) -> Iterator[Row]:
    translate = QCoreApplication.translate
    answer = source.answer(scope, index)
    finding = source.finding_of(answer)
    cause = [words(f"{fault.reason[:1].upper()}{fault.reason[1:]}")]
    if answer is not None and answer.remark:
        cause.append(words(f"\n{answer.remark}", "text_2"))
    yield Row(name=translate("Details", "Cause"), spans=tuple(cause))
    yield Row(name=translate("Details", "Fails at"), spans=(words(step_title(fault.step), "bad"),))
    if fault.tensor:
        value = code(fault.tensor, target=ValueTarget(scope=scope.path, value=fault.tensor))
        yield Row(name=translate("Details", "Value"), spans=(value,))
    if fault.contract:
        yield Row(name=translate("Details", "Contract"), spans=(code(fault.contract),))
    if fault.library:
        yield Row(name=translate("Details", "Library"), spans=(code(Path(fault.library).name),))
    if finding is not None:
        yield Row(name=translate("Details", "Fix"), spans=(words(finding.fix),))
    if fault.candidates:
        near = ", ".join(name or "ai.onnx" for name in fault.candidates[:_MOST_CANDIDATES])
        yield Row(name=translate("Details", "What comes close"), spans=(code(near),))
    if finding is not None:
        yield Row(name=translate("Details", "Finding"), spans=(words(finding.id, target=HelpTarget(page=finding.id)),))


def step_title(step: Step) -> str:
    """Return the question that a node fails, in words."""
    translate = QCoreApplication.translate
    titles = {
        Step.IMPORT: translate("Details", "the import of the domain"),
        Step.DOMAIN: translate("Details", "the domain"),
        Step.OPERATOR: translate("Details", "the operator's name"),
        Step.VERSION: translate("Details", "the version"),
        Step.FORM: translate("Details", "inputs, outputs and attributes"),
        Step.TYPES: translate("Details", "the types of the inputs"),
        Step.SHAPES: translate("Details", "the shapes of the inputs"),
        Step.PROVIDER: translate("Details", "the execution provider"),
        Step.KERNEL: translate("Details", "the kernel's types"),
        Step.CREATION: translate("Details", "the making of the kernel"),
    }
    return titles.get(step, step.value)
