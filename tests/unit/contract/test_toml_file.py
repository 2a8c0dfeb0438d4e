"""Contracts as they are read from files: what a good one means, and where each mistake of form is reported."""

from __future__ import annotations

from pathlib import Path

from opstudio.base.data_type import DataType
from opstudio.contract.operator import (
    Attribute,
    AttributeKind,
    ExportOptions,
    Gradient,
    Input,
    Kernel,
    KernelKind,
    Output,
    Sample,
    Tolerance,
)
from opstudio.contract.toml_file import read_contract, read_contract_document
from tests.support.contracts import (
    INPUT,
    KERNEL,
    OUTPUT,
    SAMPLES,
    contract_text,
    findings_of,
    position_of,
    write_contract,
)

FULL = """
[operator]
name = "roi_align"
domain = "vision"
version = 3
summary = "Pools regions"
onnx_type = "RoiAlign"

[[input]]
name = "x"
types = ["float32", "float16"]
shape = "[N, C, H, W]"
range = [-3, 3.5]

[[input]]
name = "rois"
type = "x"
shape = "[R, 5]"

[[input]]
name = "index"
types = ["int64"]
optional = true

[[attribute]]
name = "size"
type = "ints"
default = [7, 7]

[[attribute]]
name = "mode"
type = "string"
default = "avg"
choices = ["avg", "max"]

[[output]]
name = "y"
type = "x"
shape = "[R, C, size[0], size[1]]"

[[output]]
name = "argmax"
type = "int32"
shape = "[R]"

[kernel]
kind = "native"
sources = ["op.cpp"]
strided = true
side_effects = true
flags = ["-O2"]
reference = "reference.py:roi"
model = "reference.py:model"

[gradient]
inputs = ["x"]
saved = ["x", "argmax"]

[samples]
single = { x = [1, 1, 1, 1], rois = [1, 5] }
typical = { x = [2, 3, 8, 8], rois = [4, 5], index = [4], mode = "max" }
none = { x = [1, 1, 1, 1], rois = [0, 5], size = [1, 2] }

[tolerance]
kernel = { float32 = { rtol = 1e-3, atol = 0 } }
runtime = { float16 = { atol = 0.5 } }

[export]
opset = 17
expand = true
dynamic = { x = { 0 = "batch", 2 = "height" } }
"""


def test_that_every_part_of_a_contract_arrives(tmp_path: Path) -> None:
    contract = read_contract(write_contract(tmp_path, FULL))

    assert (
        contract.name,
        contract.domain,
        contract.version,
        contract.summary,
        contract.onnx_type,
        contract.qualified_name,
    ) == ("roi_align", "vision", 3, "Pools regions", "RoiAlign", "vision::roi_align")
    assert (
        Input(
            name="x",
            types=(DataType.FLOAT32, DataType.FLOAT16),
            shape="[N, C, H, W]",
            value_range=(-3.0, 3.5),
        ),
        Input(name="rois", same_type_as="x", shape="[R, 5]"),
        Input(name="index", types=(DataType.INT64,), optional=True),
    ) == contract.inputs
    assert (
        Attribute(name="size", kind=AttributeKind.INTS, default=(7, 7)),
        Attribute(name="mode", kind=AttributeKind.STRING, default="avg", choices=("avg", "max")),
    ) == contract.attributes
    assert (
        Output(name="y", same_type_as="x", shape="[R, C, size[0], size[1]]"),
        Output(name="argmax", type=DataType.INT32, shape="[R]"),
    ) == contract.outputs
    assert (
        Kernel(
            kind=KernelKind.NATIVE,
            sources=("op.cpp",),
            strided=True,
            side_effects=True,
            flags=("-O2",),
        )
        == contract.kernel
    )
    assert (contract.reference, contract.model) == ("reference.py:roi", "reference.py:model")
    assert Gradient(inputs=("x",), saved=("x", "argmax")) == contract.gradient
    assert (
        Sample(
            name="typical",
            shapes={"x": ((2, 3, 8, 8),), "rois": ((4, 5),), "index": ((4,),)},
            attributes={"mode": "max"},
        )
        == contract.samples[1]
    )
    assert {
        "kernel": {"float32": Tolerance(relative=1e-3, absolute=0.0)},
        "runtime": {"float16": Tolerance(relative=0.0, absolute=0.5)},
    } == contract.tolerances
    assert ExportOptions(opset=17, expand=True, dynamic={"x": {"0": "batch", "2": "height"}}) == contract.export


