"""A session is given other inputs than its model asks for: other names, ranks or types, or too few.

## What it finds
What ONNX Runtime says of an input that does not fit: its rank, its element type, a name that the model does not have,
or inputs that are missing. Where a name that was given is near one that is missing, both are told.

## Why it happens
NumPy makes float64 and int64 where the model has float32 and int32; the batch axis is missing; exporters rename inputs;
what is a constant in Python became an input.

## How to fix
Cast or reshape before the call, and take the names from ``session.get_inputs()``.

## Source
The runtime's message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opstudio.base.finding import Finding, Place
from opstudio.base.names import nearest_names
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage

_RANK = r"Invalid rank for input: (\S+) Got: (\d+) Expected: (\d+)"
_TYPE = r"Unexpected input data type\. Actual: \((.+?)\) , expected: \((.+?)\)(?: |$)"
_MISSING = r"Required inputs \(\[(.*?)\]\) are missing from input feed \(\[(.*?)\]\)"
_UNKNOWN = r"Invalid input name: (\S+)"
_NUMPY = {"tensor(float)": "float32", "tensor(double)": "float64"}


def check(evidence: RuntimeMessage, context: Context) -> Iterable[Finding]:
    """Tell what does not fit."""
    for tensor, cause, fix in _faults(evidence):
        places = [Place(tensor=tensor)] if tensor else []
        yield RULE.finding(context, cause=cause, fix=fix, places=places)


def _faults(evidence: RuntimeMessage) -> Iterator[tuple[str, str, str]]:
    """Yield the input that a fault is about, the cause and the fix."""
    for match in evidence.find(_RANK):
        cause = f"{match[1]} has {match[2]} axes, the model asks for {match[3]}"
        yield match[1], cause, "Reshape it: a batch axis is added with x[None], one of size 1 is taken away with x[0]"
    for match in evidence.find(_TYPE):
        wanted = _NUMPY.get(match[2], match[2].removeprefix("tensor(").removesuffix(")"))
        yield "", f"an input is {match[1]}, the model asks for {match[2]}", f"Cast it: x.astype(numpy.{wanted})"
    for match in evidence.find(_MISSING):
        missing, given = (re.findall(r"'([^']*)'", part) for part in match.groups())
        near = {name: found[0] for name in missing if (found := nearest_names(name, given))}
        hints = "".join(f"; {other} was given: is it {name}?" for name, other in near.items())
        cause = f"{' and '.join(missing)} {'was' if len(missing) == 1 else 'were'} not given{hints}"
        yield missing[0] if missing else "", cause, "Give every input under the name that session.get_inputs() tells"
    for match in evidence.find(_UNKNOWN):
        cause = f"the model has no input {match[1]}"
        yield match[1], cause, "Leave it out, or take its name from session.get_inputs(): exporters rename inputs"


RULE = Rule(id="ORT018", title="Inputs do not fit the model", needs=RuntimeMessage, check=check)
