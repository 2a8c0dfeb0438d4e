"""Sources of one's own with ``RegisterCustomOps`` that ONNX Runtime refuses."""

from __future__ import annotations

import pytest

from tests.faults.seeding import Fault, FaultWorkspace, assert_found_and_mended

SOURCE = "powers_onnxruntime.cpp"
ENTRY = 'extern "C" __attribute__((visibility("default"))) OrtStatus* RegisterCustomOps('


def refusal(edit: tuple[str, str], place: str, *words: str, severity: str = "error") -> Fault:
    """Return a fault of the ONNX Runtime side."""
    return Fault(
        id="ORT019",
        operator="powers",
        stage="load",
        edits=((SOURCE, *edit),),
        place=(SOURCE, place),
        words=words,
        arguments=("--only", "load"),
        severity=severity,
    )


FAULTS = {
    "a domain in other letters": refusal(
        ('create_domain("myops"', 'create_domain("MyOps"'),
        "create_domain(",
        "ONNX Runtime refuses myops:Powers",
        "is not a registered function/op",
        "the library registers domain MyOps, not myops",
    ),
    "a misspelt operator type": refusal(
        ('return "Powers"', 'return "Power"'),
        'return "Power"',
        "the library registers type Power, not Powers",
    ),
    "a runtime that is too old for the library": refusal(
        ("ort::api() = base->GetApi(ort::kApiVersion);", "ort::api() = base->GetApi(99);"),
        "GetApi(99)",
        "needs ONNX Runtime",
        "what this runtime lacks",
    ),
    "an entry that is not exported": refusal(
        (ENTRY, 'extern "C" OrtStatus* RegisterCustomOps('),
        "RegisterCustomOps(",
        "the library does not export RegisterCustomOps",
        "default visibility",
    ),
}


FAULTS["an attribute that is asked for under another name"] = Fault(
    id="NUM013",
    operator="powers",
    stage="parity",
    edits=((SOURCE, '"bias"', '"bais"'),),
    place=(SOURCE, '"bais"'),
    words=(
        "ONNX Runtime against PyTorch",
        "PyTorch agrees with the reference",
        "an attribute bais",
        "Ask for bias there",
    ),
    arguments=("--only", "value,load,parity"),
)

STORE = "static_cast<float*>(to)[i] = value * value + bias;"
ROWS, COLUMNS = "rank == 3 ? shape[1] : 1", "rank == 3 ? shape[2] : count"
TURNED = f"""const int64_t rows = {ROWS}, columns = {COLUMNS}, row = i / columns % rows, column = i % columns;
    static_cast<float*>(to)[(i / (rows * columns) * columns + column) * rows + row] = value * value + bias;"""
FAULTS["rows that are written as columns"] = Fault(
    id="ORT008",
    operator="powers",
    stage="parity",
    edits=((SOURCE, STORE, TURNED),),
    place=(SOURCE, "ort::Status compute("),
    words=("y, by the contract [first, second, third], is written as if its memory were [first, third, second]",),
    arguments=("--only", "value,load,parity"),
)


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_refusal_of_onnx_runtime_is_told(both: FaultWorkspace, name: str) -> None:
    assert_found_and_mended(both, FAULTS[name])


def test_that_missing_shapes_are_worth_a_warning(both: FaultWorkspace) -> None:
    with both.edited("powers", (SOURCE, "  op.InferOutputShapeFn = infer_shape;\n", "")):
        result = both.check("powers", "--only", "load")

    warning = result.finding("ORT019")
    assert (result.status, result.verdict, result.state("load"), result.ids) == (0, "good", "good", {"ORT019"})
    assert (warning["severity"], warning["title"]) == ("warning", "ONNX Runtime infers no shape")
    assert ("contract.toml", both.line("powers", "contract.toml", 'shape = "x"')) in result.lines("ORT019")
