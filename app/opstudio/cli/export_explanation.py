"""Shows an explanation of an export to people: both exporters, what became of each operator, code to paste."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opstudio.cli.terminal import Terminal, plain, plain_line
from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_debugging.records import (
    Attempt,
    ExportExplanation,
    Fate,
    NodeOrigin,
    OperatorFate,
    Stub,
    StubKind,
)

_MOST_NODES = 40
_TITLES = {
    StubKind.SYMBOLIC: "a symbolic for the TorchScript exporter",
    StubKind.TRANSLATION: "a translation for the dynamo exporter",
    StubKind.FAKE: "a Meta (fake) kernel",
    StubKind.OPERATOR: "an operator around a function",
}
_QUIET = frozenset({Fate.TRANSLATED, Fate.FOLDED, Fate.NOT_REACHED})
"""What is not told of PyTorch's own operators."""


def show_explanation(terminal: Terminal, explanation: ExportExplanation) -> None:
    """Print everything; with ``--json`` nothing is printed here."""
    for attempt in explanation.attempts:
        _show_attempt(terminal, attempt)
    terminal.show_findings(explanation.findings)
    for stub in explanation.stubs:
        _show_stub(terminal, stub)


def _show_attempt(terminal: Terminal, attempt: Attempt) -> None:
    out = terminal.out
    state = "[green]✔[/]" if attempt.has_file and not attempt.differences else "[red]✖[/]"
    out.print(f"{state} [bold]{attempt.exporter.value}[/] {plain_line(_headline(attempt))}")
    for text in (*_failure(attempt), *_dimensions(attempt), *map(_fate, _told(attempt.fates)), *_differences(attempt)):
        out.print(plain_line(f"  {text}"))
    shown = [item for item in attempt.origins if item.operator][:_MOST_NODES]
    for origin in shown:
        out.print(plain_line(f"  {_origin(origin)}"))
    left = sum(bool(item.operator) for item in attempt.origins) - len(shown)
    if left > 0:
        out.print(f"  {left} nodes more; --json has all of them")


def _headline(attempt: Attempt) -> str:
    if not attempt.has_file:
        return f"stopped at {attempt.step.value} after {attempt.seconds:.1f} s"
    nodes = len(attempt.origins)
    file = f", {attempt.file}" if attempt.file else ""
    return f"{nodes} node{'s' if nodes != 1 else ''}, {attempt.bytes} bytes, {attempt.seconds:.1f} s{file}"


def _failure(attempt: Attempt) -> Iterator[str]:
    record = attempt.record
    if not record.error:
        return
    yield f"cause   {f'{record.error_type}: ' if record.error_type else ''}{_beginning(record.error)}"
    if record.at is not None:
        yield f"line    {record.at.file}:{record.at.line}"
    if len(attempt.causes) > 1:
        times = len(attempt.causes) - 1
        outermost, _, _ = attempt.causes[0].partition(". ")
        yield f"wrapped {'once' if times == 1 else f'{times} times'}, outermost {outermost}"


def _beginning(error: str) -> str:
    """Return the first line of an error, and the next one where the first only announces it."""
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    return " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1])


def _dimensions(attempt: Attempt) -> Iterator[str]:
    for item in attempt.dimensions:
        found = item.found or "no file"
        yield f"{item.input}:{item.axis} asked {item.asked}, got {found}"
        for reason in item.because:
            fixed = f"fixed to {reason.value}" if reason.value else "a number"
            yield f"  {fixed} at {_place(reason.at)}: {reason.said}"


def _told(fates: Sequence[OperatorFate]) -> list[OperatorFate]:
    return [item for item in fates if item.is_custom or item.fate not in _QUIET]


def _fate(item: OperatorFate) -> str:
    nodes = ", ".join(f"{count} × {name}" for name, count in item.nodes.items())
    calls = f"{item.calls} call{'s' if item.calls != 1 else ''}"
    lost = f"; lost {', '.join(item.lost)}" if item.lost else ""
    reason = f" ({item.reason})" if item.reason else ""
    place = f" at {_place(item.lines[0])}" if item.lines else ""
    words = item.fate.value.replace("_", " ")
    return f"{item.operator}: {calls}{place}, {words}{reason}{f', {nodes}' if nodes else ''}{lost}"


def _differences(attempt: Attempt) -> Iterator[str]:
    for item in attempt.differences:
        yield f"{item.subject}: asked {item.asked}, found {item.found}"


def _origin(item: NodeOrigin) -> str:
    module = f" in {item.module}" if item.module else ""
    text = f"  {item.at.text}" if item.at is not None and item.at.text else ""
    return f"{item.type} {item.node} ← {item.operator}{module} {_place(item.at)}{text}"


def _place(at: SourceLine | None) -> str:
    return "" if at is None else f"{at.file}:{at.line}"


def _show_stub(terminal: Terminal, stub: Stub) -> None:
    terminal.out.print(f"[bold]paste[/] {_TITLES[stub.kind]}: {plain_line(', '.join(stub.operators))}")
    if stub.todo:
        terminal.out.print("  then ", plain(stub.todo))
    for line in stub.text.splitlines():
        terminal.out.print(plain(f"    {line}".rstrip()))
