"""A CUDA kernel is launched on the default stream.

## What it finds
Launches in the CUDA sources (``<<<grid, block>>>`` or ``<<<grid, block, shared>>>``) without a stream. This is read
from the text; where a device is present, running under another stream shows the effect.

## Why it happens
The stream is the fourth launch parameter and easily left out. The kernel then runs beside the framework's own work and
is right by luck: now and then it reads its input before it is there.

## How to fix
Launch on the stream of the call: ``kernel<<<grid, block, 0, call.stream<cudaStream_t>()>>>(…)``; in sources of your
own, ``at::cuda::getCurrentCUDAStream()``.

## Source
The text of the CUDA sources.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.cuda import CudaEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines

_LAUNCH = r"<<<(?P<parameters>.*?)>>>"
_WITH_STREAM = 4


def check(_evidence: CudaEvidence, context: RuleContext) -> Iterable[Finding]:
    """Count the parameters of every launch."""
    bare = [
        place for place, match in find_lines(context, _LAUNCH, cuda=True) if _count(match["parameters"]) < _WITH_STREAM
    ]
    if bare:
        yield RULE.finding(
            context,
            cause=f"{len(bare)} launches have no stream, so that they run on the default one",
            fix="Launch on the call's stream: <<<grid, block, 0, call.stream<cudaStream_t>()>>>",
            places=bare,
        )


def _count(parameters: str) -> int:
    """Count the commas outside of brackets, plus one."""
    depth = 0
    count = 1
    for character in parameters:
        depth += (character in "([{<") - (character in ")]}>")
        count += character == "," and depth == 0
    return count


RULE = Rule(id="REG015", title="A kernel runs on the default stream", needs=CudaEvidence, check=check)
