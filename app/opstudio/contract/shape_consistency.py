"""Whether the shape patterns and rules of a contract parse and use only letters and attributes that exist."""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import TomlDocument
from opstudio.base.toml_positions import TomlPath
from opstudio.contract.operator import OperatorContract
from opstudio.contract.rule_types import misuses
from opstudio.contract.shape_parser import ShapeRuleError
from opstudio.contract.shape_syntax import InputPattern, Number, OutputRule, Star, letters_of

_SHOWN = 80
"""Characters of a text that are repeated on either side of what is not understood."""


def check_shapes(contract: OperatorContract, document: TomlDocument) -> None:
    """Note every shape text that is wrong; rules are looked at where all that they may name is known."""
    patterns = _patterns(contract, document)
    letters, stars = _bound_letters(patterns.values())
    for name in sorted(letters & stars):
        index = next(index for index, pattern in patterns.items() if name in pattern.letters)
        cause = f"{name} is starred in one place only"
        _invalid(document, ("input", index, "shape"), cause, "Star it everywhere or nowhere")
    if any(document.doubts(*place) for place in _NAMED_IN_RULES):
        return
    for index, output in enumerate(contract.outputs):
        path: TomlPath = ("output", index, "shape")
        if document.doubts(*path):
            continue
        try:
            rule = contract.output_rule(output)
        except ShapeRuleError as error:
            _not_understood(document, path, error)
        else:
            _check_rule(contract, rule, document, path)


_NAMED_IN_RULES = (("input", ..., "name"), ("input", ..., "shape"), ("attribute", ..., "name"))


def _check_rule(contract: OperatorContract, rule: OutputRule, document: TomlDocument, path: TomlPath) -> None:
    """Note every name in a rule that means nothing, is used against its type, or is lost in some calls."""
    letters, stars = _bound_letters(item.pattern for item in contract.inputs if item.pattern is not None)
    known = [*sorted(letters), *(attribute.name for attribute in contract.attributes)]
    for name in sorted(_used_letters(rule) - letters):
        cause = f"{name} is neither a dimension letter of an input nor an attribute; {did_you_mean(name, known)}"
        _invalid(document, path, cause, 'Name the dimensions of an input: shape = "[N, C, H, W]"')
    for name in sorted(_used_stars(rule) - stars):
        cause = f"*{name} is not a starred letter of an input; {did_you_mean(name, stars)}"
        _invalid(document, path, cause, f'Star it in the shape of an input: shape = "[*{name}, C]"')
    kinds = {
        attribute.name: attribute.kind
        for index, attribute in enumerate(contract.attributes)
        if not document.doubts("attribute", index, "type")
    }
    for cause in dict.fromkeys(misuses(rule, kinds)):
        _invalid(document, path, cause, "Correct the rule, or the type of the attribute")
    if name := _lost_when_absent(contract, rule, letters | stars):
        cause = f"{name} is known only when an optional input is given"
        _invalid(document, path, cause, "Compute the output's shape from required inputs and attributes")


def _lost_when_absent(contract: OperatorContract, rule: OutputRule, bound: set[str]) -> str:
    """Return an input or letter of a rule that is unknown while all optional inputs are absent, or an empty text."""
    optional = {item.name for item in contract.inputs if item.optional}
    if rule.same_as in optional:
        return rule.same_as or ""
    required = {
        name
        for item in contract.inputs
        if not item.optional and item.pattern is not None
        for name in item.pattern.letters
    }
    return min((_used_letters(rule) | _used_stars(rule)) & bound - required, default="")


def _patterns(contract: OperatorContract, document: TomlDocument) -> dict[int, InputPattern]:
    """Return the patterns of the inputs that have one which is understood, and note the others."""
    patterns: dict[int, InputPattern] = {}
    for index, item in enumerate(contract.inputs):
        if document.doubts("input", index, "shape"):
            continue
        try:
            pattern = item.pattern
        except ShapeRuleError as error:
            _not_understood(document, ("input", index, "shape"), error)
            continue
        if pattern is not None:
            patterns[index] = pattern
    return patterns


def _bound_letters(patterns: Iterable[InputPattern]) -> tuple[set[str], set[str]]:
    """Return the plain and the starred letters of patterns."""
    letters: set[str] = set()
    stars: set[str] = set()
    for pattern in patterns:
        for element in pattern.elements:
            if not isinstance(element, Number):
                (stars if isinstance(element, Star) else letters).add(element.name)
    return letters, stars


def _used_letters(rule: OutputRule) -> set[str]:
    return {name for element in rule.elements if not isinstance(element, Star) for name in letters_of(element)}


def _used_stars(rule: OutputRule) -> set[str]:
    return {element.name for element in rule.elements if isinstance(element, Star)}


def _invalid(document: TomlDocument, path: TomlPath, cause: str, fix: str) -> None:
    document.report("CON004", path, title="shape cannot be used", cause=cause, fix=fix, at_value=True)


def _not_understood(document: TomlDocument, path: TomlPath, error: ShapeRuleError) -> None:
    before, behind = error.text[: error.column - 1], error.text[error.column - 1 :]
    shown_before = before if len(before) <= _SHOWN else f"…{before[-_SHOWN:]}"
    shown_behind = behind if len(behind) <= _SHOWN else f"{behind[:_SHOWN]}…"
    marked = f"{shown_before}⟨here⟩{shown_behind}"
    cause = f"{error} at character {error.column}: {marked}"
    document.report("CON004", path, title="Shape not understood", cause=cause, fix="Correct the shape", at_value=True)
