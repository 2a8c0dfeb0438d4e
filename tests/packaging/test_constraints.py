"""constraints.txt is exact and complete: what it does not name, a set-up would take in any version."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"([\w-]+)==(\S+)(?:  # \d+ MB.*)?")


def read_pins() -> dict[str, str]:
    text = (PROJECT / "constraints.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    matches = {line: PIN.fullmatch(line) for line in lines}
    assert [line for line, match in matches.items() if not match] == []
    return {canonicalize_name(match[1]): match[2] for match in matches.values() if match}


def direct_requirements() -> list[Requirement]:
    """Return what packaging/test asks pip for."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    texts = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    texts += [*project["project"]["optional-dependencies"]["frameworks"], *groups["test"], *groups["lint"]]
    return [Requirement(text) for text in texts]


def all_requirements() -> dict[str, list[Requirement]]:
    """Return the direct requirements and, from what is installed, theirs in turn, by canonical name."""
    found: dict[str, list[Requirement]] = {}
    waiting = direct_requirements()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if requirement in found.get(name, []):
            continue
        found.setdefault(name, []).append(requirement)
        extras = requirement.extras or {""}
        for text in requires(requirement.name) or []:
            inner = Requirement(text)
            if inner.marker is None or any(inner.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(inner)
    return found


def test_that_every_requirement_has_its_exact_version() -> None:
    pins = read_pins()
    # The CUDA builds of torch name the exact versions of their libraries themselves.
    loose = {name for name, asked in all_requirements().items() if not any("==" in str(one) for one in asked)}
    assert loose - pins.keys() == set()


def test_that_every_exact_version_is_one_that_is_asked_for() -> None:
    pins, required = read_pins(), all_requirements()
    assert pins.keys() - required.keys() == set()
    refused = [
        f"{one} is not {pins[name]}" for name in pins for one in required[name] if pins[name] not in one.specifier
    ]
    assert refused == []
