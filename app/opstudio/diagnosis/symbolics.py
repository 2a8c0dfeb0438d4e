"""The person's own registration with the exporters, read as text, and what to write instead."""

from __future__ import annotations

import re

from opstudio.base.finding import Place
from opstudio.base.names import nearest_name
from opstudio.contract.operator import AttributeKind, OperatorContract
from opstudio.diagnosis.rule import RuleContext
from opstudio.model.export_request import Exporter, ExportRecord

_CALL = r"register_custom_op_symbolic\s*\(\s*[rf]?[\"']([^\"']+)[\"']"
_ENTRY = r"torch\.ops\.\w+\.(\w+)(?:\.default)?\s*:"
_REGISTER = r"^def (register)\s*\("
_LETTERS = {
    AttributeKind.INT: "i",
    AttributeKind.FLOAT: "f",
    AttributeKind.BOOL: "b",
    AttributeKind.STRING: "s",
    AttributeKind.INTS: "is",
    AttributeKind.FLOATS: "fs",
}


def what_to_register(record: ExportRecord, operator: str) -> str:
    """Return what to write for an exporter that has no translation of an operator."""
    if record.request.exporter is Exporter.TORCHSCRIPT:
        return f'Register one: torch.onnx.register_custom_op_symbolic("{operator}", symbolic, 9)'
    return f"Return {{torch.ops.{operator.replace('::', '.')}.default: translate}} from register()"


def registrations(context: RuleContext, record: ExportRecord) -> list[Place]:
    """Return where the person's registration file gives the exporter of a record its translation.

    Where it gives none, that is its ``register`` function; nowhere without such a file.
    """
    if record.request.exporter is Exporter.TORCHSCRIPT:
        found = [place for place, _ in _lines(context, _CALL)]
    else:
        found = [place for place, name in _lines(context, _ENTRY) if name == context.contract.name]
    return found or [place for place, _ in _lines(context, _REGISTER)]


def emissions(context: RuleContext, record: ExportRecord, onnx_type: str = "") -> list[Place]:
    """Return where the translation writes the operator's node, or one of another type; else where it is registered."""
    name = re.escape(onnx_type or context.contract.onnx_type)
    if record.request.exporter is Exporter.TORCHSCRIPT:
        pattern = rf"\.op\(\s*[\"'](?:\w+::)?({name})[\"']"
    else:
        pattern = rf"\.({name})\s*\("
    return [place for place, _ in _lines(context, pattern)] or registrations(context, record)


def decorations(context: RuleContext, record: ExportRecord) -> list[Place]:
    """Return where the types of a symbolic's arguments are stated; else where it is registered."""
    return [place for place, _ in _lines(context, r"@.*\b(parse_args)\s*\(")] or registrations(context, record)


def imports(context: RuleContext, record: ExportRecord, domain: str) -> list[Place]:
    """Return where a translation states the version of a domain; else where it is registered."""
    pattern = rf"\bOpset\(\s*[\"']({re.escape(domain)})[\"']"
    return [place for place, _ in _lines(context, pattern)] or registrations(context, record)


def registered_alike(context: RuleContext, record: ExportRecord) -> tuple[Place, str] | None:
    """Return a registration whose name is nearly the operator's, where the operator itself has none."""
    if record.request.exporter is not Exporter.TORCHSCRIPT:
        return None
    found = _lines(context, _CALL)
    name = context.contract.qualified_name
    if any(written == name for _, written in found):
        return None
    for place, written in found:
        if nearest_name(written.replace(".", "::"), [name]) is not None:
            return place, written
    return None


def lacks_parse_args(record: ExportRecord, context: RuleContext) -> bool:
    """Whether a node came from a symbolic without ``parse_args``: its attributes are inputs, none is an attribute."""
    if record.request.exporter is not Exporter.TORCHSCRIPT or record.summary is None:
        return False
    wanted = len(context.contract.attributes)
    return any(
        not node.attributes and len(node.inputs) >= len(context.contract.inputs) + wanted
        for node in record.summary.custom_nodes
        if wanted and node.type == context.contract.onnx_type
    )


def parse_args_line(contract: OperatorContract) -> str:
    """Return the decorator that tells PyTorch the types of a symbolic's arguments."""
    letters = ["v" for _ in contract.inputs] + [_LETTERS[item.kind] for item in contract.attributes]
    quoted = ", ".join(f'"{letter}"' for letter in letters)
    return f"@parse_args({quoted})"


def _lines(context: RuleContext, pattern: str) -> list[tuple[Place, str]]:
    """Return the lines of the registration file that match, and what the pattern's group holds there."""
    name = context.contract.export.registration
    path = context.folder / name if name else None
    if path is None or not path.is_file():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    return [
        (Place(file=context.relative(str(path)), line=text.count("\n", 0, match.start(1)) + 1), match[1])
        for match in re.finditer(pattern, text, re.MULTILINE)
    ]
