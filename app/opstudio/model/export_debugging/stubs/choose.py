"""Which stubs an export needs: from its calls, and from what each exporter made of them."""

from __future__ import annotations

from collections.abc import Sequence

from opstudio.contract.schema_parser import SchemaError
from opstudio.model.export_debugging.eager_records import CustomCall
from opstudio.model.export_debugging.records import Attempt, Fate, Stub
from opstudio.model.export_debugging.signature import Signature, signature_of
from opstudio.model.export_debugging.stubs.fake import draft_fake
from opstudio.model.export_debugging.stubs.operator import draft_operator, signature_of_function
from opstudio.model.export_debugging.stubs.stub import Draft, render
from opstudio.model.export_debugging.stubs.symbolic import draft_symbolic
from opstudio.model.export_debugging.stubs.translation import draft_translation, table_lines
from opstudio.model.export_request import Exporter

_NAMESPACE = "myops"
"""Of operators that stubs make, where the model's other operators do not tell one."""


def choose_stubs(calls: Sequence[CustomCall], attempts: Sequence[Attempt], *, has_register: bool) -> tuple[Stub, ...]:
    """Return the code to paste. ``has_register`` says that the person's file has a function ``register`` already."""
    signatures = _signatures(calls)
    stubs: list[Stub] = []
    functions = _function_drafts(calls, attempts, signatures)
    if functions:
        stubs.append(render(functions))
    fakes = [draft_fake(item) for name, item in signatures.items() if _lacks_fake(name, attempts)]
    if fakes:
        stubs.append(render(fakes))
    made = [draft.signature for draft in functions]
    for attempt in attempts:
        missing = [
            item
            for name, item in signatures.items()
            if name not in attempt.translated and not item.writes and not attempt.has_file
        ]
        stubs += _translations([*missing, *made], attempt.exporter, has_register=has_register)
    return tuple(stubs)


def _signatures(calls: Sequence[CustomCall]) -> dict[str, Signature]:
    """Return the operators that have a schema, by name."""
    found: dict[str, Signature] = {}
    for call in calls:
        if call.schema and call.operator not in found:
            try:
                found[call.operator] = signature_of(call)
            except SchemaError:
                continue  # a type of the person's own, which no stub can pass on
    return found


def _translations(signatures: Sequence[Signature], exporter: Exporter, *, has_register: bool) -> list[Stub]:
    if not signatures:
        return []
    if exporter is Exporter.TORCHSCRIPT:
        return [render([draft_symbolic(item) for item in signatures])]
    drafts = [draft_translation(item) for item in signatures]
    return [render(drafts, table_lines(drafts, has_register=has_register))]


def _lacks_fake(name: str, attempts: Sequence[Attempt]) -> bool:
    return any(name in item.without_fake for item in attempts)


def _function_drafts(
    calls: Sequence[CustomCall], attempts: Sequence[Attempt], signatures: dict[str, Signature]
) -> list[Draft]:
    """Return operators around functions that an exporter traced through."""
    lost = {
        fate.operator
        for attempt in attempts
        for fate in attempt.fates
        if fate.fate in (Fate.TRACED_THROUGH, Fate.LEFT_OUT, Fate.FAILED)
    }
    namespace = next((item.namespace for item in signatures.values()), _NAMESPACE)
    drafts: dict[str, Draft] = {}
    for call in calls:
        if call.schema or call.operator not in lost or call.operator in drafts:
            continue
        if (signature := signature_of_function(call, namespace)) is not None:
            drafts[call.operator] = draft_operator(signature, call)
    return list(drafts.values())
