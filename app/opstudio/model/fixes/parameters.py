"""Parameters of fixes as people write them: ``lab=1``, ``lab:Twice``, ``x[0]``. The standard domain is ``ai.onnx``."""

from __future__ import annotations

import re

from opstudio.model.fixes.fix import wrong_parameters
from opstudio.model.graph.read_graphs import normalised_domain

STANDARD = "ai.onnx"
_LARGEST_NUMBER = 2**31 - 1
"""ONNX Runtime holds versions in 32 bits."""
_DIMENSION = re.compile(r"(?P<name>.+)\[(?P<axis>[0-9]{1,4})\]", re.DOTALL)


def domain_text(domain: str) -> str:
    """Return a domain as people write it."""
    return domain or STANDARD


def operator_text(domain: str, operator: str) -> str:
    """Return an operator with its domain."""
    return f"{domain_text(domain)}:{operator}"


def split_pair(fix_id: str, parameters: str, form: str) -> tuple[str, str]:
    """Return what stands before and behind the last equals sign.

    Raises:
        InputError: there is none, or nothing stands on one side.
    """
    first, sign, second = parameters.rpartition("=")
    if not (sign and first and second):
        raise wrong_parameters(fix_id, parameters, form)
    return first, second


def split_domain_version(fix_id: str, parameters: str, form: str) -> tuple[str, int]:
    """Return the domain and the version of ``DOMAIN=VERSION``.

    Raises:
        InputError: it is written otherwise.
    """
    domain, version = split_pair(fix_id, parameters, form)
    return normalised_domain(domain), whole_number(fix_id, version, form)


def split_operator(fix_id: str, text: str, form: str) -> tuple[str, str]:
    """Return domain and name of ``DOMAIN:TYPE``.

    Raises:
        InputError: it is written otherwise.
    """
    domain, colon, name = text.rpartition(":")
    if not (colon and domain and name):
        raise wrong_parameters(fix_id, text, form)
    return normalised_domain(domain), name


def split_dimension(fix_id: str, text: str, form: str) -> tuple[str, int]:
    """Return the name and the axis of ``NAME[AXIS]``.

    Raises:
        InputError: it is written otherwise.
    """
    match = _DIMENSION.fullmatch(text)
    if match is None:
        raise wrong_parameters(fix_id, text, form)
    return match["name"], int(match["axis"])


def whole_number(fix_id: str, text: str, form: str) -> int:
    """Return a number from 1 on.

    Raises:
        InputError: it is none, or too large.
    """
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST_NUMBER)) else 0
    if not 0 < number <= _LARGEST_NUMBER:
        raise wrong_parameters(fix_id, text, form)
    return number
