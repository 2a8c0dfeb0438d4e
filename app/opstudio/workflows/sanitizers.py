"""Runs a kernel under the sanitizers and reads what they report."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from opstudio.base.data_type import DataType
from opstudio.base.files import write_atomic
from opstudio.base.finding import Severity
from opstudio.build.backends import sanitizer_address, sanitizer_thread
from opstudio.build.records import BuildRecord
from opstudio.build.sanitizer_plan import PROGRAM, RUNNER_OBJECT
from opstudio.checks.check import Check
from opstudio.checks.expected import CaseKind, ExpectedCase, ReferenceEvidence
from opstudio.checks.stages.sanitizer import SanitizerEvidence, SanitizerRun
from opstudio.contract.operator import AttributeKind, AttributeValue, OperatorContract
from opstudio.jobs.events import StageState
from opstudio.jobs.process import ProcessLimits, ProcessOutcome, run_process
from opstudio.worker.arrays import ArrayReference
from opstudio.workflows.check_run import CheckRun
from opstudio.workflows.sanitizer_reports import read_reports

_LARGEST_CASE = 1 << 18
"""Elements: larger ones add time, not paths through the kernel."""
_LIMIT_SECONDS = 60.0
_LIMIT_BYTES = 4 * 2**30
"""A kernel that crashed may do anything; the samples are small."""
_KINDS = tuple(AttributeKind)
"""In the order of their numbers in ``abi.h``."""

_TOOLS: Mapping[str, tuple[str, int, int]] = {
    "AddressSanitizer": (sanitizer_address.BACKEND.id, 2, 1),
    "ThreadSanitizer": (sanitizer_thread.BACKEND.id, 2, 2),
}
"""Backend, threads of a parallel loop, and callers at the same time."""


def run_sanitizer(run: CheckRun, check: Check) -> None:
    """Run the cut samples and special values of the reference under each sanitizer.

    Raises:
        SetupError: a tool cannot be started.
        CancelledError: the job was cancelled.
    """
    start = time.monotonic()
    evidence = run.evidence("reference")
    assert isinstance(evidence, ReferenceEvidence)
    cases = [case for case in evidence.cases if not case.error and _is_small(case)]
    calls = run.studio.workspace.state / "runs" / f"{run.name}.calls"
    write_atomic(calls, "".join(_call_texts(run.operator.contract, cases)))
    arrays = run.studio.arrays / next(iter(evidence.array_files))
    names = {_word(case): case.name for case in cases}
    results: list[SanitizerRun] = []
    for tool in _TOOLS:
        results.append(_run_tool(run, tool, calls, arrays, names))
        if results[-1].has_reached_limit:
            break  # the other one would reach it as well, only later
    if all(result.missing for result in results):
        run.finish_without(check, StageState.SKIPPED, f"{results[0].tool}: {results[0].missing}")
        return
    run.finish(check, SanitizerEvidence(runs=tuple(results)), time.monotonic() - start)


def _is_small(case: ExpectedCase) -> bool:
    tensors = [array for group in case.inputs.values() for array in group]
    return case.kind is not CaseKind.DYNAMIC and all(math.prod(array.shape) <= _LARGEST_CASE for array in tensors)


def _run_tool(run: CheckRun, tool: str, calls: Path, arrays: Path, names: Mapping[str, str]) -> SanitizerRun:
    backend, threads, callers = _TOOLS[tool]

    def write(text: str) -> None:
        run.write_output("sanitizer", text)

    cancel = run.job.cancel
    result = run.studio.build(f"{backend}_runner", cancel=cancel, on_output=write)
    if result.artifact is not None:
        runner = result.artifact.output(RUNNER_OBJECT)
        result = run.studio.build(backend, operators=(run.operator,), objects=(runner,), cancel=cancel, on_output=write)
    if result.artifact is None:
        reason = f"cannot be used here: {_refusal(result.record)}"
        return SanitizerRun(tool=tool, calls=0, missing=reason, commands=result.record.commands)
    command = [str(result.artifact.output(PROGRAM)), str(calls), str(arrays), str(threads), str(callers)]
    # ThreadSanitizer of older compilers refuses the address layout of newer kernels unless it is fixed.
    if tool == "ThreadSanitizer" and (setarch := shutil.which("setarch")):
        command = [setarch, "--addr-no-randomize", *command]
    commands = (*result.record.commands, shlex.join(command))
    outcome = run_process(
        command,
        environment=_environment(),
        cancel=run.job.cancel,
        limits=ProcessLimits(seconds=_LIMIT_SECONDS, memory_bytes=_LIMIT_BYTES, ends_descendants=True),
    )
    found = [replace(report, call=names.get(report.call, report.call)) for report in read_reports(outcome.output)]
    reports = tuple(dict.fromkeys(found))
    lines = outcome.output.splitlines()
    made = [line.removeprefix("run ") for line in lines if line.startswith("run ")]
    unfinished = (
        "" if reports else _unfinished(outcome, made, len(calls.read_text(encoding="utf-8").split("\nrun\n")) - 1)
    )
    return SanitizerRun(
        tool=tool,
        calls=len(made),
        refused=sum(line.startswith("refused ") for line in lines),
        reports=reports,
        missing=unfinished,
        has_reached_limit=outcome.timed_out or outcome.out_of_memory,
        output=outcome.output[-4000:] if reports or unfinished else "",
        commands=commands,
    )


def _unfinished(outcome: ProcessOutcome, made: Sequence[str], planned: int) -> str:
    """Return why a program did not make all calls; empty where it did."""
    if outcome.timed_out:
        return f"not finished within {_LIMIT_SECONDS:.0f} s"
    if outcome.out_of_memory:
        return f"ended at {_LIMIT_BYTES / 2**30:.0f} GiB of memory"
    if len(made) >= planned and outcome.status == 0:
        return ""
    told = [line.removeprefix("SUMMARY: ") for line in outcome.output.splitlines() if line.startswith("SUMMARY: ")]
    where = f" while running {made[-1]}" if made else ""
    return f"not finished: {told[-1] if told else f'the program ended with status {outcome.status}'}{where}"


def _refusal(record: BuildRecord) -> str:
    """Return why a sanitized kernel does not build: most often the sanitizer's own library is not installed."""
    errors = [item.message for item in record.diagnostics if item.severity is Severity.ERROR]
    lines = [line for line in record.output.splitlines() if "cannot find" in line or "No such file" in line]
    return next(iter((*errors, *lines)), "the compiler ended without a message")


