"""Which locales this system has: some operators on strings need one of a name."""

from __future__ import annotations

import ctypes

_ALL_CATEGORIES = 0x1FBF
"""``LC_ALL_MASK`` of the C library of Linux."""


def has_locale(name: str) -> bool:
    """Whether the C library can make a locale; nothing is set."""
    library = ctypes.CDLL(None)
    library.newlocale.restype = ctypes.c_void_p
    library.newlocale.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
    made = library.newlocale(_ALL_CATEGORIES, name.encode("utf-8", "replace"), None)
    if made is None:
        return False
    library.freelocale.argtypes = (ctypes.c_void_p,)
    library.freelocale(made)
    return True
