"""From the boxes of a picture to their sizes and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from opstudio.base.checkpoint import go_on
from opstudio.layout.graph import Graph, Previous
from opstudio.layout.layered import lay_out
from opstudio.model.diagram.box_texts import box_size
from opstudio.model.diagram.frames import find_frames
from opstudio.model.diagram.records import Diagram, PlacedDiagram
from opstudio.model.diagram.text_metrics import TextMetrics


def place_diagram(
    diagram: Diagram,
    metrics: TextMetrics,
    earlier: PlacedDiagram | None = None,
    *,
    checkpoint: Callable[[], None] = go_on,
) -> PlacedDiagram:
    """Return where the boxes stand and the lines run; what was in an earlier picture keeps its order."""
    checkpoint()
    sizes = np.array([box_size(box, metrics) for box in diagram.boxes], dtype=np.float64).reshape(-1, 2)
    graph = Graph(width=sizes[:, 0], height=sizes[:, 1], edges=diagram.edges)
    previous = None
    if earlier is not None and _is_same_graph(diagram, earlier.diagram):
        node = np.array(list(_earlier_boxes(diagram, earlier.diagram)), dtype=np.int64)
        previous = Previous(graph=earlier.graph, layout=earlier.layout, node=node)
    layout = lay_out(graph, None, previous, checkpoint=checkpoint)
    checkpoint()
    return PlacedDiagram(diagram=diagram, graph=graph, layout=layout, frames=find_frames(diagram.boxes, graph, layout))


def _is_same_graph(diagram: Diagram, earlier: Diagram) -> bool:
    return diagram.scope == earlier.scope and diagram.box_of_node.size == earlier.box_of_node.size


def _earlier_boxes(diagram: Diagram, earlier: Diagram) -> Iterator[int]:
    """Yield for each box the earlier one that had its first node, or was its value; −1 for none.

    What comes out of a group that was opened thus stands where the group stood, and a group that is closed where its
    first node did.
    """
    values = {(box.kind, box.value): number for number, box in enumerate(earlier.boxes) if not box.nodes}
    for box in diagram.boxes:
        yield int(earlier.box_of_node[box.nodes[0]]) if box.nodes else values.get((box.kind, box.value), -1)
