"""The sources of an operator that serve ONNX Runtime alone: whether they are wrong, and where they compute."""

from __future__ import annotations

from pathlib import Path

from opstudio.base.finding import Place
from opstudio.checks.stages.parity import ParityResult
from opstudio.diagnosis.rule import RuleContext
from opstudio.diagnosis.sources import find_lines

_COMPUTING = r"\b[Cc]ompute(?:V2)?\s*\([^;{]*\)\s*(?:const\s*)?\{"


def is_of_the_runtime(case: ParityResult, context: RuleContext) -> bool:
    """Whether sources of its own serve ONNX Runtime, and PyTorch alone is right."""
    right = all(comparison.agrees for comparison in case.torch_reference)
    return bool(context.contract.kernel.onnxruntime) and right


def place_of_computing(context: RuleContext) -> Place:
    """Return where the sources for ONNX Runtime compute; the first of them as a whole where they do not tell."""
    sources = context.contract.kernel.onnxruntime
    found = [place for place, _ in find_lines(context, _COMPUTING) if Path(place.file or "").name in sources]
    return found[0] if found else Place(file=context.relative(str(context.folder / sources[0])))
