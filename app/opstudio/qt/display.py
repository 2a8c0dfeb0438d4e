"""Whether a window can be shown at all, found out before Qt, which would end the process, finds out."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path

from opstudio.base.errors import SetupError

_STAGE = "window"


def require_display() -> None:
    """Make sure that there is a display and that Qt can use it.

    Raises:
        SetupError: there is none, or a library that Qt needs is missing.
    """
    try:
        from PySide6 import QtWidgets
    except ImportError as error:
        raise _missing_library(str(error)) from error
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if not sys.platform.startswith("linux") or platform not in ("", "xcb", "wayland"):
        return
    if platform != "xcb" and _has_wayland():
        return
    plugins = Path(QtWidgets.__file__).parent / "Qt" / "plugins" / "platforms"
    _require_x11(plugins / "libqxcb.so")


def _has_wayland() -> bool:
    name, folder = os.environ.get("WAYLAND_DISPLAY"), os.environ.get("XDG_RUNTIME_DIR", "")
    if not name:
        return False
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(Path(folder) / name))
        except OSError:
            return False
    return True


def _require_x11(plugin: Path) -> None:
    """Connect to the X server as Qt will, and load what Qt will load."""
    display = os.environ.get("DISPLAY")
    if not display:
        raise _no_display("neither DISPLAY nor WAYLAND_DISPLAY is set")
    if plugin.is_file():
        try:
            ctypes.CDLL(str(plugin))
        except OSError as error:
            raise _missing_library(str(error)) from error
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError as error:
        raise _missing_library(str(error)) from error
    xcb.xcb_connect.restype = ctypes.c_void_p
    for function in (xcb.xcb_connection_has_error, xcb.xcb_disconnect):
        function.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if refused:
        raise _no_display(f"the X server at {display} cannot be reached")


def _no_display(cause: str) -> SetupError:
    return SetupError.of(
        "The window needs a display",
        cause=cause,
        fix="Start it in a desktop session or through ssh -X; opstudio check works without a display",
        stage=_STAGE,
    )


def _missing_library(message: str) -> SetupError:
    library = message.partition(":")[0].strip()
    return SetupError.of(
        f"The window needs the library {library}",
        cause=message,
        fix="Install the package that holds it (Debian, Ubuntu: apt install libegl1 libxcb-cursor0 libxkbcommon-x11-0)",
        stage=_STAGE,
    )
