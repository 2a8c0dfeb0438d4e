"""The buttons above an explanation: what is exported, and how."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.model.export_request import Route
from opstudio.qt.export.export_session import ExportSession
from opstudio.qt.export.export_target import ExportOptions, ExportTarget, Varying
from opstudio.qt.export.factories import list_factories, require_factories
from opstudio.qt.export.words import route_word
from opstudio.qt.theme.icons import Icons

_OPSETS = range(11, 21)
"""What both exporters write of some model."""
_MOST_RECENT = 6
_WIDEST = 190


class _MenuButton(QToolButton):
    def __init__(self) -> None:
        super().__init__()
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self.fill)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setMaximumWidth(_WIDEST)

    def fill(self) -> None:
        """Put into the menu what can be chosen now."""

    def _show(self, text: str) -> None:
        self.setText(self.fontMetrics().elidedText(f"{text} ▾", Qt.TextElideMode.ElideMiddle, _WIDEST - 34))


class TargetButton(_MenuButton):
    """Chooses between the selected operator and factories of Python files."""

    def __init__(
        self, session: ExportSession, root: Path, icons: Icons, tell_refusal: Callable[[Finding], None]
    ) -> None:
        super().__init__()
        self._session, self._root, self._icons, self._tell_refusal = session, root, icons, tell_refusal
        session.target_changed.connect(self.retranslate)
        icons.changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        target = self._session.target
        self._show(self.tr("No operator") if target is None else target.title)
        self.setIcon(self._icons.icon("kernels" if self._session.follows_selection else "file"))
        self.setToolTip(self.tr("What is exported: the selected operator, or a factory of a Python file"))
        self.setAccessibleName(self.tr("What is exported"))

    def fill(self) -> None:
        """List the operator, the factories of the file in the editor, and those of before."""
        session, menu = self._session, self.menu()
        menu.clear()
        operator = menu.addAction(
            self.tr("Selected operator: {0}").format(session.operator)
            if session.operator
            else self.tr("Selected operator: none")
        )
        operator.setCheckable(True)
        operator.setChecked(session.follows_selection)
        operator.triggered.connect(session.choose_operator)
        listed = [(session.current_file, name) for name in self._in_editor()]
        if listed:
            menu.addSection(self.tr("In the editor"))
            for file, name in listed:
                if file is not None:
                    self._add(menu, file, name)
        recent = [item for item in session.recent if (item.file, item.factory) not in listed][:_MOST_RECENT]
        if recent:
            menu.addSection(self.tr("Before"))
            for item in recent:
                if item.file is not None:
                    self._add(menu, item.file, item.factory)
        menu.addSeparator()
        menu.addAction(self.tr("A function of a Python file…")).triggered.connect(self.choose_file)

    def choose_file(self) -> None:
        """Ask for a Python file, and for one of its functions where it has several."""
        start, kind = self._session.current_file, self.tr("Python files")
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Choose a Python file that makes a model"),
            str(self._root if start is None else start.parent),
            f"{kind} (*.py)",
        )
        if chosen:
            self.offer(Path(chosen))

    def offer(self, file: Path) -> None:
        """Choose the function of a file that makes a model, or let the person choose between several."""
        try:
            names = require_factories(file)
        except InputError as error:
            self._tell_refusal(error.findings[0])
            return
        if len(names) == 1:
            self._session.choose_factory(file, names[0])
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addSection(file.name)
        for name in names:
            self._add(menu, file, name)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _in_editor(self) -> tuple[str, ...]:
        file = self._session.current_file
        try:
            return () if file is None else list_factories(file)
        except InputError:
            return ()  # half written; it is told where the person asks for it

    def _add(self, menu: QMenu, file: Path, factory: str) -> None:
        target = ExportTarget(file=file.absolute(), factory=factory)
        action = menu.addAction(target.title)
        action.setToolTip(str(file))
        action.setCheckable(True)
        action.setChecked(target == self._session.target)
        action.triggered.connect(partial(self._session.choose_factory, file, factory))


class OptionsButton(_MenuButton):
    """Chooses what becomes of custom operators, the opset, and which dimensions vary."""

    def __init__(self, session: ExportSession, parent: QWidget | None = None) -> None:
        super().__init__()
        self.setParent(parent)
        self._session = session
        self._opsets = QMenu(self)
        self._opsets.setObjectName("opsets")
        self._groups: list[QActionGroup] = []
        session.target_changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        options = self._session.options
        parts = [route_word(options.route)]
        if options.opset is not None:
            parts.append(self.tr("opset {0}").format(options.opset))
        if options.varying is not Varying.CONTRACT:
            parts.append(self._varying_text(options.varying))
        self._show(", ".join(parts))
        self.setToolTip(self.tr("How it is exported: custom operators, opset, dimensions that vary"))
        self.setAccessibleName(self.tr("How it is exported"))

    def fill(self) -> None:
        """List what can be chosen."""
        options, menu = self._session.options, self.menu()
        menu.clear()
        self._opsets.clear()
        while self._groups:
            self._groups.pop().deleteLater()
        menu.addSection(self.tr("Custom operators"))
        group = self._make_group()
        texts = {
            Route.CUSTOM: self.tr("Stay nodes of their own domain"),
            Route.STANDARD: self.tr("Are composed of standard nodes"),
        }
        for route, text in texts.items():
            self._add(menu, group, text, dataclasses.replace(options, route=route))
        menu.addSection(self.tr("Dimensions"))
        group = self._make_group()
        for varying in Varying:
            action = self._add(menu, group, self._varying_text(varying), dataclasses.replace(options, varying=varying))
            if varying is Varying.FIRST_AXES:
                action.setEnabled(self._session.knows_inputs())
                action.setToolTip(self.tr("The inputs are known once the model was explained"))
        opsets = self._opsets
        opsets.setTitle(self.tr("Opset"))
        menu.addMenu(opsets)
        group = self._make_group()
        self._add(opsets, group, self.tr("The contract's, or the usual one"), dataclasses.replace(options, opset=None))
        for opset in _OPSETS:
            self._add(opsets, group, f"{opset}", dataclasses.replace(options, opset=opset))

    def _make_group(self) -> QActionGroup:
        group = QActionGroup(self)
        self._groups.append(group)
        return group

    def _varying_text(self, varying: Varying) -> str:
        match varying:
            case Varying.CONTRACT:
                return self.tr("vary as the contract says")
            case Varying.NONE:
                return self.tr("all fixed")
            case Varying.FIRST_AXES:
                return self.tr("first axes vary")

    def _add(self, menu: QMenu, group: QActionGroup, text: str, options: ExportOptions) -> QAction:
        action = menu.addAction(text[:1].upper() + text[1:])
        action.setCheckable(True)
        action.setChecked(options == self._session.options)
        action.triggered.connect(partial(self._session.set_options, options))
        group.addAction(action)
        return action
