"""The shape language of contracts: parsed, never evaluated as Python.

An *input pattern* names the dimensions of an input; an *output rule* computes those of an output::

    pattern    = "[" [ element { "," element } ] "]"
    element    = LETTER | INTEGER | "*" LETTER          a starred letter stands for any number of dimensions
    rule       = INPUT_NAME                             the same shape as that input
               | "[" [ ( choice | "*" LETTER ) { "," … } ] "]"
    choice     = sum [ "if" condition "else" choice ]
    condition  = junction { "or" junction } ;  junction = comparison { "and" comparison }
    comparison = "not" comparison | sum ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum | ATTRIBUTE
               | ATTRIBUTE ( "==" | "!=" ) STRING
    sum        = product { ( "+" | "-" ) product } ;  product = factor { ( "*" | "//" | "%" ) factor }
    factor     = "-" factor | INTEGER | LETTER | ATTRIBUTE [ "[" sum "]" ] | "(" choice ")"
               | ( "max" | "min" ) "(" choice { "," choice } ")" | "len" "(" ATTRIBUTE ")"

``//`` and ``%`` floor, as in Python and in PyTorch's symbolic sizes (C++ truncates; hosts take care of it).
Conditions may use attributes only, so that symbolic sizes survive export.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Collection, Iterator
from typing import Literal, TypeVar

from opstudio.contract.shape_syntax import (
    AttributeItem,
    AttributeLength,
    AttributeReference,
    Binary,
    Choice,
    Comparison,
    Condition,
    Expression,
    InputPattern,
    Junction,
    Letter,
    Not,
    Number,
    OutputRule,
    PatternElement,
    Star,
    TextIs,
    letters_of,
)
from opstudio.contract.token_stream import TextError, Token, TokenStream
from opstudio.contract.value_limits import problem_of_integer

_LONGEST_TEXT = 1000
_DEEPEST_NESTING = 40

ElementT = TypeVar("ElementT")


class ShapeRuleError(TextError):
    """A shape text does not parse."""


@functools.cache
def parse_input_pattern(text: str) -> InputPattern:
    """Parse an input pattern such as ``[N, C, *D]``.

    Raises:
        ShapeRuleError: with the position and what was expected there.
    """
    return _Parser(text, inputs=(), attributes=()).pattern()


def parse_output_rule(text: str, *, inputs: Collection[str], attributes: Collection[str]) -> OutputRule:
    """Parse an output rule; names of attributes win over letters.

    Raises:
        ShapeRuleError: with the position and what was expected there.
    """
    return _Parser(text, inputs=inputs, attributes=attributes).rule()


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<string>\"[^\"]*\"|'[^']*')"
    r"|(?P<symbol>//|==|!=|<=|>=|[-+*%<>()\[\],]|.))"
)
_KEYWORDS = frozenset({"if", "else", "and", "or", "not", "max", "min", "len"})
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class _Parser:
    def __init__(self, text: str, *, inputs: Collection[str], attributes: Collection[str]) -> None:
        if len(text) > _LONGEST_TEXT:
            message = f"longer than {_LONGEST_TEXT} characters"
            raise ShapeRuleError(message, text, _LONGEST_TEXT)
        self._tokens = TokenStream(text, _TOKEN, ShapeRuleError)
        self._inputs = inputs
        self._attributes = attributes
        self._depth = 0

    def pattern(self) -> InputPattern:
        elements = self._bracketed(self._pattern_element)
        if sum(isinstance(element, Star) for element in elements) > 1:
            raise ShapeRuleError("a pattern may have one starred letter", self._tokens.text, 1)
        self._tokens.expect_end()
        return InputPattern(elements)

    def rule(self) -> OutputRule:
        token = self._tokens.peek()
        if token.kind == "name" and token.text in self._inputs:
            self._tokens.advance()
            self._tokens.expect_end()
            return OutputRule(same_as=token.text)
        if token.text != "[":
            raise self._tokens.error("expected [ or the name of an input")
        elements = self._bracketed(self._rule_element)
        self._tokens.expect_end()
        return OutputRule(same_as=None, elements=elements)

    def _bracketed(self, parse_element: Callable[[], ElementT]) -> tuple[ElementT, ...]:
        elements: list[ElementT] = []
        self._tokens.expect("[")
        while self._tokens.peek().text != "]":
            elements.append(parse_element())
            if not self._tokens.accept(","):
                break
        self._tokens.expect("]")
        return tuple(elements)

    def _pattern_element(self) -> PatternElement:
        token = self._tokens.advance()
        if token.text == "*":
            return Star(self._name("a letter behind *"))
        if token.kind == "number":
            return self._number(token)
        if token.kind == "name" and token.text not in _KEYWORDS:
            return Letter(token.text)
        raise self._tokens.error("expected a letter, an integer or *letter", token)

    def _rule_element(self) -> Expression | Star:
        if self._tokens.accept("*"):
            return Star(self._name("a letter behind *"))
        return self._choice()

    def _choice(self) -> Expression:
        with self._nested():
            then = self._sum()
        if not self._tokens.accept("if"):
            return then
        condition = self._condition()
        self._tokens.expect("else")
        return Choice(condition, then, self._choice())

    def _condition(self) -> Condition:
        left = self._junction()
        while self._tokens.accept("or"):
            left = Junction("or", left, self._junction())
        return left

    def _junction(self) -> Condition:
        left = self._comparison()
        while self._tokens.accept("and"):
            left = Junction("and", left, self._comparison())
        return left

    def _comparison(self) -> Condition:
        if self._tokens.accept("not"):
            with self._nested():
                return Not(self._comparison())
        start = self._tokens.peek()
        if (text := self._text_comparison()) is not None:
            return text
        left = self._sum()
        if isinstance(left, AttributeReference) and self._tokens.peek().text not in _COMPARISONS:
            return Comparison("!=", left, Number(0))  # a flag on its own
        token = self._tokens.advance()
        if token.text not in _COMPARISONS:
            raise self._tokens.error(f"expected one of {' '.join(_COMPARISONS)}", token)
        comparison = Comparison(token.text, left, self._sum())  # type: ignore[arg-type]
        if any(True for _ in letters_of(comparison)):
            raise self._tokens.error(
                "a condition may use attributes only, so that symbolic sizes survive export", start
            )
        return comparison

    def _text_comparison(self) -> Condition | None:
        """Parse ``attribute == "text"``, or return ``None`` without moving."""
        name, operator, text = (self._tokens.peek(ahead) for ahead in range(3))
        if name.kind != "name" or operator.text not in ("==", "!=") or text.kind != "string":
            return None
        if name.text not in self._attributes:
            raise self._tokens.error(f"{name.text} is not an attribute", name)
        for _ in range(3):
            self._tokens.advance()
        equal = TextIs(name.text, text.text[1:-1])
        return equal if operator.text == "==" else Not(equal)

    def _sum(self) -> Expression:
        left = self._product()
        while (token := self._tokens.peek()).text in ("+", "-"):
            self._tokens.advance()
            left = Binary(token.text, left, self._product())  # type: ignore[arg-type]
        return left

    def _product(self) -> Expression:
        left = self._factor()
        while (token := self._tokens.peek()).text in ("*", "//", "%", "/"):
            self._tokens.advance()
            if token.text == "/":
                raise self._tokens.error("use // (division that rounds down)", token)
            left = Binary(token.text, left, self._factor())  # type: ignore[arg-type]
        return left

    def _factor(self) -> Expression:
        token = self._tokens.advance()
        if token.text == "-":
            with self._nested():
                return Binary("-", Number(0), self._factor())
        if token.text == "(":
            inner = self._choice()
            self._tokens.expect(")")
            return inner
        if token.kind == "number":
            return self._number(token)
        if token.text in ("max", "min") and token.kind == "name":
            return self._extremum(token.text)  # type: ignore[arg-type]
        if token.text == "len" and token.kind == "name":
            self._tokens.expect("(")
            name = self._attribute_name()
            self._tokens.expect(")")
            return AttributeLength(name)
        if token.kind == "name" and token.text not in _KEYWORDS:
            return self._reference(token.text)
        raise self._tokens.error("expected a letter, an attribute, an integer or (", token)

    def _number(self, token: Token) -> Number:
        value = int(token.text)
        if (problem := problem_of_integer(value)) is not None:
            raise ShapeRuleError(f"{problem}, which the hosts compute in", self._tokens.text, token.column)
        return Number(value)

    def _extremum(self, operator: Literal["max", "min"]) -> Expression:
        self._tokens.expect("(")
        result = self._choice()
        while self._tokens.accept(","):
            result = Binary(operator, result, self._choice())
        self._tokens.expect(")")
        return result

    def _reference(self, name: str) -> Expression:
        if name not in self._attributes:
            return Letter(name)
        if self._tokens.accept("["):
            with self._nested():
                index = self._sum()
            self._tokens.expect("]")
            return AttributeItem(name, index)
        return AttributeReference(name)

    def _attribute_name(self) -> str:
        token = self._tokens.peek()
        name = self._name("the name of a list attribute")
        if name not in self._attributes:
            raise self._tokens.error(f"{name} is not an attribute", token)
        return name

    def _name(self, expected: str) -> str:
        token = self._tokens.advance()
        if token.kind != "name" or token.text in _KEYWORDS:
            raise self._tokens.error(f"expected {expected}", token)
        return token.text

    @contextlib.contextmanager
    def _nested(self) -> Iterator[None]:
        # A text made to exhaust the interpreter's stack must end as an error of this parser.
        self._depth += 1
        if self._depth > _DEEPEST_NESTING:
            raise self._tokens.error(f"nested deeper than {_DEEPEST_NESTING} levels")
        yield
        self._depth -= 1
