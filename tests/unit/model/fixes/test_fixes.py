"""Each fix: the runtime refuses before and takes after, and nothing else of the file is changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from onnx import TensorProto, helper, load_model  # noqa: TID253 - the second opinion

from opstudio.base.errors import InputError
from opstudio.model.fixes.registry import all_fixes, edits_of
from tests.unit.model.fixes.broken_models import Bench, a_model, all_nodes, ids, mended


@dataclass(frozen=True, kw_only=True)
class Fault:
    """An edit that breaks the good model, the fix that is offered, the finding it solves, and the edit that mends."""

    breaks: Callable[[Any], None]
    fix: str
    solves: str
    mends: Callable[[Any], None]


def rename_domain(model: Any, old: str, new: str) -> None:
    for node in all_nodes(model.graph):
        if node.domain == old:
            node.domain = new
    for item in model.opset_import:
        if item.domain == old:
            item.domain = new


def rename_type(model: Any, old: str, new: str) -> None:
    for node in all_nodes(model.graph):
        if node.op_type == old:
            node.op_type = new


def rename_attribute(model: Any, old: str, new: str) -> None:
    for node in model.graph.node:
        for attribute in node.attribute:
            if attribute.name == old:
                attribute.name = new


def import_of(model: Any, domain: str) -> Any:
    return next(item for item in model.opset_import if item.domain == domain)


def add_cast(model: Any) -> None:
    """Let the first node read a cast, whose attribute is mistyped."""
    model.graph.node.insert(0, helper.make_node("Cast", ["x"], ["cast"], name="cast", To=TensorProto.FLOAT))
    model.graph.node[1].input[0] = "cast"


def add_mish(model: Any) -> None:
    """Add an operator that came with opset 18; all others are the same there."""
    model.graph.node[3].output[0] = "summed"
    model.graph.node.append(helper.make_node("Mish", ["summed"], ["y"], name="mish"))


def add_upsample(model: Any) -> None:
    """Add an operator that opset 10 took out; ``Sum`` and the others are the same at 9 only from 8 on."""
    model.graph.node.append(helper.make_node("Upsample", ["x", "scales"], ["large"], name="up"))
    model.graph.initializer.append(helper.make_tensor("scales", TensorProto.FLOAT, [2], [1.0, 1.0]))
    del model.graph.node[2]
    model.graph.node[2].input[1] = "shifted"
    del model.graph.node[0].input[1]
    model.graph.node[0].op_type = "Identity"
    import_of(model, "").version = 10


def import_too_new(model: Any) -> None:
    model.opset_import.append(helper.make_opsetid("ai.onnx.ml", 99))


def drop_import(model: Any) -> None:
    kept = [item for item in model.opset_import if item.domain != "ai.onnx.ml"]
    del model.opset_import[:]
    model.opset_import.extend(kept)


def one_name(model: Any) -> None:
    model.graph.node[3].name = model.graph.node[1].name = "shift"


def several_names(model: Any) -> None:
    model.graph.node[1].name, model.graph.node[3].name = "shift_2", "shift_3"


def no_import(model: Any) -> None:
    rename_domain(model, "lab", "Lab")
    del model.opset_import[1]


def with_import(model: Any) -> None:
    rename_domain(model, "Lab", "lab")
    model.opset_import.append(helper.make_opsetid("lab", 1))


def other_letters(model: Any) -> None:
    rename_domain(model, "lab", "Lab")
    rename_type(model, "Twice", "twice")


def these_letters(model: Any) -> None:
    rename_type(model, "twice", "Twice")
    for node in all_nodes(model.graph):
        if node.domain == "Lab":
            node.domain = "lab"
    model.opset_import.append(helper.make_opsetid("lab", 1))


FAULTS = {
    "domain with a capital": Fault(
        breaks=lambda model: rename_domain(model, "lab", "Lab"),
        fix="rename-domain:Lab=lab",
        solves="ORT001",
        mends=lambda model: rename_domain(model, "Lab", "lab"),
    ),
    "domain with a capital, not imported": Fault(
        breaks=no_import, fix="rename-domain:Lab=lab", solves="MOD003", mends=with_import
    ),
    "type with a small letter": Fault(
        breaks=lambda model: rename_type(model, "Twice", "twice"),
        fix="rename-operator:lab:twice=lab:Twice",
        solves="ORT001",
        mends=lambda model: rename_type(model, "twice", "Twice"),
    ),
    "domain and type in other letters": Fault(
        breaks=other_letters,
        fix="rename-operator:Lab:twice=lab:Twice",
        solves="ORT001",
        mends=these_letters,
    ),
    "attribute with a capital": Fault(
        breaks=add_cast,
        fix="rename-attribute:ai.onnx:Cast.To=to",
        solves="MOD004",
        mends=lambda model: rename_attribute(model, "To", "to"),
    ),
    "import too new": Fault(breaks=import_too_new, fix="remove-import:ai.onnx.ml", solves="MOD007", mends=drop_import),
    "operator of a later opset": Fault(
        breaks=add_mish,
        fix="change-import:ai.onnx=18",
        solves="MOD004",
        mends=lambda model: setattr(import_of(model, ""), "version", 18),
    ),
    "operator that was taken out": Fault(
        breaks=add_upsample,
        fix="lower-opset:9",
        solves="MOD004",
        mends=lambda model: setattr(import_of(model, ""), "version", 9),
    ),
    "opset too new": Fault(
        breaks=lambda model: setattr(import_of(model, ""), "version", 99),
        fix="lower-opset:28",
        solves="MOD007",
        mends=lambda model: setattr(import_of(model, ""), "version", 28),
    ),
    "IR version too new": Fault(
        breaks=lambda model: setattr(model, "ir_version", 99),
        fix="lower-ir:14",
        solves="MOD007",
        mends=lambda model: setattr(model, "ir_version", 14),
    ),
    "one name for three nodes": Fault(breaks=one_name, fix="unique-names", solves="MOD008", mends=several_names),
}


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fix_is_offered_makes_the_model_load_and_changes_nothing_else(bench: Bench, name: str) -> None:
    fault, model = FAULTS[name], a_model()
    fault.breaks(model)
    path = bench.written(model)
    content = path.read_bytes()
    assert not bench.is_taken(path)

    offers = bench.offers(path)
    assert fault.fix in offers
    assert fault.solves in ids(offers[fault.fix].solves)
    fixed = bench.fixed(path, fault.fix)

    assert load_model(str(fixed)) == mended(path, fault.mends)
    assert bench.is_taken(fixed)
    after = bench.report(fixed)
    assert after.is_accepted
    assert fault.fix not in bench.offers(fixed)
    assert path.read_bytes() == content


def test_that_the_good_model_is_taken_and_nothing_solves_anything(bench: Bench) -> None:
    path = bench.written(a_model())
    assert bench.is_taken(path)
    assert [offer.id for offer in bench.offers(path).values() if offer.solves] == []


def test_that_an_import_is_added_where_the_runtime_can_do_without_it(bench: Bench) -> None:
    model = a_model()
    del model.opset_import[1]
    path = bench.written(model)
    fixed = bench.fixed(path, "add-import:lab=1")

    assert "add-import:lab=1" in bench.offers(path)
    assert load_model(str(fixed)) == a_model()


def test_that_a_function_gets_the_import_that_its_nodes_need(bench: Bench) -> None:
    model = a_model()
    body = [helper.make_node("Twice", ["a"], ["b"], domain="lab")]
    function = helper.make_function("own", "F", ["a"], ["b"], body, [helper.make_opsetid("", 17)])
    model.functions.append(function)
    del model.opset_import[1]
    model.opset_import.append(helper.make_opsetid("own", 1))
    fixed = load_model(str(bench.fixed(bench.written(model), "add-import:lab=3")))

    model.opset_import.append(helper.make_opsetid("lab", 3))
    model.functions[0].opset_import.append(helper.make_opsetid("lab", 3))
    assert fixed == model


def test_that_every_fix_has_a_test_here_or_of_its_own() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in all_fixes() if f'"{name}' not in tests] == []


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("rename-domian:lab=x", "did you mean rename-domain?"),
        ("rename-domain", "there are none"),
        ("rename-domain:lab", "'lab' is not OLD=NEW"),
        ("rename-domain:absent=lab", "no node and no import has it"),
        ("rename-operator:lab:Twice=Thrice", "'Thrice' is not DOMAIN:OLD=DOMAIN:NEW"),
        ("rename-operator:lab:Absent=lab:Twice", "the model has no such node"),
        ("rename-attribute:lab:Twice.absent=scale", "no node of it has an attribute absent"),
        ("rename-attribute:lab:Twice.scale=axes", "1 nodes have both"),
        ("add-import:lab=1", "with version 1"),
        ("add-import:new=nothing", "'nothing' is not DOMAIN=VERSION"),
        ("add-import:new=99999999999", "is not DOMAIN=VERSION"),
        ("remove-import:lab", "nodes use it"),
        ("remove-import:absent", "there is none"),
        ("change-import:absent=2", "there is no version to change"),
        ("change-import:lab=1", "nothing is to be changed"),
        ("lower-opset:18", "this fix lowers it"),
        ("lower-opset:11", "ai.onnx:Add changed at version 14"),
        ("lower-ir:3", "the initializer w, which is no input came with IR version 4"),
        ("lower-ir:10", "it has IR version 9, and this fix lowers it"),
        ("unique-names", "all names differ"),
        ("make-dynamic:absent[0]=n", "its inputs are x"),
        ("make-dynamic:x[2]=n", "Axes are counted from 0"),
        ("make-dynamic:x[0]=1n", "with a name of letters"),
        ("make-fixed:x[0]=2", "nothing is to be changed"),
        ("attach-shapes:lab:Twice", "the workspace has no operator"),
    ],
)
def test_that_a_fix_that_does_not_fit_is_refused_in_words(bench: Bench, identifier: str, words: str) -> None:
    target = bench.target(bench.written(a_model()))
    with pytest.raises(InputError) as caught:
        list(edits_of(target, identifier))
    (finding,) = caught.value.findings
    assert words in f"{finding.title} {finding.cause} {finding.fix}"
