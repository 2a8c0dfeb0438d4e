"""Fixes of imports: of functions, of many domains, and offers that solve several findings by one change."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from types import FrameType
from typing import Any

import pytest
from onnx import ModelProto, TensorProto, helper  # noqa: TID253 - the second opinion

from opstudio.base.errors import InputError
from opstudio.model.fixes.registry import edits_of, find_offers
from tests.unit.model.fixes.broken_models import Bench, mended


def a_model(nodes: Iterable[Any], imports: Iterable[tuple[str, int]], functions: Iterable[Any] = ()) -> ModelProto:
    """Return a model that turns ``x`` into ``y``."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y")]
    graph = helper.make_graph(list(nodes), "imports", values[:1], values[1:])
    opsets = [helper.make_opsetid(*item) for item in imports]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=list(functions))


def calling(body: Any, own: Iterable[tuple[str, int]], imports: Iterable[tuple[str, int]]) -> ModelProto:
    """Return a model with one call of a function of one node, whose imports are ``own``."""
    opsets = [helper.make_opsetid(*item) for item in own]
    function = helper.make_function("own", "F", ["x"], ["y"], [body], opsets)
    return a_model([helper.make_node("F", ["x"], ["y"], domain="own")], [*imports, ("own", 1)], [function])


@pytest.mark.parametrize(
    ("domain", "own", "identifier"),
    [
        ("com.microsoft", [("", 17)], "add-import:com.microsoft=1"),
        ("", [], "add-import:ai.onnx=17"),
        ("lab", [("", 17)], "add-import:lab=1"),
    ],
)
def test_that_a_function_gets_the_import_that_the_model_has(
    domain: str, own: list[tuple[str, int]], identifier: str, bench: Bench
) -> None:
    operator = {"": "Relu", "lab": "Twice"}.get(domain, "Gelu")
    imports = {"": 17, domain: 1 if domain else 17}
    path = bench.written(calling(helper.make_node(operator, ["x"], ["y"], domain=domain), own, imports.items()))
    fixed = bench.fixed(path, identifier)

    def by_hand(model: Any) -> None:
        model.functions[0].opset_import.append(helper.make_opsetid(domain, imports[domain]))

    assert (bench.is_taken(path), bench.is_taken(fixed)) == (False, True)
    assert [finding.id for finding in bench.offers(path)[identifier].solves] == ["MOD003"]
    assert bench.report(fixed).is_accepted
    assert mended(fixed, lambda _model: None) == mended(path, by_hand)


def test_that_the_import_is_kept_at_which_the_nodes_of_a_function_run(bench: Bench) -> None:
    gelu = helper.make_node("Gelu", ["x"], ["y"], domain="com.microsoft")
    path = bench.written(calling(gelu, [("com.microsoft", 1)], [("", 17), ("com.microsoft", 1)]))
    assert bench.is_taken(path)
    assert "remove-import:com.microsoft" not in bench.offers(path)
    with pytest.raises(InputError) as caught:
        edits_of(bench.target(path), "remove-import:com.microsoft")
    assert "nodes use it" in str(caught.value.findings[0])


def test_that_a_mistyped_domain_in_a_function_is_renamed_in_its_imports(bench: Bench) -> None:
    twice = helper.make_node("Twice", ["x"], ["y"], domain="Lab")
    path = bench.written(calling(twice, [("Lab", 1)], [("", 17), ("Lab", 1)]))
    fixed = bench.fixed(path, "rename-domain:Lab=lab")
    assert [finding.id for finding in bench.offers(path)["rename-domain:Lab=lab"].solves] == ["ORT001"]
    assert (bench.is_taken(path), bench.is_taken(fixed)) == (False, True)


def test_that_an_offer_solves_what_each_of_its_reasons_does(bench: Bench) -> None:
    # Both came with opset 14; neither is there at 13.
    nodes = [helper.make_node("HardSwish", ["x"], ["a"]), helper.make_node("Trilu", ["a"], ["y"])]
    path = bench.written(a_model(nodes, [("", 13)]))
    offer = bench.offers(path)["change-import:ai.onnx=14"]
    assert sorted(str(finding.evidence["type"]) for finding in offer.solves) == ["HardSwish", "Trilu"]
    assert bench.is_taken(bench.fixed(path, offer.id))


def test_that_the_nodes_of_a_model_are_walked_once_for_all_imports(bench: Bench) -> None:
    unused = [(f"unused{number}", 1) for number in range(60)]
    path = bench.written(a_model([helper.make_node("Relu", ["x"], ["y"])], [("", 17), *unused]))
    target, calls = bench.target(path), Counter[str]()

    def count(frame: FrameType, event: str, _argument: object) -> None:
        calls[frame.f_code.co_name] += event == "call"

    sys.setprofile(count)
    try:
        offers = [offer for offer in find_offers(target) if offer.id.startswith("remove-import:")]
        edits = [edits_of(target, offer.id) for offer in offers]
    finally:
        sys.setprofile(None)
    assert len(offers) == len(edits) == len(unused)
    assert (calls["used_domains"], calls["find_places"]) == (1, 1)
