"""One knowledge of the runtime and one library for all tests of fixes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from tests.support.operator_libraries import WrittenOperator, build_library
from tests.unit.model.fixes.broken_models import Bench


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RuntimeKnowledge]:
    with RuntimeKnowledge(folder=tmp_path_factory.mktemp("knowledge")) as opened:
        yield opened


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(tmp_path_factory.mktemp("library") / "lab.so", [WrittenOperator(domain="lab", type="Twice")])


@pytest.fixture
def bench(tmp_path: Path, knowledge: RuntimeKnowledge, library: Path) -> Bench:
    return Bench(tmp_path, knowledge, library)
