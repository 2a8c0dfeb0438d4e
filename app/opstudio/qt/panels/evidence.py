"""What the selected stage measured: the reasons of the verdict, and the record about the result."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QLabel, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from opstudio.base.errors import StudioError
from opstudio.qt.background import Background
from opstudio.qt.evidence.sections import SectionList
from opstudio.qt.evidence.stage_choice import StageChoice
from opstudio.qt.models.evidence_titles import evidence_note
from opstudio.qt.models.operator_view import Activity, OperatorView, StageView
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.state_page import StatePage
from opstudio.qt.widgets.veil import Veil
from opstudio.workflows.build_history import OperatorHistory
from opstudio.workflows.result_record import about_result
from opstudio.workflows.stage_evidence import StageEvidence, stage_evidence
from opstudio.workspace.folder import OperatorFolder, Workspace

_SETTLE_MS = 120
"""From the last change to a new look: the history is written right behind the verdict."""


class EvidencePanel(Panel):
    """Shows the stage that is selected; while none is, the first bad one.

    While it runs, what the last run found stays, dimmed.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._evidence: StageEvidence | None = None
        self._bad_stage = ""
        """What is shown while no stage is selected."""
        self._choice = StageChoice(context.stage_order, context.icons)
        self._choice.chosen.connect(context.selection.select_stage)
        self._about = QToolButton()
        self._about.clicked.connect(self.copy_about)
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.setContentsMargins(12, 6, 12, 2)
        self._note.setProperty("tone", "quiet")
        self._sections = SectionList(context.theme, context.icons)
        self._veil = Veil(self._sections, context.theme)
        self._empty = StatePage(context.icons)
        self._pages = self._lay_out()
        self._background = Background(self)
        self._background.finished.connect(self._take)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self.refresh)
        context.selection.operator_changed.connect(self._look_soon)
        context.selection.stage_changed.connect(self._look_soon)
        context.selection.build_changed.connect(self._look_soon)
        self._note.linkActivated.connect(self._show_newest)
        context.state.operators_updated.connect(self._follow_state)
        context.icons.changed.connect(self.retranslate)
        self.retranslate()

    @property
    def evidence(self) -> StageEvidence | None:
        """What is shown."""
        return self._evidence

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        stage = self._view().stages.get(self._stage())
        if stage is not None and stage.since is not None:
            return PanelState.BUSY
        if self._evidence is None or not self._evidence.sections:
            return PanelState.EMPTY
        return PanelState.FAILING if self._evidence.findings else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        self._choice.retranslate()
        self._about.setIcon(self._context.icons.icon("copy"))
        self._about.setToolTip(self.tr("Copy all about this result: versions, flags, commands, hashes"))
        self._about.setAccessibleName(self.tr("Copy all about this result"))
        if self._evidence is None:
            self._show_empty()
        else:
            shown, self._evidence = self._evidence, None
            self._show(shown)
        self._look_soon()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the choice of the stage, and the button that copies the record about the result."""
        return (self._choice, self._about)

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._sections.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Look at what changed while nobody looked."""
        super().showEvent(event)
        self._look_soon()

    def copy_about(self) -> None:
        """Put the record about the result on the clipboard."""
        folder, stage = self._folder(), self._stage()
        history = None if folder is None else OperatorHistory(self._context.workspace, folder)
        build = self._context.selection.build
        record = None if history is None else history.latest() if build is None else history.record(build)
        if record is not None:
            QGuiApplication.clipboard().setText(about_result(self._context.workspace, record, stage).as_text())

    def refresh(self) -> None:
        """Look at the evidence again."""
        self._timer.stop()
        self._follow_verdict()
        folder, stage, view = self._folder(), self._stage(), self._view()
        history = None if folder is None else OperatorHistory(self._context.workspace, folder)
        self._about.setEnabled(history is not None and history.latest() is not None)
        self._choice.show_stage(view, stage)
        if folder is None or not stage:
            self._evidence = None
            self._show_empty()
            return
        is_running = view.stages.get(stage, StageView(stage=stage)).since is not None
        self._veil.cover(covered=is_running)
        shown = self._evidence
        build = self._context.selection.build
        is_shown = shown is not None and (shown.operator, shown.stage) == (folder.name, stage)
        if is_running and is_shown and build is None:
            return
        self._background.run(partial(_find, self._context.workspace, folder, stage, build))

    def _take(self, found: object) -> None:
        """Show what was found; where the person looks at something else by now, nothing."""
        selection = self._context.selection
        if isinstance(found, StageEvidence):
            is_wanted = (found.operator, found.stage) == (selection.operator, self._stage())
            if is_wanted and selection.build in (None, found.number):
                self._show(found)
        elif isinstance(found, StudioError):
            self._empty.show_state(icon="warning", tone="warn", title=found.findings[0].title)
            self._pages.setCurrentIndex(1)
        elif isinstance(found, Exception):
            raise found

    def _show(self, found: StageEvidence) -> None:
        if found != self._evidence:
            self._sections.show_sections(found.sections)
        self._evidence = found
        note = " ".join(part for part in (self._build_note(found), evidence_note(found.note)) if part)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        if found.sections:
            self._pages.setCurrentIndex(0)
        else:
            self._empty.show_state(
                icon="evidence",
                title=evidence_note(found.note) or self.tr("This stage keeps no evidence"),
                text=found.summary,
            )
            self._pages.setCurrentIndex(1)

    def _build_note(self, found: StageEvidence) -> str:
        """Say which build is shown where it is one that was selected."""
        if self._context.selection.build is None:
            return ""
        said = self.tr("Build {0}, which is selected in the history.").format(found.number)
        newest = self.tr("Show the newest")
        return f"{said} <a href='newest'>{newest}</a>"

    def _show_newest(self, _link: str) -> None:
        self._context.selection.select_build(None)

    def _show_empty(self) -> None:
        self._empty.show_state(
            icon="evidence",
            title=self.tr("No stage is selected"),
            text=self.tr("Choose one above to see what it measured."),
        )
        self._note.hide()
        self._pages.setCurrentIndex(1)

    def _lay_out(self) -> QStackedLayout:
        shown = QWidget()
        inner = QVBoxLayout(shown)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self._note)
        inner.addWidget(self._sections, 1)
        pages = QStackedLayout()
        pages.addWidget(shown)
        pages.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(pages)
        return pages

    def _view(self) -> OperatorView:
        return self._context.state.view(self._context.selection.operator)

    def _stage(self) -> str:
        """Return the stage to show, or an empty text."""
        return self._context.selection.stage or self._bad_stage

    def _follow_verdict(self) -> None:
        """Look at the first bad stage; during a check at that of the last one, until there is a verdict."""
        view = self._view()
        is_told = view.activity is not Activity.RUNNING or view.has_verdict
        if is_told or self._bad_stage not in view.stages:
            self._bad_stage = view.first_bad_stage(self._context.stage_order)

    def _folder(self) -> OperatorFolder | None:
        return self._context.state.folder(self._context.selection.operator)

    def _follow_state(self, names: frozenset[str]) -> None:
        if self._context.selection.operator in names:
            self._look_soon()

    def _look_soon(self, *_arguments: object) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()


def _find(workspace: Workspace, folder: OperatorFolder, stage: str, build: int | None) -> StageEvidence:
    """Return the evidence of a build, or of the newest."""
    record = None if build is None else OperatorHistory(workspace, folder).record(build)
    return stage_evidence(workspace, folder, stage, record)


PANEL = PanelManifest(
    id="evidence",
    title=str(QT_TRANSLATE_NOOP("Panel", "Evidence")),
    area=PanelArea.RIGHT,
    order=20,
    create=EvidencePanel,
    perspectives=("kernels", "history"),
)