def test_that_the_shortest_contract_has_the_usual_defaults(tmp_path: Path) -> None:
    contract = read_contract(write_contract(tmp_path, contract_text()))

    assert (
        contract.version,
        contract.summary,
        contract.onnx_type,
        contract.model,
        contract.gradient,
    ) == (1, "", "Op", None, None)
    assert Output(name="y", same_type_as="x", shape="x") == contract.outputs[0]
    assert ExportOptions(opset=18) == contract.export


def test_that_a_gradient_without_names_covers_the_floating_inputs_and_saves_all(tmp_path: Path) -> None:
    inputs = (
        INPUT
        + '[[input]]\nname = "w"\ntype = "x"\n'
        + '[[input]]\nname = "i"\ntypes = ["int64", "int32"]\n'
        + '[[input]]\nname = "m"\ntypes = ["int8", "float16"]\n'
    )
    samples = "[samples]\n" + "".join(f"s{n} = {{ x = [1, 1], w = [1], i = [], m = [2] }}\n" for n in range(3))
    text = contract_text(inputs=inputs, samples=samples, more="[gradient]\n")

    assert (
        Gradient(inputs=("x", "w", "m"), saved=("x", "w", "i", "m"))
        == read_contract(write_contract(tmp_path, text)).gradient
    )


def test_that_a_type_shared_through_others_is_that_of_the_input_which_lists_it(tmp_path: Path) -> None:
    inputs = INPUT + '[[input]]\nname = "w"\ntype = "x"\n' + '[[input]]\nname = "v"\ntype = "w"\n'
    samples = SAMPLES.replace(" }", ", w = [2, 2], v = [3] }")
    outputs = '[[output]]\nname = "y"\ntype = "v"\nshape = "w"\n'
    text = contract_text(inputs=inputs, outputs=outputs, samples=samples, more='[gradient]\nsaved = ["x", "v"]\n')

    contract = read_contract(write_contract(tmp_path, text))

    assert [item.same_type_as for item in contract.inputs] == [None, "x", "x"]
    assert contract.outputs[0].same_type_as == "x"
    assert Gradient(inputs=("x", "w", "v"), saved=("x", "v")) == contract.gradient


def test_that_a_raw_kernel_may_change_its_inputs(tmp_path: Path) -> None:
    text = contract_text(inputs=INPUT + "mutable = true\n", kernel=KERNEL + 'kind = "raw"\n')

    contract = read_contract(write_contract(tmp_path, text))

    assert (contract.kernel.kind, contract.inputs[0].mutable) == (KernelKind.RAW, True)


def test_that_the_document_points_at_any_key_later(tmp_path: Path) -> None:
    _, document = read_contract_document(write_contract(tmp_path, FULL))

    place = document.place(("output", 1, "shape"), at_value=True)
    assert (place.line, place.column) == (44, 9)
    assert FULL.splitlines()[43][8:] == '"[R]"'


def test_that_line_and_column_count_from_one_in_a_text_written_out_in_full(tmp_path: Path) -> None:
    text = '[operator]\nname = "op"\ndomain = "myops"\nversion  =  true\n' + INPUT + OUTPUT + KERNEL + SAMPLES

    (finding,) = findings_of(write_contract(tmp_path, text))

    assert (finding.id, position_of(finding)) == ("CON002", (4, 13))
