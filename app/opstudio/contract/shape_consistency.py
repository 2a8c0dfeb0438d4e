"""Whether the shape patterns and rules of a contract parse and use only letters and attributes that exist."""

from __future__ import annotations

from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import TomlDocument
from opstudio.base.toml_positions import TomlPath
from opstudio.contract.operator import OperatorContract
from opstudio.contract.shape_parser import ShapeRuleError
from opstudio.contract.shape_syntax import Number, OutputRule, Star, letters_of


def check_shapes(contract: OperatorContract, document: TomlDocument) -> None:
    """Note every shape text that is wrong."""
    known_before = len(document.problems)
    letters, stars = _bound_letters(contract, document)
    if len(document.problems) > known_before:
        return
    for name in sorted(letters & stars):
        _invalid(
            document, ("input", 0, "shape"), f"{name} is starred in one place only", "Star it everywhere or nowhere"
        )
    known = [*sorted(letters), *(attribute.name for attribute in contract.attributes)]
    for index, output in enumerate(contract.outputs):
        path: TomlPath = ("output", index, "shape")
        try:
            rule = contract.output_rule(output)
        except ShapeRuleError as error:
            _not_understood(document, path, error)
            continue
        for name in sorted(_used_letters(rule) - letters):
            cause = f"{name} is neither a dimension letter of an input nor an attribute; {did_you_mean(name, known)}"
            _invalid(document, path, cause, 'Name the dimensions of an input: shape = "[N, C, H, W]"')
        for name in sorted(_used_stars(rule) - stars):
            cause = f"*{name} is not a starred letter of an input; {did_you_mean(name, stars)}"
            _invalid(document, path, cause, f'Star it in the shape of an input: shape = "[*{name}, C]"')
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


def _bound_letters(contract: OperatorContract, document: TomlDocument) -> tuple[set[str], set[str]]:
    """Return the plain and the starred letters of all input patterns."""
    letters: set[str] = set()
    stars: set[str] = set()
    for index, item in enumerate(contract.inputs):
        try:
            pattern = item.pattern
        except ShapeRuleError as error:
            _not_understood(document, ("input", index, "shape"), error)
            continue
        for element in pattern.elements if pattern else ():
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
    marked = f"{error.text[: error.column - 1]}⟨here⟩{error.text[error.column - 1 :]}"
    cause = f"{error} at character {error.column}: {marked}"
    document.report("CON004", path, title="Shape not understood", cause=cause, fix="Correct the shape", at_value=True)
