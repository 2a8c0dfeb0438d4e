"""Copies of the project, to be built and set up apart from the checkout."""

from __future__ import annotations

import shutil
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

_LEFT_OUT = (".git", ".venv", ".opstudio", "__pycache__", ".*_cache", ".hypothesis", "shared")


def copy_project(target: Path) -> Path:
    """Copy the project without environments, caches and the state of workspaces."""
    shutil.copytree(PROJECT, target, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True)
    return target
