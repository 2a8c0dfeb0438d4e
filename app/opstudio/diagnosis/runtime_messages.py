"""The words of a tool that someone pasted or that a run ended with: evidence like any other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeMessage:
    """What ONNX Runtime said when it refused to load a model, a library or inputs; lines around it do no harm."""

    text: str

    @property
    def good(self) -> bool:
        """Never: only refusals are asked about."""
        return False

    def find(self, pattern: str) -> Iterator[re.Match[str]]:
        """Yield where the message has a pattern; line ends count as white space."""
        return re.finditer(pattern, " ".join(self.text.split()))