def _environment() -> dict[str, str]:
    return {
        **os.environ,
        # Leaks need a tracer, which containers forbid; the other options keep reports short and lines known.
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:print_legend=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
    }


def _call_texts(contract: OperatorContract, cases: list[ExpectedCase]) -> Iterator[str]:
    for case in cases:
        yield _call_text(contract, case, backward=False)
        if contract.gradient is not None and all(name in case.inputs for name in contract.gradient.inputs):
            yield _call_text(contract, case, backward=True)


def _call_text(contract: OperatorContract, case: ExpectedCase, *, backward: bool) -> str:
    lines = [f"call {_word(case)} {'backward' if backward else 'forward'}"]
    lines += [_attribute_text(item.name, item.kind, case.attributes[item.name]) for item in contract.attributes]
    outputs = dict(zip((output.name for output in contract.outputs), case.outputs, strict=True))
    if not backward:
        lines += [_input_text(item.name, case.inputs.get(item.name, ())) for item in contract.inputs]
        lines += [_output_text(name, array) for name, array in outputs.items()]
    else:
        assert contract.gradient is not None
        # The values of gradients do not matter here, their shapes and types do: outputs stand in for them.
        lines += [_input_text(f"grad_{name}", (array,)) for name, array in outputs.items()]
        lines += [
            _input_text(name, (outputs[name],) if name in outputs else case.inputs.get(name, ()))
            for name in contract.gradient.saved
        ]
        lines += [
            _output_text(f"grad_{name}", array)
            for name in contract.gradient.inputs
            for array in case.inputs.get(name, ())
        ]
    return "\n".join((*lines, "run", ""))


def _word(case: ExpectedCase) -> str:
    return re.sub(r"[^\w.-]+", "_", case.name)


def _attribute_text(name: str, kind: AttributeKind, value: AttributeValue) -> str:
    values: list[str]
    if isinstance(value, str):
        values = ["x" + value.encode("utf-8").hex()]
    elif isinstance(value, tuple):
        values = [repr(item) for item in value]
    else:
        values = [repr(int(value)) if isinstance(value, bool) else repr(value)]
    return " ".join(("attribute", name, str(_KINDS.index(kind)), str(len(values)), *values))


def _input_text(name: str, arrays: tuple[ArrayReference, ...]) -> str:
    views = [f"view {_tensor_text(array.type, array.shape)} {array.offset}" for array in arrays]
    return " ".join(("input", name, str(len(arrays)), *views))


def _output_text(name: str, array: ArrayReference) -> str:
    return f"output {name} {_tensor_text(array.type, array.shape)}"


def _tensor_text(data_type: DataType, shape: tuple[int, ...]) -> str:
    return " ".join(map(str, (data_type.onnx_code, len(shape), *shape)))
