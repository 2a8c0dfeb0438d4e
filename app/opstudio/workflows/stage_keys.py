"""What a stage's result depends on, as one address."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from opstudio import __version__
from opstudio.base.codec import to_json
from opstudio.base.hashing import content_address, file_address
from opstudio.checks.check import Check, Part
from opstudio.workflows.operators import LoadedOperator
from opstudio.workspace.operator_files import operator_file_addresses


def part_addresses(
    operator: LoadedOperator, *, kernel: str, frameworks: Mapping[str, str], binds_itself: bool
) -> dict[Part, str]:
    """Return the address of every part of an operator.

    ``kernel`` names its artifacts; ``binds_itself`` says that they register the operator, which the hosts do otherwise.
    """
    python = _python_files(operator)
    return {
        Part.CONTRACT: content_address(to_json(operator.contract)),
        Part.KERNEL: kernel,
        Part.BINDING: kernel if binds_itself else "",
        Part.CUDA: _cuda_files(operator),
        Part.REFERENCE: python,
        Part.MODEL: python,
        Part.REGISTRATION: python,
        Part.FRAMEWORKS: content_address(dict(frameworks)),
    }


def stage_key(check: Check, parts: Mapping[Part, str]) -> str:
    """Return the address of everything that a stage looks at, the check itself included."""
    used = {part.value: parts[part] for part in sorted(check.depends)}
    return content_address({"stage": check.id, "studio": studio_address(), "parts": used})


@functools.cache
def studio_address() -> str:
    """Return the address of the studio's own code, so that results of an older one do not stand for this one's."""
    root = Path(__file__).resolve().parent.parent
    packages = ("base", "build", "checks", "contract", "diagnosis", "model", "parity", "profiling", "worker")
    files = sorted(path for package in packages for path in (root / package).rglob("*.py"))
    return content_address([__version__, *(file_address(path) for path in files)])


def _cuda_files(operator: LoadedOperator) -> str:
    """Return the address of the CUDA sources; the build backend itself looks at the headers as well."""
    paths = [operator.folder.path / name for name in operator.contract.kernel.cuda]
    return content_address({path.name: file_address(path) for path in paths})


def _python_files(operator: LoadedOperator) -> str:
    """Return the address of all that an operator's Python may import or read: neighbours, sub-folders, data.

    The sources of the kernel have addresses of their own.
    """
    kernel = operator.contract.kernel
    return content_address(
        operator_file_addresses(operator.folder.path, without={*kernel.sources, *kernel.cuda, *kernel.onnxruntime})
    )
