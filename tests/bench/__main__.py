"""Run benchmarks: ``python -m tests.bench [ID…] [--runs N] [--small] [--json FILE]``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.bench import bundled_kernels, edit_loop, graph_canvas, start_up, window
from tests.bench.measurement import Measurement, Say, Size, load_average, machine

BENCHMARKS: Mapping[str, Callable[[Size, Say], Measurement]] = {
    edit_loop.ID: edit_loop.measure,
    start_up.ID: start_up.measure,
    graph_canvas.ID: graph_canvas.measure,
    bundled_kernels.ID: bundled_kernels.measure,
    window.ID: window.measure,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, write JSON; 1 where a figure is not met."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure the studio's speed.")
    parser.add_argument("ids", nargs="*", metavar="ID", help=f"of {', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each thing (default: 5)")
    parser.add_argument("--small", action="store_true", help="one run, to see that it works; figures mean nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers")
    parsed = parser.parse_args(arguments)
    unknown = [item for item in parsed.ids if item not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; choose of {', '.join(BENCHMARKS)}")
    size = Size(runs=1, warm_ups=0) if parsed.small else Size(runs=parsed.runs, warm_ups=1)
    before = load_average()
    results = [BENCHMARKS[item](size, _say) for item in parsed.ids or BENCHMARKS]
    print(machine())
    print(f"load before {before:.1f}; {size.warm_ups} warm-up, {size.runs} runs\n")
    for result in results:
        _print(result)
    if parsed.json:
        document = {"machine": machine(), "load": before, "measurements": [asdict(result) for result in results]}
        parsed.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    met = all(figure.met for result in results for figure in result.figures)
    return 0 if met or parsed.small else 1


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _print(result: Measurement) -> None:
    print(f"{result.id}  {result.title}")
    width = max(len(item.name) for item in result.series)
    for item in result.series:
        print(f"    {item.name:<{width}}  median {item.median:8.3f} s   {item.spread} s")
    for figure in result.figures:
        sign = "≤" if figure.at_most else "≥"
        state = "met" if figure.met else "NOT MET"
        print(f"    {figure.work}: {figure.reached:.3g} {figure.unit} (to reach: {sign} {figure.limit:g})  {state}")
    for note in result.notes:
        print(f"    {note}")
    print()


if __name__ == "__main__":
    sys.exit(main())
