"""The sources of a release: all that building the operators of one domain takes, without the studio."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from opstudio import __version__
from opstudio.base.assets import asset_root
from opstudio.build.codegen.onnxruntime_source import render_onnxruntime_source
from opstudio.build.codegen.render import render_template
from opstudio.build.codegen.torch_source import entry_name, render_torch_source
from opstudio.build.records import OperatorSources
from opstudio.contract.operator import OperatorContract

TORCH_SOURCE = "torch_operators.cpp"
ONNXRUNTIME_SOURCE = "onnxruntime_operators.cpp"

_HOST = "include/opstudio_host"
_TORCH_HEADERS = ("torch_calls.h", "once_differentiable.h", "tensor_views.h", "symbolic_sizes.h")
_ONNXRUNTIME_HEADERS = ("library.h", "session_values.h", "inferred_size.h", "ort_abi.h")
_SHARED_HEADERS = ("kernel_call.h", "operator_description.h", "shape_program.h", "sizes.h")
_HEADER_SUFFIXES = frozenset({".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".cuh"})
_LEFT_OUT = "throw_recorder.h"
"""Only the studio compiles kernels so that they remember where they threw."""


def kernel_sources(operators: Sequence[OperatorSources]) -> dict[str, tuple[OperatorSources, str]]:
    """Return the sources of all kernels by their path in the tree, each with its operator and its own path."""
    return {
        f"kernels/{operator.contract.name}/{name}": (operator, name)
        for operator in operators
        for name in operator.contract.kernel.sources
    }


def torch_tree(operators: Sequence[OperatorSources]) -> dict[str, str]:
    """Return what the library for PyTorch is built from, by path."""
    return {
        TORCH_SOURCE: render_torch_source([operator.contract for operator in operators]),
        **_headers("torch", _TORCH_HEADERS),
        **_common(operators),
    }


def onnxruntime_tree(operators: Sequence[OperatorSources]) -> dict[str, str]:
    """Return what the library for ONNX Runtime is built from, by path."""
    return {
        ONNXRUNTIME_SOURCE: render_onnxruntime_source([operator.contract for operator in operators]),
        **_headers("onnxruntime", _ONNXRUNTIME_HEADERS),
        **_common(operators),
    }


def project_files(operators: Sequence[OperatorSources], *, torch_version: str, version: str) -> dict[str, str]:
    """Return what people read and run: the build description, the page and the Python package."""
    contracts = [operator.contract for operator in operators]
    values = {
        "domain": contracts[0].domain,
        "package": package_name(contracts[0].domain),
        "version": version,
        "torch": torch_version,
        "studio": __version__,
        "operators": [_operator(contract) for contract in contracts],
    }
    return {
        "CMakeLists.txt": render_template("release/CMakeLists.txt.j2", **values),
        "README.md": render_template("release/README.md.j2", **values),
        f"{package_name(contracts[0].domain)}/__init__.py": render_template("release/package.py.j2", **values),
    }


def package_name(domain: str) -> str:
    """Return the name of a domain's Python package; the domain alone is too often that of a project."""
    return f"{domain}_operators"


def _operator(contract: OperatorContract) -> dict[str, object]:
    return {
        "name": contract.name,
        "onnx_type": contract.onnx_type,
        "version": contract.version,
        "summary": contract.summary,
        "summary_cell": _cell(contract.summary),
        "entry": entry_name(contract),
        "sources": contract.kernel.sources,
        "flags": contract.kernel.flags,
    }


def _cell(text: str) -> str:
    """Return a text as a cell of a Markdown table, whose columns and rows it must not end."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def _common(operators: Sequence[OperatorSources]) -> Mapping[str, str]:
    kernel_header = asset_root("kernels") / "include" / "opstudio"
    shared = asset_root("plugins") / "include" / "opstudio_host"
    files = {
        f"include/opstudio/{path.name}": _read(path)
        for path in sorted(kernel_header.glob("*.h"))
        if path.name != _LEFT_OUT
    }
    files |= {f"{_HOST}/{name}": _read(shared / name) for name in _SHARED_HEADERS}
    for operator in operators:
        for path in _own_files(operator):
            files[f"kernels/{operator.contract.name}/{path.relative_to(operator.folder)}"] = _read(path)
    return files


def _headers(plugin: str, names: tuple[str, ...]) -> dict[str, str]:
    return {f"{_HOST}/{name}": _read(asset_root("plugins") / plugin / name) for name in names}


def _own_files(operator: OperatorSources) -> Iterator[Path]:
    """Yield the sources of a kernel and every header of its folder."""
    for name in operator.contract.kernel.sources:
        yield operator.folder / name
    for path in sorted(operator.folder.rglob("*")):
        if path.suffix in _HEADER_SUFFIXES and path.is_file():
            yield path


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
