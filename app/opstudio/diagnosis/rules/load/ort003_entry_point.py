"""An operator library does not export ``RegisterCustomOps``.

## What it finds
A library without the one function that ONNX Runtime calls, and what it exports that comes near.

## Why it happens
The function lacks ``extern "C"``, so that its name was mangled; it is hidden by ``-fvisibility=hidden``; or the file is
another kind of library, such as an extension of PyTorch.

## How to fix
Declare it ``extern "C"`` with default visibility: ``extern "C" __attribute__((visibility("default"))) OrtStatus*
RegisterCustomOps(OrtSessionOptions*, const OrtApiBase*)``.

## Source
The table of dynamic symbols of the file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.base.names import nearest_names
from opstudio.build.symbols import demangle
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.runtime.library_evidence import LibraryEvidence

_ENTRY_POINT = "RegisterCustomOps"
_SHOWN = 5


def check(evidence: LibraryEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell what is exported instead."""
    exports = evidence.file.exports
    if _ENTRY_POINT in exports:
        return
    mangled = [name for name in exports if _ENTRY_POINT in name]
    is_hidden = not mangled and any(_ENTRY_POINT in name for name in evidence.file.imports)
    is_torch = any("libtorch" in name for name in evidence.file.needed) or any(
        name.startswith("PyInit_") for name in exports
    )
    if mangled:
        cause = f"it exports {demangle(mangled[0])}, whose name was mangled"
        fix = 'Declare the function extern "C"'
    elif is_torch:
        cause = "it is an extension of PyTorch or Python"
        fix = "Build the library for ONNX Runtime: opstudio build --release makes both"
    else:
        near = nearest_names(_ENTRY_POINT, exports) or exports[:_SHOWN]
        cause = f"it exports {', '.join(near) or 'nothing'}" + (", and asks others for it" if is_hidden else "")
        fix = 'Export it: extern "C" __attribute__((visibility("default")))'
    yield RULE.finding(context, cause=cause, fix=fix, places=[Place(file=evidence.path)])


RULE = Rule(id="ORT003", title="The library does not export RegisterCustomOps", needs=LibraryEvidence, check=check)
