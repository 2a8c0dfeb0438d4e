"""One workspace for all faults of a session, with good operators of every kind; what builds slowly is built once."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.seeding import SLOW, FaultWorkspace, precompile

PRELUDE = """#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>
"""


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> FaultWorkspace:
    """Return a workspace with the bundled operator, one of each native template, and the operators of other tests."""
    made = FaultWorkspace(tmp_path_factory.mktemp("faults") / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add("relu6_scale", "relu6_scale")
    made.new("softening", "elementwise")
    made.new("mean_square", "reduction")
    made.copy("affine_pick")
    made.copy("weighted_sum")
    return made


@pytest.fixture(scope="session")
def raw(workspace: FaultWorkspace) -> Iterator[FaultWorkspace]:
    """Return the workspace with a raw operator for PyTorch alone; its headers are compiled once for all faults."""
    folder = workspace.new("squares", "raw")
    (folder / "squares_onnxruntime.cpp").unlink()
    workspace.edit("squares", "contract.toml", 'onnxruntime = ["squares_onnxruntime.cpp"]\n', "")
    workspace.edit("squares", "contract.toml", 'kind = "raw" ', 'flags = ["-O0", "-g0"]\nkind = "raw" ')
    header = folder.parent / "prelude.h"
    header.write_text(PRELUDE, encoding="utf-8")
    source = folder / "squares_torch.cpp"
    text = source.read_text(encoding="utf-8")
    source.write_text("", encoding="utf-8")  # compiles at once, and tells the command
    (built,) = workspace.run("build", "squares", "--json").document["operators"]
    precompile(header, shlex.split(built["builds"][0]["commands"][0]), source)
    source.write_text(text, encoding="utf-8")
    workspace.edit("squares", "contract.toml", '"-g0"', f'"-g0", "-include", "{header}"')
    assert workspace.check("squares", "--skip", SLOW).verdict == "good"
    yield workspace
    header.with_name("prelude.h.gch").unlink(missing_ok=True)
