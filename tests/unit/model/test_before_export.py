"""What is known of a module before its export: names, calls, the lines they come from, and other sizes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from opstudio.contract.operator import AttributeKind
from opstudio.model.eager import find_unused, run_eager
from opstudio.model.export_request import CodeLine, DynamicAxis, Exporter, ExportRequest, Route
from opstudio.model.exportable import Exportable
from opstudio.model.resizing import resize
from tests.support.contracts import a_contract, an_attribute

DOUBLED = a_contract(name="doubled", attributes=(an_attribute("times", AttributeKind.FLOAT, 2.0),))


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    import torch

    library = torch.library.Library("myops", "FRAGMENT")
    library.define("doubled(Tensor x, float times=2.0) -> Tensor")
    library.impl("doubled", lambda x, times=2.0: x * times, "CompositeExplicitAutograd")
    yield
    library._destroy()


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Exportable]:
    """Return a function that writes the body of a ``forward`` to a file and returns what can be exported of it."""

    def written(body: str, *inputs: Any, arguments: str = "x", **named: Any) -> Exportable:
        import torch

        text = f"def forward(self, {arguments}):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
        (tmp_path / "model.py").write_text(text, encoding="utf-8")
        space: dict[str, Any] = {"torch": torch, "Pair": Pair}
        exec(compile(text, str(tmp_path / "model.py"), "exec"), space)  # noqa: S102 - the text above
        model = type("Model", (torch.nn.Module,), {"forward": space["forward"]})
        return Exportable(make=model, inputs=inputs, named=named, contracts=(DOUBLED,), references={})

    return written


class Pair(NamedTuple):
    """Two results with names."""

    first: Any
    second: Any


def ones(*shape: int) -> Any:
    import torch

    return torch.ones(shape)


def test_that_inputs_are_called_as_forward_calls_them(make: Any) -> None:
    exportable = make("return x + y", ones(2), y=ones(2), arguments="x, flag=None, y=None")

    assert exportable.input_names(exportable.module()) == ("x", "y")
    assert exportable.call(exportable.module()).tolist() == [2.0, 2.0]


def test_that_inputs_without_names_are_numbered(make: Any) -> None:
    exportable = make("return sum(xs)", ones(2), ones(2), arguments="*xs")

    assert exportable.input_names(exportable.module()) == ("input_0", "input_1")


@pytest.mark.parametrize(
    ("result", "names"),
    [
        ("x", ("output",)),
        ("(x, x + 1)", ("output_0", "output_1")),
        ("[x]", ("output",)),
        ('{"logits": x, "state": x + 1}', ("logits", "state")),
        ("Pair(x, x + 1)", ("first", "second")),
        ('{"logits": x, "states": [x, x]}', ("output_0", "output_1", "output_2")),
    ],
)
def test_that_outputs_are_called_as_the_model_calls_them(
    make: Any, tmp_path: Path, result: str, names: tuple[str, ...]
) -> None:
    assert run_eager(make(f"return {result}", ones(2)), tmp_path).output_names == names


def test_that_calls_are_noted_with_their_values_and_lines(make: Any, tmp_path: Path) -> None:
    exportable = make(
        """
        y = torch.nn.functional.gelu(x)
        return torch.ops.myops.doubled(y, times=0.1) + torch.ops.myops.doubled(x)
        """,
        ones(2, 3),
    )

    eager = run_eager(exportable, tmp_path)

    assert [(call.operator, dict(call.attributes)) for call in eager.calls] == [
        ("myops::doubled", {"times": "0.10000000149011612"}),
        ("myops::doubled", {"times": "2.0"}),
    ]
    assert eager.standard_calls == {"aten::gelu": 1}
    model = str(tmp_path / "model.py")
    assert eager.lines["aten::gelu"] == CodeLine(file=model, line=3)
    assert eager.lines["myops::doubled"] == CodeLine(file=model, line=4)
    assert (eager.inputs, eager.outputs) == (((2, 3),), ((2, 3),))


@pytest.mark.parametrize(
    ("second", "repeated"),
    [
        ("torch.ops.myops.doubled(x + 1)", True),
        ("torch.ops.myops.doubled(x + 1, 2.0)", True),
        ("torch.ops.myops.doubled(x + 1, 3.0)", False),
        ("torch.ops.myops.doubled(x + 2)", False),
        ("torch.ops.myops.doubled((x + 1)[:1])", False),
    ],
)
def test_that_a_call_is_repeated_where_all_its_values_are(
    make: Any,
    tmp_path: Path,
    second: str,
    repeated: bool,  # noqa: FBT001 - a column of the table
) -> None:
    exportable = make(f"return torch.ops.myops.doubled(x + 1) + {second}", ones(2, 3))

    assert [call.repeated for call in run_eager(exportable, tmp_path).calls] == [False, repeated]


def test_that_calls_that_nobody_reads_are_found(make: Any, tmp_path: Path) -> None:
    exportable = make(
        """
        torch.ops.myops.doubled(x, 3.0)
        shape = torch.ops.myops.doubled(x, 4.0).shape
        read = torch.ops.myops.doubled(x, 5.0).reshape(shape)
        return read[0, 0] > 1e9, torch.ops.myops.doubled(x, 6.0)
        """,
        ones(2, 3),
    )

    calls = find_unused(exportable, run_eager(exportable, tmp_path).calls)

    # The third is read, though a comparison with what was spoiled is false as before.
    assert [call.unused for call in calls] == [True, True, True, False]


def test_that_weights_are_the_same_each_time_a_module_is_made() -> None:
    import torch

    exportable = Exportable(make=lambda: torch.nn.Linear(3, 3), contracts=(), references={})

    assert torch.equal(exportable.module().weight, exportable.module().weight)
    assert not exportable.module().training


def request(*axes: DynamicAxis) -> ExportRequest:
    return ExportRequest(exporter=Exporter.DYNAMO, route=Route.CUSTOM, opset=18, dynamic=axes)


BATCH, WIDTH = DynamicAxis(input="x", axis=0, name="batch"), DynamicAxis(input="x", axis=1, name="width")


@pytest.mark.parametrize(
    ("body", "axes", "sizes", "outputs"),
    [
        ("return x", (BATCH,), (5, 4), (5, 4)),
        ("return x", (BATCH, WIDTH), (5, 7), (5, 7)),
        ("return x.unflatten(1, (-1, 4)).sum(1)", (BATCH, WIDTH), (4, 8), (4, 4)),
        ("return x[:2].expand(2, 4)[: x.shape[0]] + torch.ones(4)[: x.shape[1]]", (WIDTH,), (2, 2), None),
        ("return x", (DynamicAxis(input="x", axis=5, name="far"),), None, None),
    ],
)
def test_that_a_model_is_run_at_the_first_other_sizes_that_it_takes(
    make: Any, tmp_path: Path, body: str, axes: Any, sizes: Any, outputs: Any
) -> None:
    found = resize(make(body, ones(2, 4)), ("x",), request(*axes), tmp_path)

    if sizes is None:
        assert found is None
    elif outputs is None:
        assert found is not None
        assert found[1].error.startswith("RuntimeError")
    else:
        assert found is not None
        tensors, run = found
        assert (tuple(tensors[0].shape), run.inputs, run.outputs, run.error) == (sizes, (sizes,), (outputs,), "")


def test_that_a_model_that_knows_a_largest_size_is_run_at_a_smaller_one(make: Any, tmp_path: Path) -> None:
    found = resize(make("return x + torch.ones(4)[: x.shape[1]]", ones(2, 4)), ("x",), request(WIDTH), tmp_path)

    assert found is not None
    assert (found[1].inputs, found[1].error) == (((2, 2),), "")


def test_that_nothing_is_run_where_nothing_varies(make: Any, tmp_path: Path) -> None:
    assert resize(make("return x", ones(2, 4)), ("x",), request(), tmp_path) is None


def test_that_a_refusal_names_the_line_and_the_first_sizes_tried(make: Any, tmp_path: Path) -> None:
    found = resize(make("y = x + 1\nreturn y.view(2, 4)", ones(2, 4)), ("x",), request(BATCH), tmp_path)

    assert found is not None
    assert found[1].inputs == ((5, 4),)
    assert "invalid for input of size 20" in found[1].error
    assert found[1].at == CodeLine(file=str(tmp_path / "model.py"), line=3)
