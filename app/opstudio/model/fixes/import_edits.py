"""Edits of imports: one added, dropped, or given another domain or version."""

from __future__ import annotations

from opstudio.model.fixes.field_edits import replaced_number, replaced_text
from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.fix import Edit
from opstudio.model.fixes.model_places import ImportList, ImportPlace
from opstudio.model.fixes.parameters import domain_text
from opstudio.model.fixes.splices import Splice
from opstudio.model.fixes.wire_writing import content_field, number_field, text_field

_DOMAIN, _VERSION = 1, 2
"""Numbers of fields of ``OperatorSetIdProto``. Source: ``onnx.proto``."""


def added_import(imports: ImportList, domain: str, version: int) -> Edit:
    """Return the edit that adds an import behind the last one, else at the end of the message."""
    place = imports.imports[-1].span.end if imports.imports else imports.message.end
    return Edit(
        part=imports.part,
        words=f"{imports.part}: {domain_text(domain)} {version} is added",
        before=(),
        after=(import_line(domain, version),),
        splices=(Splice(imports.message, Range(place, place), _field(imports.number, domain, version)),),
    )


def dropped_import(imports: ImportList, item: ImportPlace) -> Edit:
    """Return the edit that drops an import."""
    return Edit(
        part=imports.part,
        words=f"{imports.part}: {domain_text(item.domain)} {item.version} is dropped",
        before=(import_line(item.domain, item.version),),
        after=(),
        splices=(Splice(imports.message, Range(item.span.start, item.span.end), b""),),
    )


def changed_import(reader: FieldReader, imports: ImportList, item: ImportPlace, domain: str, version: int) -> Edit:
    """Return the edit that gives an import another domain, another version, or both."""
    before, after = import_line(item.domain, item.version), import_line(domain, version)
    message = item.span.inside
    splices: list[Splice] = []
    if domain != item.domain:
        splices.extend(replaced_text(reader, message, _DOMAIN, domain))
    if version != item.version:
        splices.extend(replaced_number(reader, message, _VERSION, version))
    return Edit(
        part=imports.part,
        words=f"{imports.part}: {before.partition(' ')[2]} becomes {after.partition(' ')[2]}",
        before=(before,),
        after=(after,),
        splices=tuple(splices),
    )


def import_line(domain: str, version: int) -> str:
    """Return an import as text."""
    return f"import {domain_text(domain)} {version}"


def _field(number: int, domain: str, version: int) -> bytes:
    return content_field(number, text_field(_DOMAIN, domain) + number_field(_VERSION, version))
