"""A layer is exported as it trains: dropout drops, batch normalisation uses the statistics of the batch.

## What it finds
Calls of ``dropout`` and ``batch_norm`` with ``training=True`` while the model is in evaluation mode, with their lines.

## Why it happens
``torch.nn.functional.dropout(x, 0.5)`` trains unless it is told otherwise, whatever ``eval()`` says; a ``forward``
calls ``self.train()``. TorchScript writes nodes that draw at random in every run; the dynamo exporter writes batch
normalisation without its training form. The file and the model then differ by whole units.

## How to fix
Pass ``training=self.training``, or use the layers ``torch.nn.Dropout`` and ``torch.nn.BatchNorm2d``.

## Source
The calls of the eager model.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.explanations import ExplanationContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.export_debugging.records import Attempt


def check(evidence: Attempt, context: ExplanationContext) -> Iterable[Finding]:
    """Tell each function once, with all of its lines."""
    for function in dict.fromkeys(call.function for call in evidence.training_calls):
        calls = [call for call in evidence.training_calls if call.function == function]
        count = f"{len(calls)} call{'s' if len(calls) != 1 else ''}"
        yield RULE.finding(
            context,
            title=f"{function} is exported in training mode",
            cause=f"{count} of {function} with training=True, though the model is in evaluation mode",
            fix="Pass training=self.training, or use a layer of torch.nn",
            places=[context.place(at) for at in dict.fromkeys(call.at for call in calls)],
        )


RULE = Rule(id="EXP024", title="A layer is exported in training mode", needs=Attempt, check=check)
