"""The newest opset and IR version that each release of ONNX Runtime loads."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from opstudio.base.assets import asset_root


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeLimit:
    """What a release takes at most. ``source`` says where that is known from."""

    release: str
    opset: int
    ir_version: int
    source: str


@functools.cache
def runtime_limits() -> Mapping[str, RuntimeLimit]:
    """Return the table ``resources/tables/runtimes.toml`` by release: ``1.20``."""
    text = (asset_root("resources") / "tables" / "runtimes.toml").read_text(encoding="utf-8")
    return {release: RuntimeLimit(release=release, **row) for release, row in tomllib.loads(text).items()}


def runtime_limit(version: str) -> RuntimeLimit | None:
    """Return the limits of a version (``1.20.1``), ``None`` where the table lacks its release."""
    return runtime_limits().get(".".join(version.split(".")[:2]))
