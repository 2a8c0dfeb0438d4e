"""Faults of models with a fix by machine: it is offered for the finding, and applied it turns the model good."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper, load_model, numpy_helper, save_model  # noqa: TID253 - the second opinion

from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.catalogue import KnownContract
from opstudio.workflows.fix import FixedModel, apply_fixes, offer_fixes
from opstudio.workflows.fix_target import OutputOrder
from opstudio.workflows.fix_trial import Trial, try_changed_model
from opstudio.workflows.graph import GraphReport, examine_graph, examine_model_file
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from opstudio.workflows.workspace_contracts import contracts_at
from tests.faults.models import seeded_models as models
from tests.faults.models import test_contract_rules as own_operators
from tests.support.contracts import write_contract
from tests.support.operator_libraries import WrittenOperator, build_library


def future_format(model: Any) -> None:
    model.ir_version = 99


def misspelt_word(model: Any) -> None:
    """Round the result, whose node has a word that no kernel takes."""
    model.graph.node[2].output[0] = "clipped"
    model.graph.node.append(helper.make_node("BitShift", ["bits", "bits"], ["shifted_bits"], direction="LEF"))
    model.graph.node.append(helper.make_node("Identity", ["clipped"], ["y"], name="same"))
    model.graph.initializer.append(numpy_helper.from_array(np.uint32([1]), "bits"))


FIXES: tuple[tuple[Callable[[Any], None], str, str], ...] = (
    (models.other_domain, "ORT001", "rename-operator:laboratory:Twice=lab:Twice"),
    (models.capital, "ORT001", "rename-operator:lab:twice=lab:Twice"),
    (models.no_import, "MOD003", "rename-operator:elsewhere:Twice=lab:Twice"),
    (models.unknown_operator, "MOD004", "rename-operator:ai.onnx:Addd=ai.onnx:Add"),
    (models.future_opset, "MOD007", "lower-opset:28"),
    (models.unused_import, "MOD007", "remove-import:ai.onnx.ml"),
    (models.unused_import, "MOD007", "change-import:ai.onnx.ml=5"),
    (future_format, "MOD007", "lower-ir:14"),
    (models.one_name, "MOD008", "unique-names"),
    (models.old_form, "MOD004", "attributes-to-inputs:ai.onnx:Clip"),
    (models.mixed_types, "MOD005", "insert-cast:ai.onnx:Add[1]=float"),
    (misspelt_word, "ORT020", "set-attribute:ai.onnx:BitShift.direction=LEFT"),
)


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RuntimeKnowledge]:
    with RuntimeKnowledge(folder=tmp_path_factory.mktemp("knowledge")) as opened:
        yield opened


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(tmp_path_factory.mktemp("library") / "lab.so", [WrittenOperator(domain="lab", type="Twice")])


@dataclass(frozen=True, kw_only=True)
class Shop:
    """What looks at models and mends them, as ``opstudio fix`` does."""

    knowledge: RuntimeKnowledge
    libraries: Sequence[Path] = ()
    contracts: Sequence[KnownContract] = ()
    cancel: CancelToken = field(default_factory=CancelToken)

    def look(self, model: ModelRecord) -> GraphReport:
        known = {"libraries": self.libraries, "contracts": self.contracts}
        return examine_model_file(model, self.knowledge, self.cancel, **known)

    def graph(self, path: Path) -> GraphReport:
        known = {"libraries": self.libraries, "contracts": self.contracts}
        return examine_graph(path, self.knowledge, self.cancel, **known)

    def offers(self, path: Path) -> dict[str, set[str]]:
        """Return the fixes that are offered, with the findings that each is offered for."""
        offers = [item.offer for item in offer_fixes(path, self.look, self.cancel).offers]
        return {offer.id: {finding.id for finding in offer.solves} for offer in offers}

    def mend(self, path: Path, fix: str, output: Path) -> FixedModel:
        def try_model(original: Path, changed: Path, providers: Sequence[str]) -> Trial:
            known = {"libraries": self.libraries, "providers": providers}
            return try_changed_model(sys.executable, original, changed, self.cancel, **known)

        return apply_fixes(path, [fix], OutputOrder(path=output), self.look, try_model, self.cancel)


@pytest.mark.parametrize(("edit", "finding", "fix"), FIXES, ids=[fix.replace(":", "-") for _, _, fix in FIXES])
def test_that_the_offered_fix_turns_the_model_good(
    edit: Callable[[Any], None], finding: str, fix: str, tmp_path: Path, knowledge: RuntimeKnowledge, library: Path
) -> None:
    shop = Shop(knowledge=knowledge, libraries=[library])
    model, path, output = models.a_model(), tmp_path / "wrong.onnx", tmp_path / "right.onnx"
    edit(model)
    path.write_bytes(model.SerializeToString())
    assert [item.id for item in shop.graph(path).findings] == [finding]
    assert not models.is_taken(path, library)

    assert shop.offers(path)[fix] == {finding}
    fixed = shop.mend(path, fix, output)

    assert fixed.worse == ()
    report = shop.graph(output)
    assert (report.findings, report.is_accepted, models.is_taken(output, library)) == ((), True, True)


def test_that_weights_under_another_name_are_found(tmp_path: Path, knowledge: RuntimeKnowledge, library: Path) -> None:
    # MOD002: the model says Model.Data, and a file model.data lies in a folder below.
    shop = Shop(knowledge=knowledge, libraries=[library])
    path, output = tmp_path / "wrong.onnx", tmp_path / "right.onnx"
    options = {"save_as_external_data": True, "location": "Model.Data", "size_threshold": 0}
    save_model(models.a_model(), str(path), **options)
    (tmp_path / "weights").mkdir()
    (tmp_path / "Model.Data").rename(tmp_path / "weights" / "model.data")
    assert [item.id for item in shop.graph(path).findings] == ["MOD002"]
    assert not models.is_taken(path, library)

    fix = "relocate-weights:Model.Data=weights/model.data"
    assert shop.offers(path)[fix] == {"MOD002"}
    assert shop.mend(path, fix, output).worse == ()
    assert (shop.graph(output).findings, models.is_taken(output, library)) == ((), True)


@pytest.fixture
def own(tmp_path: Path, knowledge: RuntimeKnowledge) -> Shop:
    """Return a shop that knows the contract of ``half``, with a library that takes it and infers no shape."""
    (tmp_path / "opstudio.toml").write_text("")
    (tmp_path / "half").mkdir()
    write_contract(tmp_path / "half", own_operators.CONTRACT)
    library = build_library(tmp_path / "half.so", [WrittenOperator(domain="lab", type="Half")])
    return Shop(knowledge=knowledge, libraries=[library], contracts=contracts_at(tmp_path / "half"))


def test_that_an_attribute_gets_the_name_that_the_contract_has(own: Shop, tmp_path: Path) -> None:  # ORT005
    path, output = tmp_path / "wrong.onnx", tmp_path / "right.onnx"
    path.write_bytes(own_operators.a_model(own_operators.other_name).SerializeToString())
    assert {item.id for item in own.graph(path).findings} == {"ORT005", "MOD006"}

    fix = "rename-attribute:lab:Half.step=steps"
    assert own.offers(path)[fix] == {"ORT005"}
    own.mend(path, fix, output)

    assert {item.id for item in own.graph(output).findings} == {"MOD006"}
    names = [attribute.name for attribute in load_model(str(output)).graph.node[0].attribute]
    assert names == ["scale", "steps"]


def test_that_a_name_is_said_to_solve_nothing_where_another_is_still_wrong(own: Shop, tmp_path: Path) -> None:
    """ORT005 stays after either name: a finding is about all that a node has otherwise."""
    model, path = own_operators.a_model(own_operators.other_name), tmp_path / "wrong.onnx"
    model.graph.node[0].attribute.append(helper.make_attribute("absent_in_contract", 1))
    path.write_bytes(model.SerializeToString())
    fix = "rename-attribute:lab:Half.step=steps"
    assert own.offers(path)[fix] == set()
    own.mend(path, fix, tmp_path / "right.onnx")
    assert "ORT005" in {item.id for item in own.graph(tmp_path / "right.onnx").findings}


def test_that_shapes_are_said_to_solve_nothing_where_a_nested_node_stays_open(own: Shop, tmp_path: Path) -> None:
    """MOD006 is about the node of a branch as well, which the fix leaves as it is."""
    model, path = own_operators.a_model(), tmp_path / "wrong.onnx"
    inner = helper.make_node("Half", ["x"], ["inside"], domain="lab", scale=2.0, name="inner")
    branches = [
        helper.make_graph(
            [inner, helper.make_node("Neg", ["inside"], ["kept"])],
            name,
            [],
            [helper.make_empty_tensor_value_info("kept")],
        )
        for name in ("then", "otherwise")
    ]
    model.graph.initializer.append(numpy_helper.from_array(np.bool_(True), "yes"))
    model.graph.node.append(
        helper.make_node("If", ["yes"], ["other"], name="if", then_branch=branches[0], else_branch=branches[1])
    )
    path.write_bytes(model.SerializeToString())
    assert "MOD006" in {item.id for item in own.graph(path).findings}
    fix = "attach-shapes:lab:Half"
    assert own.offers(path)[fix] == set()
    own.mend(path, fix, tmp_path / "right.onnx")
    assert "MOD006" in {item.id for item in own.graph(tmp_path / "right.onnx").findings}


def test_that_shapes_that_no_tool_infers_are_attached(own: Shop, tmp_path: Path) -> None:  # MOD006
    path, output = tmp_path / "wrong.onnx", tmp_path / "right.onnx"
    path.write_bytes(own_operators.a_model().SerializeToString())
    assert [item.id for item in own.graph(path).findings] == ["MOD006"]

    fix = "attach-shapes:lab:Half"
    assert own.offers(path)[fix] == {"MOD006"}
    own.mend(path, fix, output)

    assert own.graph(output).findings == ()
    (described,) = load_model(str(output)).graph.value_info
    sizes = [size.dim_param or size.dim_value for size in described.type.tensor_type.shape.dim]
    assert (described.name, sizes) == ("h", ["n", 3])
