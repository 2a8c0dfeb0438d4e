"""Wheels: Python packages as one archive with a record of its files.

Source: the binary distribution format of the Python packaging guide (PEP 427), version 1.0.
"""

from __future__ import annotations

import base64
import hashlib
import io
import sysconfig
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opstudio import __version__
from opstudio.base.files import write_atomic

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""One time for all files, so that the same content is the same archive."""
_PERMISSIONS = 0o644 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelContent:
    """What goes into a wheel: ``files`` by their path in it, ``requires`` in the form of dependency specifiers."""

    name: str
    version: str
    summary: str
    requires: tuple[str, ...]
    description: str
    files: Mapping[str, bytes]


def write_wheel(folder: Path, content: WheelContent) -> Path:
    """Write the wheel for this platform and return its path.

    The libraries inside belong to a platform and to no release of Python: they use no Python interface.

    Raises:
        SetupError: the folder cannot be written.
    """
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    information = f"{content.name}-{content.version}.dist-info"
    files = {
        **content.files,
        f"{information}/METADATA": _metadata(content).encode("utf-8"),
        f"{information}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: opstudio {__version__}\nRoot-Is-Purelib: false\nTag: {tag}\n"
        ).encode(),
    }
    lines = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{information}/RECORD"] = "\n".join((*lines, f"{information}/RECORD,,", "")).encode("utf-8")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.external_attr = _PERMISSIONS
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, data)
    path = folder / f"{content.name}-{content.version}-{tag}.whl"
    write_atomic(path, archive.getvalue())
    return path


def _metadata(content: WheelContent) -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {content.name}",
        f"Version: {content.version}",
        f"Summary: {content.summary}",
        *(f"Requires-Dist: {item}" for item in content.requires),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join((*lines, "", content.description))


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")
