"""Files of a release that are read by people and tools."""

from __future__ import annotations

import dataclasses
import re

from opstudio.build.codegen.source_tree import project_files
from opstudio.build.records import OperatorSources
from opstudio.contract.toml_file import read_contract
from tests.support.workspaces import OPERATORS


def test_that_a_summary_stays_within_its_cell_of_the_table() -> None:
    folder = OPERATORS / "affine_pick"
    contract = dataclasses.replace(read_contract(folder / "contract.toml"), summary="y = x / (1 + |x|)\nwhere\\|")

    files = project_files([OperatorSources(folder, contract)], torch_version="2.13.0", version="3.0")

    header, rule, row = [line for line in files["README.md"].splitlines() if line.startswith("|")]
    # As Markdown reads it: a backslash takes the meaning from the sign behind it.
    cells = re.findall(r"(?<=\|)((?:\\.|[^\\|])*)\|", row)
    assert len(cells) == header.count("|") - 1 == rule.count("|") - 1
    assert re.sub(r"\\(.)", r"\1", cells[-1]).strip() == "y = x / (1 + |x|) where\\|"
