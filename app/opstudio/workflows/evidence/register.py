"""The registration: what the dispatcher holds, and the sources that put it there."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.build.codegen.onnxruntime_source import render_onnxruntime_source
from opstudio.build.codegen.source_tree import ONNXRUNTIME_SOURCE, TORCH_SOURCE
from opstudio.build.codegen.torch_source import render_torch_source
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.contract.operator import KernelKind
from opstudio.workflows.evidence_sections import Describer, EvidenceContext, KeyValues, Section, SourceText, table
from opstudio.workflows.operators import LoadedOperator


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show schemas, kernels by dispatch key, defaults, and the sources of the binding."""
    evidence = context.evidence
    if isinstance(evidence, RegisterEvidence):
        yield from _dispatcher(evidence)
    if context.operator is not None:
        yield from _sources(context, context.operator)


def _dispatcher(evidence: RegisterEvidence) -> Iterator[Section]:
    entries = (("registered", evidence.schema or "not at all"), ("contract", evidence.contract_schema))
    yield Section(title="Schema", content=KeyValues(entries=entries))
    missing = evidence.missing_kernels
    rows = [
        (key, "kernel" if found else "missing" if key in missing else "–") for key, found in evidence.kernels.items()
    ]
    bad = [index for index, (_, state) in enumerate(rows) if state == "missing"]
    if rows:
        yield Section(title="Dispatcher entries", content=table(("dispatch key", "kernel of its own"), rows, bad=bad))
    if evidence.defaults:
        wrong = set(evidence.wrong_defaults)
        sides = [
            (
                item.attribute,
                *(text if text is not None else "–" for text in (item.contract, item.schema, item.reference)),
            )
            for item in evidence.defaults
        ]
        bad = [index for index, item in enumerate(evidence.defaults) if item in wrong]
        columns = ("attribute", "contract", "registered", "reference")
        yield Section(title="Defaults", content=table(columns, sides, bad=bad))
    if evidence.defined:
        yield Section(title="Defined instead", content=table(("operator",), [(name,) for name in evidence.defined]))


def _sources(context: EvidenceContext, operator: LoadedOperator) -> Iterator[Section]:
    """Yield the sources of a release, which a native operator is bound by, or the operator's own."""
    contract = operator.contract
    if contract.kernel.kind is KernelKind.NATIVE:
        torch, runtime = render_torch_source([contract]), render_onnxruntime_source([contract])
        yield Section(title=f"Generated for a release: {TORCH_SOURCE}", content=SourceText(language="cpp", text=torch))
        title = f"Generated for a release: {ONNXRUNTIME_SOURCE}"
        yield Section(title=title, content=SourceText(language="cpp", text=runtime))
        return
    for name in (*contract.kernel.sources, *contract.kernel.onnxruntime):
        path = operator.folder.path / name
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            content = SourceText(language="cpp", text=text, path=context.workspace.relative(path))
            yield Section(title=f"The operator's own {name}", content=content)


DESCRIBER = Describer(stages=("register",), describe=describe)
