"""An operator of one's own for both runtimes."""

from __future__ import annotations

import pytest

from tests.faults.seeding import FaultWorkspace, assert_good


@pytest.fixture(scope="session")
def both(raw: FaultWorkspace) -> FaultWorkspace:
    """Return the workspace with the raw operator ``powers``, whose PyTorch side is built once."""
    folder = raw.new("powers", "raw")
    raw.edit("powers", "contract.toml", 'kind = "raw" ', 'flags = ["-O0", "-g0"]\nkind = "raw" ')
    source = folder / "powers_torch.cpp"
    # A precompiled header is used where it comes first only.
    source.write_text(f'#include "../prelude.h"\n{source.read_text(encoding="utf-8")}', encoding="utf-8")
    assert_good(raw, "powers", "--only", "load")
    return raw
