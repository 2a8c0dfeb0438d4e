"""Times one operator in a process of its own: ``python -m tests.bench.kernel_timings KERNELS NAME MB SECONDS``.

It prints one JSON document: medians of the contenders in seconds, and what is needed to believe them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from opstudio.checks.cases import Case
from opstudio.checks.node_model import bound_run, one_node_model, open_session, run_tensors
from opstudio.checks.subject import Subject
from opstudio.profiling.measure import time_alternating
from tests.bench.kernel_peers import KernelPeers, peers, standard_model
from tests.support.loaded_operators import load_operators

CUSTOM, STANDARD, EAGER, COPY = "custom node", "standard nodes", "eager PyTorch", "copy"
_TOLERANCE = 1e-4


def main(root: str, name: str, megabytes: str, seconds: str) -> None:
    """Load the operators of a workspace and time one of them beside its peers."""
    import torch

    subject = load_operators(Path(root)).subjects[name]
    peer = peers()[name]
    with torch.no_grad(), tempfile.TemporaryDirectory(prefix="opstudio-bench-") as folder:
        document = _time(subject, peer, int(megabytes) << 20, float(seconds), Path(folder) / "optimised.onnx")
    print(json.dumps({"name": name, "megabytes": int(megabytes), **document}))


def _time(subject: Subject, peer: KernelPeers, size: int, seconds: float, optimised: Path) -> dict[str, Any]:
    import onnx
    import torch

    contract, threads = subject.contract, torch.get_num_threads()
    types = next(contract.type_combinations())
    tensors = {name: _tensor(shape, types[name].value) for name, shape in peer.shapes(size).items()}
    attributes = contract.complete_attributes(peer.attributes)
    case = Case("bench", "bench", types, {name: (tensor,) for name, tensor in tensors.items()}, attributes)
    shapes = {name: (tuple(tensor.shape),) for name, tensor in tensors.items()}
    custom = open_session(one_node_model(contract, types, shapes, attributes), subject.library, threads=threads)
    standard = open_session(standard_model(peer, tensors), None, threads=threads, save_to=str(optimised))
    y = peer.eager(*tensors.values()).contiguous()
    for session in (custom, standard):
        (found,) = run_tensors(session, tuple(tensors.values()))
        torch.testing.assert_close(found, y, rtol=_TOLERANCE, atol=_TOLERANCE)
    # A copy reads and writes; the operator's own bytes, each once, are as many as those of a copy of half of them.
    moved = sum(tensor.numel() * tensor.element_size() for tensor in (*tensors.values(), y))
    source, target = (torch.ones(moved // 2, dtype=torch.uint8) for _ in range(2))
    bound = {
        CUSTOM: bound_run(custom, case, (y,)),
        COPY: lambda: target.copy_(source),
        STANDARD: bound_run(standard, case, (y,)),
    }
    # Eager PyTorch makes its outputs anew, and the pages that the system clears for them would spoil what comes next.
    eager = {EAGER: lambda: peer.eager(*tensors.values())}
    timings = [item for group in (bound, eager) for item in time_alternating(group, budget_seconds=seconds)]
    nodes = [node.op_type for node in onnx.load(optimised).graph.node]
    return {"timings": [asdict(item) for item in timings], "moved_bytes": moved, "threads": threads, "nodes": nodes}


def _tensor(shape: tuple[int, ...], data_type: str) -> Any:
    import torch

    generator = torch.Generator().manual_seed(1)
    if data_type == "uint8":
        return torch.randint(0, 256, shape, generator=generator, dtype=torch.uint8)
    return torch.rand(shape, generator=generator) * 8 - 4


if __name__ == "__main__":
    main(*sys.argv[1:])
