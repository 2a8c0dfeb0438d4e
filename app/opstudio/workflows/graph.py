"""A model file held against a runtime and operator libraries: what each node is, and whether a session takes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Json, Severity
from opstudio.base.names import did_you_mean
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.models import ModelContext, node_title
from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import FileFormat, ModelRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.contracts import KnownContract
from opstudio.model.resolution.evidence import GraphEvidence, examine_model
from opstudio.model.resolution.file_checks import has_wrong_versions
from opstudio.model.resolution.records import Origin, Resolved
from opstudio.model.runtime.library_evidence import LibraryEvidence
from opstudio.model.runtime.records import RuntimeTables
from opstudio.model.shapes.records import ModelShapes
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge

STAGE = "graph"
ORT_NOTE = (
    "shapes and attributes are not checked in ONNX Runtime's own format; "
    "the ONNX file that it was made from can be checked in full"
)
"""What a file in that format does not tell, or is not asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphReport:
    """What was found out about a model. Findings about libraries stand before those about the model."""

    evidence: GraphEvidence
    libraries: tuple[LibraryEvidence, ...]
    findings: tuple[Finding, ...]

    @property
    def model(self) -> ModelRecord:
        """The model."""
        return self.evidence.model

    @property
    def note(self) -> str:
        """What was not looked at; empty where everything was."""
        return ORT_NOTE if self.model.format is FileFormat.ORT else ""

    @property
    def is_accepted(self) -> bool:
        """Whether a session takes the model after the libraries, as far as files and the runtime's lists tell."""
        return self.evidence.good and all(library.good for library in self.libraries)

    @property
    def reason(self) -> str:
        """Why not, in one line: the first error; empty for a model that is taken."""
        errors = [finding for finding in self.findings if finding.severity is Severity.ERROR]
        return "" if self.is_accepted or not errors else f"{errors[0].title}: {errors[0].cause}"

    def as_document(self) -> dict[str, Json]:
        """Return it as JSON values, without the findings."""
        model = self.model
        return {
            "file": str(model.path),
            "format": model.format.value,
            "note": self.note,
            "ir_version": model.ir_version,
            "opsets": {domain or "ai.onnx": version for domain, version in model.opsets.items()},
            "runtime": f"ONNX Runtime {self.evidence.catalogue.tables.release}",
            "providers": list(self.evidence.catalogue.providers),
            "libraries": [_library_document(library) for library in self.libraries],
            "loads": {"verdict": "accepted" if self.is_accepted else "refused", "reason": self.reason},
            "counts": {
                "nodes": len(self.evidence.nodes),
                "functions": len(model.functions),
                "unresolved": sum(1 for _ in self.evidence.unresolved()),
                "domains": dict(domain_counts(self.evidence)),
            },
            "unresolved": self._unresolved(),
        }

    def _unresolved(self) -> list[Json]:
        ids = {key: finding.id for finding in self.findings for key in _keys(finding)}
        return [
            {
                "node": node_title(item),
                "domain": item.node.domain,
                "type": item.node.type,
                "step": fault.step.value,
                "reason": fault.reason,
                "finding": ids.get((item.node.domain, item.node.type, fault.step.value), ""),
            }
            for item, fault in self.evidence.unresolved()
        ]


def _keys(finding: Finding) -> Iterator[tuple[Json, Json, Json]]:
    """Yield domain, type and step of the nodes that a finding is about; some are about several types."""
    evidence = finding.evidence
    types = evidence.get("types")
    for kind in types if isinstance(types, list) else [evidence.get("type")]:
        yield evidence.get("domain"), kind, evidence.get("step")


def _library_document(library: LibraryEvidence) -> dict[str, Json]:
    operators = library.contents.operators if library.contents is not None else ()
    names: list[Json] = [f"{operator.domain}:{operator.type}" for operator in operators]
    return {"path": library.path, "usable": library.good, "operators": names}


def examine_graph(
    path: Path,
    knowledge: RuntimeKnowledge,
    cancel: CancelToken,
    *,
    libraries: Sequence[Path] = (),
    providers: Sequence[str] = (),
    contracts: Sequence[KnownContract] = (),
) -> GraphReport:
    """Read a model and hold it against the runtime, the libraries, and the contracts of a workspace.

    Raises:
        InputError: the file is no model or damaged, a library is not there, or a provider is not known.
        SetupError: there is no ONNX Runtime to ask.
        ToolError: the runtime cannot be asked.
        CancelledError: ``cancel`` was set.
    """
    model = read_model(path)
    return examine_model_file(model, knowledge, cancel, libraries=libraries, providers=providers, contracts=contracts)


def examine_model_file(
    model: ModelRecord,
    knowledge: RuntimeKnowledge,
    cancel: CancelToken,
    *,
    libraries: Sequence[Path] = (),
    providers: Sequence[str] = (),
    contracts: Sequence[KnownContract] = (),
) -> GraphReport:
    """Hold a model that was read against the runtime, the libraries and contracts; errors as of ``examine_graph``."""
    tables = knowledge.tables(cancel)
    looked = [knowledge.library(library, cancel) for library in libraries]
    catalogue = Catalogue(
        tables,
        [library.contents for library in looked if library.contents is not None],
        [_checked_provider(name, tables) for name in providers],
        contracts,
    )
    shapes = _shapes(model, catalogue, knowledge, cancel, looked)
    evidence = examine_model(model, catalogue, shapes, checkpoint=cancel.check)
    context = ModelContext(stage=STAGE, file=str(model.path))
    # A library that failed looks as if it were not there: it comes first.
    findings = [finding for library in looked for finding in diagnose(library, context)]
    cancel.check()
    return GraphReport(evidence=evidence, libraries=tuple(looked), findings=(*findings, *diagnose(evidence, context)))


def _shapes(
    model: ModelRecord,
    catalogue: Catalogue,
    knowledge: RuntimeKnowledge,
    cancel: CancelToken,
    libraries: Sequence[LibraryEvidence],
) -> ModelShapes | None:
    """Ask the runtime about the nodes; a file whose versions it does not read has no answer for any of them."""
    if model.format is FileFormat.ORT or has_wrong_versions(model, catalogue.tables):
        return None
    return knowledge.shapes(
        model,
        cancel,
        libraries=[library.path for library in libraries if library.good],
        contracts=catalogue.contract_paths,
    )


def domain_counts(evidence: GraphEvidence) -> Counter[str]:
    """Return how many nodes are of each domain; those of functions that the file has are counted as theirs."""
    return Counter(item.node.domain or "ai.onnx" for item in evidence.nodes)


def origin_counts(evidence: GraphEvidence) -> Counter[str]:
    """Return how many nodes each party implements: providers, libraries by name, functions, nobody."""
    counts: Counter[str] = Counter()
    for item in evidence.nodes:
        match item.resolution:
            case Resolved(origin=Origin.FUNCTION):
                counts["functions of the file"] += 1
            case Resolved(party=party):
                counts[party] += 1
            case _:
                counts["nobody"] += 1
    return counts


def _checked_provider(name: str, tables: RuntimeTables) -> str:
    """Return a provider's whole name; ``cpu`` and ``CUDA`` will do."""
    for known in tables.providers:
        if name.casefold() in (known.casefold(), known.casefold().removesuffix("executionprovider")):
            return known
    raise InputError.of(
        f"There is no execution provider {name} here",
        cause=did_you_mean(name, tables.providers),
        fix="Choose one that this build of ONNX Runtime has",
        stage=STAGE,
    )
