"""What the studio is made of: its release, those that results depend on, and the licences, as a page of the help."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata, requires

from PySide6.QtCore import QCoreApplication, qVersion

from opstudio import __version__
from opstudio.workflows.help_pages import HelpPage

ABOUT = "about"
"""The name of the page."""
_SEPARATORS = " ;<>=!~[("
_LICENCE_CLASS = "License :: OSI Approved :: "
_LONGEST_LICENCE = 60


def about_page(versions: Iterable[tuple[str, str]]) -> HelpPage:
    """Return the page in the language of the window.

    Args:
        versions: pairs of names and releases that results of this workspace depend on; none before they are known.
    """
    rows = [("OpStudio", __version__), ("Python", platform.python_version()), ("Qt", qVersion()), *versions]
    parts = [
        QCoreApplication.translate("About", "Checks custom operators for PyTorch and ONNX Runtime at every save."),
        "## " + QCoreApplication.translate("About", "Releases"),
        _table((QCoreApplication.translate("About", "what"), QCoreApplication.translate("About", "release")), rows),
        "## " + QCoreApplication.translate("About", "Licences"),
        QCoreApplication.translate("About", "OpStudio uses these packages as they are:"),
        _table(
            (
                QCoreApplication.translate("About", "package"),
                QCoreApplication.translate("About", "release"),
                QCoreApplication.translate("About", "licence"),
            ),
            _licences(),
        ),
        QCoreApplication.translate("About", "Qt is used as a library under the LGPL 3; its sources are at code.qt.io."),
    ]
    return HelpPage(name=ABOUT, title=QCoreApplication.translate("About", "About OpStudio"), text="\n\n".join(parts))


def _licences() -> list[tuple[str, str, str]]:
    """Return name, release and licence of the packages that the studio itself needs."""
    found: list[tuple[str, str, str]] = []
    for requirement in requires("opstudio") or ():
        if "extra ==" in requirement:
            continue
        name = requirement
        for separator in _SEPARATORS:
            name = name.partition(separator)[0]
        try:
            known = metadata(name)
        except PackageNotFoundError:
            continue
        found.append((known["Name"], known["Version"], _licence(known)))
    return sorted(found, key=lambda row: row[0].lower())


def _licence(known: PackageMetadata) -> str:
    """Return the licence as the package names it: an expression, a class, or the first line of its text."""
    classifiers = known.get_all("Classifier") or []
    classes = ", ".join(text.removeprefix(_LICENCE_CLASS) for text in classifiers if text.startswith(_LICENCE_CLASS))
    expressions, texts = known.get_all("License-Expression") or [], known.get_all("License") or []
    stated = next((text for text in (*expressions, classes, *texts) if text), "")
    return str(stated).strip().partition("\n")[0][:_LONGEST_LICENCE]


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [titles, tuple("---" for _ in titles), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
