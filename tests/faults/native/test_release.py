"""A release that works in the studio and nowhere else."""

from __future__ import annotations

from tests.faults.batch import copy_operator
from tests.faults.seeding import FaultWorkspace

CLAMP = "void forward(const opstudio::Call& call) {\n"
KEPT = 'const std::string tables = std::string(std::getenv("HOME")) + "/tables";  // fault\n\n'
INCLUDES = "#include <algorithm>\n"


def test_that_a_library_which_needs_the_studios_environment_is_not_released(workspace: FaultWorkspace) -> None:
    edits = (
        ("relu6_scale.cpp", INCLUDES, f"{INCLUDES}#include <cstdlib>\n#include <string>\n"),
        ("relu6_scale.cpp", CLAMP, KEPT + CLAMP),
    )
    name = copy_operator(workspace, "relu6_scale", "needs home", edits)
    # The variable is there while the operator is checked, so that nothing is found.
    assert workspace.check(name, "--only", "value").verdict == "good"

    result = workspace.run("build", name, "--release", "--json", timeout=600)

    assert result.status == 1
    (release,) = result.document["releases"]
    assert [finding["id"] for finding in release["findings"]] == ["REL001", "REL001"]
    finding = release["findings"][0]
    assert (finding["stage"], finding["severity"]) == ("load", "error")
    assert finding["title"] == "libmyops_torch.so does not load on its own"
    assert "basic_string" in finding["cause"]
    assert "Read the environment when the kernel is called" in finding["fix"]
    (place,) = finding["places"]
    assert place["line"] == workspace.line(name, "relu6_scale.cpp", "// fault")
    assert (release["released"], (workspace.root / "dist").exists()) == (False, False)
