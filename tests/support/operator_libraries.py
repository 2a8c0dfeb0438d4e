"""Operator libraries for ONNX Runtime, written and compiled as a test needs them; their operators compute nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.workspaces import KERNELS

ABI = KERNELS.parent / "plugins" / "onnxruntime" / "ort_abi.h"
REQUIRED, OPTIONAL, VARIADIC = 0, 1, 2
ANY, FLOAT, INT64 = 0, 1, 7

_OPERATOR = """
namespace {name} {{
constexpr int kInputs[][2] = {{{inputs}}};
constexpr int kOutputs[][2] = {{{outputs}}};
OrtCustomOp op;
void fill() {{
  op.version = {version};
  op.CreateKernel = [](const OrtCustomOp*, const OrtApi*, const OrtKernelInfo*) -> void* {{ {create} return &op; }};
  op.KernelCompute = [](void*, OrtKernelContext*) {{}};
  op.KernelDestroy = [](void*) {{}};
  op.GetName = [](const OrtCustomOp*) -> const char* {{ return "{type}"; }};
  op.GetExecutionProviderType = [](const OrtCustomOp*) -> const char* {{ return {provider}; }};
  op.GetInputTypeCount = [](const OrtCustomOp*) -> size_t {{ return {input_count}; }};
  op.GetOutputTypeCount = [](const OrtCustomOp*) -> size_t {{ return {output_count}; }};
  op.GetInputType = [](const OrtCustomOp*, size_t index) {{ return kInputs[index][0]; }};
  op.GetOutputType = [](const OrtCustomOp*, size_t index) {{ return kOutputs[index][0]; }};
  op.GetInputCharacteristic = [](const OrtCustomOp*, size_t index) {{ return kInputs[index][1]; }};
  op.GetOutputCharacteristic = [](const OrtCustomOp*, size_t index) {{ return kOutputs[index][1]; }};
  op.GetInputMemoryType = [](const OrtCustomOp*, size_t) {{ return 0; }};
  op.GetVariadicInputMinArity = [](const OrtCustomOp*) {{ return {least}; }};
  op.GetVariadicInputHomogeneity = [](const OrtCustomOp*) {{ return {homogeneous}; }};
  op.GetVariadicOutputMinArity = [](const OrtCustomOp*) {{ return 1; }};
  op.GetVariadicOutputHomogeneity = [](const OrtCustomOp*) {{ return 1; }};
  op.GetStartVersion = [](const OrtCustomOp*) {{ return {since}; }};
  op.GetEndVersion = [](const OrtCustomOp*) {{ return {until}; }};
}}
}}  // namespace {name}
"""
_ENTRY = """
extern "C" __attribute__((visibility("default"))) OrtStatus* {entry}(OrtSessionOptions* o, const OrtApiBase* base) {{
  const OrtApi* table = base->GetApi({api});
  if (table == nullptr) return ort::create_status_of(base->GetApi(1), "the runtime is older than API {api}");
  ort::api() = table;
{registrations}
  return {result};
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOperator:
    """An operator; inputs and outputs are pairs of an element type's number and a characteristic.

    ``create`` is C++ that runs before its kernel is made.
    """

    domain: str
    type: str
    inputs: Sequence[tuple[int, int]] = ((FLOAT, REQUIRED),)
    outputs: Sequence[tuple[int, int]] = ((FLOAT, REQUIRED),)
    since: int = 1
    until: int = 2**31 - 1
    provider: str = "CPUExecutionProvider"
    least: int = 1
    homogeneous: bool = True
    version: int = 18
    create: str = ""


def build_library(
    path: Path,
    operators: Sequence[WrittenOperator],
    *,
    api: int = 18,
    entry: str = "RegisterCustomOps",
    before: str = "",
    result: str = "nullptr",
) -> Path:
    """Compile a library; ``before`` is C++ that runs before anything is registered, ``result`` what it returns."""
    parts = [f'#include "{ABI}"\n#include <cstdlib>\n']
    steps = [before]
    domains = list(dict.fromkeys(operator.domain for operator in operators))
    for number, domain in enumerate(domains):
        steps.append(
            f'  OrtCustomOpDomain* d{number};\n  OPSTUDIO_ORT_TRY(ort::create_domain("{domain}", &d{number}));'
        )
    for number, operator in enumerate(operators):
        name = f"operator_{number}"
        parts.append(_operator(name, operator))
        steps.append(f"  {name}::fill();")
        steps.append(f"  OPSTUDIO_ORT_TRY(ort::add_operator(d{domains.index(operator.domain)}, &{name}::op));")
    steps += [f"  OPSTUDIO_ORT_TRY(ort::add_domain(o, d{number}));" for number in range(len(domains))]
    parts.append(_ENTRY.format(entry=entry, api=api, registrations="\n".join(steps), result=result))
    source = path.with_suffix(".cpp")
    source.write_text("".join(parts), encoding="utf-8")
    command = ["g++", "-std=c++17", "-O0", "-shared", "-fPIC", "-fvisibility=hidden", "-o", str(path), str(source)]
    subprocess.run(command, check=True)
    return path


def _operator(name: str, operator: WrittenOperator) -> str:
    def table(parameters: Sequence[tuple[int, int]]) -> str:
        return ", ".join(f"{{{kind}, {characteristic}}}" for kind, characteristic in parameters) or "{0, 0}"

    return _OPERATOR.format(
        name=name,
        type=operator.type,
        provider=f'"{operator.provider}"' if operator.provider else "nullptr",
        inputs=table(operator.inputs),
        outputs=table(operator.outputs),
        input_count=len(operator.inputs),
        output_count=len(operator.outputs),
        least=operator.least,
        homogeneous=int(operator.homogeneous),
        since=operator.since,
        until=operator.until,
        version=operator.version,
        create=operator.create,
    )
