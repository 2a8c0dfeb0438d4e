"""PyTorch schema text, read without PyTorch; an error knows its place in the text.

Source of the grammar: PyTorch's ``aten/src/ATen/native/README.md`` (func strings) and what the dispatcher of PyTorch
2.13 takes and refuses beyond it, which ``tests`` hold against this parser.
"""

from __future__ import annotations

import re
from dataclasses import replace

from opstudio.contract.schema_defaults import fits, problem_of_value
from opstudio.contract.token_stream import TextError, Token, TokenStream
from opstudio.contract.torch_schema import Schema, SchemaArgument, SchemaReturn
from opstudio.contract.value_limits import LARGEST_INTEGER

RESERVED_WORDS = frozenset(
    {"Ellipsis", "False", "None", "NoneType", "True", "and", "as", "assert", "break", "class", "continue", "def"}
    | {"del", "elif", "else", "for", "global", "if", "import", "in", "is", "not", "or", "pass", "raise", "return"}
    | {"while", "with"}
)
"""What PyTorch's parser does not take as the name of anything."""

_BASE_TYPES = frozenset(
    {"Tensor", "int", "SymInt", "float", "bool", "str", "Scalar", "ScalarType", "Device", "Layout", "MemoryFormat"}
    | {"Generator", "Dimname"}
)
_TOKEN = re.compile(
    r"\s*(?:(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<symbol>->|::|.))"
)


class SchemaError(TextError):
    """A schema text does not parse (REG001)."""


def parse_schema(text: str, *, check_defaults: bool = True) -> Schema:
    """Parse a schema text.

    Args:
        text: what ``TORCH_LIBRARY`` would take.
        check_defaults: whether defaults must be values that PyTorch takes for their arguments. Those that PyTorch
            prints of a schema need not be: it would refuse its own form of letters beyond ASCII, for example.

    Raises:
        SchemaError: with the position and the token that was expected there.
    """
    return _SchemaParser(text, check_defaults=check_defaults).schema()


class _SchemaParser:
    def __init__(self, text: str, *, check_defaults: bool) -> None:
        self._tokens = TokenStream(text, _TOKEN, SchemaError)
        self._check_defaults = check_defaults

    def schema(self) -> Schema:
        namespace, name, overload = None, self._name("the operator's name"), ""
        if self._tokens.accept("::"):
            namespace, name = name, self._name("the operator's name behind ::")
        if self._tokens.accept("."):
            token = self._tokens.peek()
            overload = self._name("the overload's name behind .")
            if overload == "default" or overload.startswith("__"):
                raise self._tokens.error(f"{overload} is not a name that an overload may have", token)
        arguments = self._arguments()
        if not self._tokens.accept("->"):
            raise self._tokens.error("expected -> and the returned types")
        returns = self._returns()
        self._tokens.expect_end()
        return Schema(namespace, name, overload, arguments, returns)

    def _arguments(self) -> tuple[SchemaArgument, ...]:
        arguments: list[SchemaArgument] = []
        keyword_only = False
        self._tokens.expect("(")
        if self._tokens.accept(")"):
            return ()
        while True:
            if self._tokens.accept("*"):
                keyword_only = True
            else:
                arguments.append(self._argument(arguments, keyword_only=keyword_only))
            if not self._tokens.accept(","):
                break
        self._tokens.expect(")")
        return tuple(arguments)

    def _argument(self, earlier: list[SchemaArgument], *, keyword_only: bool) -> SchemaArgument:
        type_text, alias = self._type()
        token = self._tokens.peek()
        argument = SchemaArgument(self._name("the name of the argument"), type_text, None, keyword_only, alias)
        if self._tokens.accept("="):
            return replace(argument, default=self._default(type_text))
        if self._check_defaults and not keyword_only and any(item.default is not None for item in earlier):
            raise self._tokens.error("an argument without default stands behind one that has", token)
        return argument

    def _type(self) -> tuple[str, str | None]:
        token = self._tokens.peek()
        base = self._name("a type such as Tensor, int or float")
        if base == "double":
            raise self._tokens.error("use float: in a schema float is C++'s double", token)
        if base not in _BASE_TYPES:
            raise self._tokens.error(f"{base} is not a type; the usual ones are Tensor, int, float, bool, str", token)
        text, alias = base, None
        while self._tokens.peek().text in ("[", "?", "("):
            if self._tokens.accept("?"):
                text += "?"
            elif self._tokens.accept("["):
                text += f"[{self._list_size()}]"
            elif text.endswith("?"):
                break  # an alias stands in front of the question mark
            else:
                alias = self._alias()
        return text, alias

    def _list_size(self) -> str:
        token = self._tokens.peek()
        size = self._tokens.advance().text if token.kind == "number" else ""
        if size and not (size.isdecimal() and int(size) <= LARGEST_INTEGER):
            raise self._tokens.error("the size of a list is a whole number", token)
        self._tokens.expect("]")
        return size

    def _alias(self) -> str:
        """Parse ``(a! -> b|c)`` and return what is between the parentheses."""
        self._tokens.expect("(")
        start = self._tokens.peek().column
        self._alias_set()
        self._tokens.accept("!")
        if self._tokens.accept("->"):
            self._alias_set()
        end = self._tokens.peek().column
        self._tokens.expect(")")
        return self._tokens.text[start - 1 : end - 1]

    def _alias_set(self) -> None:
        if self._tokens.accept("*"):
            return
        self._name("the name of an alias")
        while self._tokens.accept("|"):
            self._name("the name of an alias")

    def _default(self, type_text: str) -> str:
        start = self._tokens.peek()
        is_list = self._tokens.accept("[")
        items = [self._value("a default value")] if not is_list else []
        if is_list and not self._tokens.accept("]"):
            items.append(self._value("a value or ]"))
            while self._tokens.accept(","):
                items.append(self._value("a value"))
            self._tokens.expect("]")
        if self._check_defaults:
            for token in items:
                if (problem := problem_of_value(token, type_text)) is not None:
                    raise self._tokens.error(problem, token)
            if not fits(type_text, items, is_list=is_list):
                raise self._tokens.error(f"this is no default for {type_text}", start)
        return f"[{', '.join(token.text for token in items)}]" if is_list else items[0].text

    def _value(self, expected: str) -> Token:
        token = self._tokens.advance()
        if token.kind not in ("string", "number", "name"):
            raise self._tokens.error(f"expected {expected}", token)
        return token

    def _returns(self) -> tuple[SchemaReturn, ...]:
        if not self._tokens.accept("("):
            return (self._return(),)
        returns: list[SchemaReturn] = []
        if not self._tokens.accept(")"):
            returns.append(self._return())
            while self._tokens.accept(","):
                returns.append(self._return())
            self._tokens.expect(")")
        return tuple(returns)

    def _return(self) -> SchemaReturn:
        type_text, alias = self._type()
        name = self._name("a name") if self._tokens.peek().kind == "name" else None
        return SchemaReturn(type_text, name, alias)

    def _name(self, expected: str) -> str:
        token = self._tokens.advance()
        if token.kind != "name":
            raise self._tokens.error(f"expected {expected}", token)
        if token.text in RESERVED_WORDS:
            raise self._tokens.error(f"{token.text} is a word of PyTorch's schemas and cannot be a name", token)
        return token.text
