"""The picture of a model as a file, with who implements its nodes."""

from __future__ import annotations

from pathlib import Path

from opstudio.base.colours import LIGHT, Tokens
from opstudio.base.errors import InputError
from opstudio.base.files import write_atomic
from opstudio.base.finding import Place
from opstudio.jobs.cancel import CancelToken
from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.diagram.svg import render_svg
from opstudio.model.diagram.text_metrics import ESTIMATED
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.value_index import index_model
from opstudio.workflows.fix_target import weight_files
from opstudio.workflows.graph import STAGE, GraphReport
from opstudio.workflows.graph_marks import marks_of


def write_picture(
    report: GraphReport, path: Path, cancel: CancelToken, *, is_whole: bool = False, tokens: Tokens = LIGHT
) -> None:
    """Draw the main graph of a model into an SVG file, whole or not at all.

    Args:
        report: the model and what implements its nodes
        path: the file, which is replaced
        cancel: ends the work
        is_whole: draws every node; otherwise groups are closed so that the picture can be read
        tokens: the colours
    Raises:
        InputError: the file is the model or holds its weights.
        SetupError: the file cannot be written.
        CancelledError: ``cancel`` was set.
    """
    _refuse_model(report.model, path)
    main = index_model(report.model).main
    diagram = build_diagram(report.model, main, () if is_whole else None, checkpoint=cancel.check)
    placed = place_diagram(diagram, ESTIMATED, checkpoint=cancel.check)
    write_atomic(path, render_svg(placed, marks_of(report, main.path), title=report.model.path.name, tokens=tokens))


def _refuse_model(model: ModelRecord, path: Path) -> None:
    for own in (model.path, *weight_files(model).values()):
        if path.exists() and own.exists() and path.samefile(own):
            raise InputError.of(
                f"{path} is a file of the model",
                cause="The picture would take its place",
                fix="Name another file for the picture",
                stage=STAGE,
                place=Place(file=str(path)),
            )
