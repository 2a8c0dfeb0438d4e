"""What kind of failure an exporter's error is: each is told by one rule, what none of them knows by EXP021."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator

from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.rule import RuleContext
from opstudio.diagnosis.symbolics import registered_alike
from opstudio.model.export_request import DynamicAxis, ExportRecord


class Failure(enum.StrEnum):
    """The kinds; each value is the rule that tells it."""

    NO_TRANSLATION = "EXP001"
    LATER_OPSET = "EXP002"
    OTHER_NAME = "EXP003"
    DOMAIN_VERSIONS = "EXP004"
    NO_SUCH_AXIS = "EXP006"
    OPSET_REFUSED = "EXP017"
    SIZE_FIXED = "EXP018"
    SYMBOLIC_ARGUMENTS = "EXP020"
    TRANSLATION_FORM = "EXP022"
    NO_FAKE = "EXP023"
    VALUE_BRANCH = "REG021"
    UNKNOWN = "EXP021"


_LATER_OPSET = re.compile(r"Exporting the operator '([\w:]+)' to ONNX opset version (\d+) .*added in version (\d+)")
_NO_TRANSLATION = (
    re.compile(r"unrecognized namespace (\w+::\w+)"),
    re.compile(r"Couldn't export (?:Python )?operator (\S+)"),
    re.compile(r"No ONNX function found for <OpOverload\(op='([\w.]+)'"),
    re.compile(r"Exporting the operator '([\w:]+)' to ONNX opset version \d+ is not supported"),
)
_NO_FAKE = re.compile(r"no fake impl registered for <CustomOpDef\((?P<operator>\w+::\w+)\)>")
_NO_META = re.compile(r"^(?P<namespace>\w+)\.(?P<name>\w+)\.\w+")
"""All that the message of an ``UnsupportedOperatorException`` says."""
_BAD_NAME = re.compile(r"Failed to register operator|unrecognized namespace")
_PATTERNS = (
    (Failure.DOMAIN_VERSIONS, re.compile(r"Opset mismatch when inlining function")),
    (Failure.OPSET_REFUSED, re.compile(r"Unsupported onnx_opset_version|Target opset version \d+ is not supported")),
    (Failure.VALUE_BRANCH, re.compile(r"[Dd]ata-dependent|Could not guard on")),
    (
        Failure.SIZE_FIXED,
        re.compile(r"inferred a static shape|[Cc]onstraints violated|specialized|marked .* as dynamic but"),
    ),
    (
        Failure.SYMBOLIC_ARGUMENTS,
        re.compile(
            r"number of arguments \(\d+\) and their descriptors|names must be suffixed with type"
            r"|\b[a-z]+_\(\): incompatible function arguments.*torch\._C\.Node",
            re.DOTALL,
        ),
    ),
    (
        Failure.TRANSLATION_FORM,
        re.compile(
            r"should be provided as an OpOverload|number of values and replacements must match"
            r"|^Attribute \w+ not found|No schema registered for"
        ),
    ),
)


def failures(evidence: ExportEvidence, context: RuleContext, kind: Failure) -> Iterator[ExportRecord]:
    """Yield the records that failed in some way."""
    return (record for record in evidence.records if failure_of(record, context) is kind)


def failure_of(record: ExportRecord, context: RuleContext) -> Failure | None:
    """Return the kind of a record's failure, ``None`` where the exporter wrote a file."""
    if not record.error:
        return None
    if wrong_axis(record) is not None:
        return Failure.NO_SUCH_AXIS
    if _BAD_NAME.search(record.error) and registered_alike(context, record):
        return Failure.OTHER_NAME
    if untraceable(record) is not None:
        return Failure.NO_FAKE
    if _LATER_OPSET.search(record.error):
        return Failure.LATER_OPSET
    if untranslated(record) is not None:
        return Failure.NO_TRANSLATION
    return next((kind for kind, pattern in _PATTERNS if pattern.search(record.error)), Failure.UNKNOWN)


def untranslated(record: ExportRecord) -> str | None:
    """Return the name of the operator for which an exporter has no translation."""
    for pattern in _NO_TRANSLATION:
        if (found := pattern.search(record.error)) is not None:
            return found[1] if "::" in found[1] else found[1].replace(".", "::", 1)
    return None


def untraceable(record: ExportRecord) -> str | None:
    """Return the name of the operator that has no Meta kernel."""
    if (found := _NO_FAKE.search(record.error)) is not None:
        return found["operator"]
    if record.error_type == "UnsupportedOperatorException" and (found := _NO_META.match(record.error)) is not None:
        return f"{found['namespace']}::{found['name']}"
    return None


def later_opset(record: ExportRecord) -> tuple[str, int]:
    """Return the operator whose translation begins with a later opset, and that opset."""
    found = _LATER_OPSET.search(record.error)
    assert found is not None, "asked of failures of that kind only"
    return found[1], int(found[3])


def wrong_axis(record: ExportRecord) -> DynamicAxis | None:
    """Return the first axis that was asked to vary and that the model does not have."""
    ranks = {name: len(shape) for name, shape in zip(record.inputs, record.eager.inputs, strict=True)}
    return next((item for item in record.request.dynamic if item.axis >= ranks.get(item.input, 0)), None)
