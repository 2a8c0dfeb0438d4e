"""The person's own registration with the exporters, read as text, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Mapping

from opstudio.base.finding import Place
from opstudio.base.names import nearest_name
from opstudio.contract.operator import AttributeKind, OperatorContract
from opstudio.diagnosis.rule import RuleContext
from opstudio.model.export_request import Exporter, ExportRecord

STUBS: Mapping[Exporter, str] = {
    Exporter.TORCHSCRIPT: 'Register one: torch.onnx.register_custom_op_symbolic("{operator}", symbolic, 9)',
    Exporter.DYNAMO: "Return {{torch.ops.…default: translate}} from register() for custom_translation_table",
}
"""What to write for an exporter that has no translation."""

_CALL = re.compile(r"register_custom_op_symbolic\s*\(\s*[rf]?[\"']([^\"']+)[\"']")
_LETTERS = {
    AttributeKind.INT: "i",
    AttributeKind.FLOAT: "f",
    AttributeKind.BOOL: "b",
    AttributeKind.STRING: "s",
    AttributeKind.INTS: "is",
    AttributeKind.FLOATS: "fs",
}


def registrations(context: RuleContext) -> list[Place]:
    """Return where symbolics are registered in the person's registration file."""
    return [place for place, _ in _registered(context)]


def registered_alike(context: RuleContext, record: ExportRecord) -> tuple[Place, str] | None:
    """Return a registration whose name is nearly the operator's, where the operator itself has none."""
    if record.request.exporter is not Exporter.TORCHSCRIPT:
        return None
    found = _registered(context)
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


def parse_letters(contract: OperatorContract) -> list[str]:
    """Return the letters of ``parse_args`` for an operator."""
    return ["v" for _ in contract.inputs] + [_LETTERS[item.kind] for item in contract.attributes]


def _registered(context: RuleContext) -> list[tuple[Place, str]]:
    name = context.contract.export.registration
    path = context.folder / name if name else None
    if path is None or not path.is_file():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    return [
        (Place(file=context.relative(str(path)), line=text.count("\n", 0, match.start()) + 1), match[1])
        for match in _CALL.finditer(text)
    ]
