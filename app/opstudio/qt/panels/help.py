"""The help: pages on how the studio is used and on every finding, searched by words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP, QEvent, QModelIndex, QObject, Qt, QUrl
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from opstudio.base.errors import SetupError
from opstudio.qt.models.help_model import HelpModel
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.help_delegate import HelpDelegate
from opstudio.qt.widgets.page_browser import PageBrowser
from opstudio.qt.widgets.state_page import StatePage
from opstudio.workflows.help_pages import SUFFIX, HelpLanguage, HelpPage, help_pages, rule_pages, search_pages

_LIST_KEYS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})
_MOST_REMEMBERED = 50


class HelpPanel(Panel):
    """A list of pages, and the page that was chosen. The pages are read when somebody looks for the first time."""

    def __init__(self, context: PanelContext, more_pages: Callable[[], Sequence[HelpPage]] = tuple) -> None:
        """Make the panel; ``more_pages`` are read with those of the help, and stand between them and the rules."""
        super().__init__()
        self._context, self._more_pages = context, more_pages
        self._pages: dict[str, HelpPage] = {}
        self._language: HelpLanguage | None = None
        self._page = ""
        self._before: list[str] = []
        self._model = HelpModel()
        self._search, self._address = QLineEdit(), QLabel()
        self._back, self._contents = QToolButton(), QToolButton()
        self._view, self._browser = self._make_view(), PageBrowser(context.theme)
        self._empty = StatePage(context.icons)
        self._stack = self._lay_out()
        self._connect()
        self.retranslate()

    @property
    def search(self) -> QLineEdit:
        """Where words are typed."""
        return self._search

    @property
    def view(self) -> QListView:
        """The list."""
        return self._view

    @property
    def model(self) -> HelpModel:
        """The pages that are listed."""
        return self._model

    @property
    def browser(self) -> PageBrowser:
        """The page."""
        return self._browser

    @property
    def empty_page(self) -> StatePage:
        """What stands there while nothing is listed."""
        return self._empty

    @property
    def page(self) -> str:
        """The name of the page that is shown; empty while the list is."""
        return self._page

    @property
    def address(self) -> str:
        """The address outside of the studio whose link was clicked last; it is shown, not opened."""
        return self._address.text()

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now. Pages are at hand or missing; nothing runs."""
        if self._stack.currentWidget() is not self._empty:
            return PanelState.READY
        return PanelState.EMPTY if self._pages else PanelState.FAILING

    def retranslate(self) -> None:
        """Set the texts, and read the pages in the language of the moment if they were read before."""
        self._search.setPlaceholderText(self.tr("Search the help"))
        self._search.setAccessibleName(self.tr("Search the help"))
        self._view.setAccessibleName(self.tr("Help pages"))
        self._browser.setAccessibleName(self.tr("Help page"))
        self._back.setText(self.tr("Back"))
        self._back.setToolTip(self.tr("Back (Alt+Left)"))
        self._contents.setText(self.tr("All pages"))
        self._contents.setToolTip(self.tr("List all pages"))
        self.read_again()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons that lead back and to the list."""
        return (self._back, self._contents)

    def focus_content(self) -> None:
        """Take the keyboard: the search has it first."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the pages when they are looked at for the first time."""
        super().showEvent(event)
        self._require_pages()

    def show_page(self, name: str) -> bool:
        """Show a page or that of the id of a finding; return whether there is one."""
        self._require_pages()
        if name not in self._pages:
            return False
        if name != self._page:
            self._before = [*self._before, self._page][-_MOST_REMEMBERED:]
        self._open(name)
        return True

    def read_again(self) -> None:
        """Read the pages again, because some of them changed."""
        if self._language is not None:
            self._read()
            self._list()
            self._open(self._page)

    def show_list(self) -> None:
        """Show the list of what the search finds, or of all pages."""
        if self._page:
            self._before = [*self._before, self._page][-_MOST_REMEMBERED:]
        self._open("")

    def show_all(self) -> None:
        """Forget the search and list all pages."""
        if self._search.text():
            self._search.clear()
        else:
            self.show_list()

    def go_back(self) -> None:
        """Show what was shown before."""
        if self._before:
            self._open(self._before.pop())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move in the list while the search has the keyboard; Escape empties it."""
        if watched is self._search and isinstance(event, QKeyEvent):
            is_escape = event.key() == Qt.Key.Key_Escape and bool(self._search.text())
            # Elsewhere in the window Escape cancels what runs.
            if event.type() is QEvent.Type.ShortcutOverride and is_escape:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress and self._take_key(event, is_escape=is_escape):
                return True
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent, *, is_escape: bool) -> bool:
        if is_escape:
            self._search.clear()
        elif event.key() in _LIST_KEYS:
            (self._browser if self._page else self._view).keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self._view.currentIndex())
        else:
            return False
        return True

    def _make_view(self) -> QListView:
        view = QListView()
        view.setModel(self._model)
        view.setItemDelegate(HelpDelegate(self._context.theme, self._context.icons, view))
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return view

    def _lay_out(self) -> QStackedLayout:
        self._search.setClearButtonEnabled(True)
        self._address.setContentsMargins(12, 4, 12, 6)
        self._address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._address.setProperty("tone", "quiet")
        self._address.hide()
        row = QVBoxLayout()
        row.setContentsMargins(8, 6, 8, 4)
        row.addWidget(self._search)
        stack = QStackedLayout()
        for widget in (self._view, self._browser, self._empty):
            stack.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addLayout(stack, 1)
        column.addWidget(self._address)
        return stack

    def _connect(self) -> None:
        self._search.textChanged.connect(self._take_words)
        self._search.installEventFilter(self)
        self._view.activated.connect(self._choose)
        self._view.clicked.connect(self._choose)
        self._browser.anchorClicked.connect(self._follow)
        self._back.clicked.connect(self.go_back)
        self._contents.clicked.connect(self.show_all)
        back = QShortcut(QKeySequence("Alt+Left"), self)
        back.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        back.activated.connect(self.go_back)

    def _require_pages(self) -> None:
        if self._language is None:
            self._read()
            self._list()
            self._open(self._page)

    def _read(self) -> None:
        # The window's translations decide, so that the pages are in the language of the texts around them.
        marker = self.tr("en", "the language of the help pages: en or zh_CN")
        known = {language.value: language for language in HelpLanguage}
        self._language = known.get(marker, HelpLanguage.ENGLISH)
        try:
            pages = (*help_pages(self._language), *self._more_pages(), *rule_pages())
        except SetupError as error:
            self._pages = {}
            self._empty.show_state(icon="bad", tone="bad", title=error.findings[0].title, text=error.findings[0].cause)
            return
        self._pages = {page.name: page for page in pages}

    def _list(self) -> None:
        hits = search_pages(self._pages.values(), self._search.text())
        self._model.set_hits(hits)
        self.badge_changed.emit(f"{len(hits):,}" if self._search.text().strip() else "")
        if hits:
            self._view.setCurrentIndex(self._model.index(0, 0))
        elif self._pages:
            self._empty.show_state(
                icon="search",
                title=self.tr("No page holds all these words"),
                text=self.tr("Use fewer words, a name such as strided, or the id of a finding such as NUM012."),
            )

    def _take_words(self) -> None:
        self._require_pages()
        self._list()
        if self._page:
            self.show_list()
        else:
            self._open("")

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.show_page(self._model.at(index.row()).page.name)
            words = self._search.text().split()
            if words:
                self._browser.go_to_text(words[0])

    def _open(self, name: str) -> None:
        """Show a page, or the list under the empty name, whatever was shown before."""
        page = self._pages.get(name)
        self._page = "" if page is None else name
        self._address.hide()
        if page is not None:
            self._browser.show_markdown(page.markdown)
            self._stack.setCurrentWidget(self._browser)
        else:
            self._stack.setCurrentWidget(self._view if self._model.rowCount() else self._empty)
        self._back.setEnabled(bool(self._before))
        self._contents.setEnabled(page is not None or bool(self._search.text()))

    def _follow(self, link: QUrl) -> None:
        """Follow a link to another page. What lies outside is shown, and opened by nobody but the person."""
        name = link.toString().removesuffix(SUFFIX)
        if not self.show_page(name):
            self._address.setText(link.toString())
            self._address.show()


PANEL = PanelManifest(
    id="help",
    title=str(QT_TRANSLATE_NOOP("Panel", "Help")),
    area=PanelArea.RIGHT,
    order=90,
    create=HelpPanel,
    perspectives=(),
)
