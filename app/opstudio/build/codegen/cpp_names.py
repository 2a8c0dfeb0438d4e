"""Names and texts of a contract in C++: what is a word of the language, or of the generated code, is changed."""

from __future__ import annotations

import re

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
_OWN_WORDS = """
    Function Size at attributes attributes_of below c10 compute compute_differentiable compute_meta computed context
    counts differentiate differentiate_meta gradients inputs kept library like op options output_shapes outputs results
    saved shape shapes std torch variable_list
"""
"""Names that the templates use themselves."""


_TAKEN = frozenset((_KEYWORDS + _OWN_WORDS).split())


def cpp_name(name: str) -> str:
    """Return the C++ name of an input, output or attribute."""
    return f"{name}_" if name in _TAKEN else name


def cpp_text(text: str) -> str:
    """Return a C++ string literal. Control characters become octal escapes, which end after three digits."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\{ord(found[0]):03o}", escaped) + '"'


def comment_text(text: str) -> str:
    """Return a text for a line comment: one line, which no backslash continues."""
    return " ".join(text.split()).rstrip("\\")
