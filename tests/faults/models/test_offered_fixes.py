"""Faults of models with a fix by machine: it is offered for the finding, and applied it turns the model good."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from onnx import load_model  # noqa: TID253 - the second opinion

from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.catalogue import KnownContract
from opstudio.workflows.fix import FixedModel, apply_fixes, offer_fixes
from opstudio.workflows.fix_target import OutputOrder
from opstudio.workflows.fix_trial import Trial, try_changed_model
from opstudio.workflows.graph import GraphReport, examine_graph, examine_model_file
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from opstudio.workflows.workspace_contracts import contracts_at
from tests.faults.models import test_contract_rules as own_operators
from tests.faults.models import test_model_rules as models
from tests.support.contracts import write_contract
from tests.support.operator_libraries import WrittenOperator, build_library


def future_format(model: Any) -> None:
    model.ir_version = 99


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
        offers = [item.offer for item in offer_fixes(path, self.look).offers]
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
    assert fix in own.offers(path)
    own.mend(path, fix, output)

    assert {item.id for item in own.graph(output).findings} == {"MOD006"}
    names = [attribute.name for attribute in load_model(str(output)).graph.node[0].attribute]
    assert names == ["scale", "steps"]


def test_that_shapes_that_no_tool_infers_are_attached(own: Shop, tmp_path: Path) -> None:  # MOD006
    path, output = tmp_path / "wrong.onnx", tmp_path / "right.onnx"
    path.write_bytes(own_operators.a_model().SerializeToString())
    assert [item.id for item in own.graph(path).findings] == ["MOD006"]

    fix = "attach-shapes:lab:Half"
    assert fix in own.offers(path)
    own.mend(path, fix, output)

    assert own.graph(output).findings == ()
    (described,) = load_model(str(output)).graph.value_info
    sizes = [size.dim_param or size.dim_value for size in described.type.tensor_type.shape.dim]
    assert (described.name, sizes) == ("h", ["n", 3])
