"""What an operator library registers: it is loaded and asked to register, and what it hands over is written down.

Runs in a worker that ends afterwards: loading a library runs code of it, and its registration may do anything.
ONNX Runtime offers no way to list the operators of a library. So the library gets the runtime's own table of functions,
in which three functions that add operators are replaced by ones that look first and then do what they always do.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from opstudio.base.errors import SetupError
from opstudio.model.runtime.custom_op_layout import read_custom_op
from opstudio.model.runtime.records import LibraryContents, LibraryOperator

_POINTER = ctypes.c_void_p
_GET_API = ctypes.CFUNCTYPE(_POINTER, ctypes.c_uint32)
_CREATE_DOMAIN = ctypes.CFUNCTYPE(_POINTER, ctypes.c_char_p, ctypes.POINTER(_POINTER))
_ADD = ctypes.CFUNCTYPE(_POINTER, _POINTER, _POINTER)
_MESSAGE_OF = ctypes.CFUNCTYPE(ctypes.c_char_p, _POINTER)
_CREATE_OPTIONS = ctypes.CFUNCTYPE(_POINTER, ctypes.POINTER(_POINTER))

# Positions in the table of functions, which only ever grows at its end.
_GET_ERROR_MESSAGE, _CREATE_SESSION_OPTIONS, _CREATE_CUSTOM_OP_DOMAIN, _ADD_OPERATOR, _ADD_DOMAIN = 2, 10, 26, 27, 28
_OLDEST_API = 1
_TABLE_ENTRIES = 512
"""More than any release has (1.32: fewer than 450), and less than lies behind the table in the runtime's data."""
_ENTRY_POINT = "RegisterCustomOps"


class _ApiBase(ctypes.Structure):
    """``OrtApiBase``: where a library gets its table of functions from."""

    _fields_ = (("get_api", _GET_API), ("get_version", _POINTER))


def probe_library(path: Path) -> LibraryContents:
    """Load a library, let it register its operators, and return what it registered.

    Raises:
        SetupError: the runtime's own library is not where it should be.
        OSError: the library cannot be loaded, in the words of the dynamic loader.
        AttributeError: it does not export ``RegisterCustomOps``.
    """
    base = _ApiBase.from_address(_runtime().OrtGetApiBase())
    library = ctypes.CDLL(str(path))
    register = getattr(library, _ENTRY_POINT)
    register.restype, register.argtypes = _POINTER, (_POINTER, _POINTER)
    watch = _Registrations(base)
    status = register(watch.session_options(), ctypes.byref(watch.base))
    if status:
        watch.refusals.append(watch.message_of(status))
    operators = tuple(watch.read_operators())
    return LibraryContents(
        path=str(path),
        domains=tuple(watch.added.values()),
        operators=operators,
        asked=tuple(watch.asked),
        newest_api=_newest_api(base),
        refusal="\n".join(watch.refusals),
    )


def _newest_api(base: _ApiBase) -> int:
    """Return the newest version of the interface that there is; about the next, the runtime complains on its own."""
    return next(version for version in itertools.count(_OLDEST_API) if not base.get_api(version + 1))


def _runtime() -> Any:
    import onnxruntime

    folder = Path(onnxruntime.__file__).parent / "capi"
    found = sorted(folder.glob("libonnxruntime.so*"))
    if not found:
        raise SetupError.of(
            "Operator libraries cannot be looked into with this ONNX Runtime",
            cause=f"its installation, {folder}, holds no libonnxruntime.so",
            fix="Install onnxruntime from PyPI into the workspace's Python",
        )
    runtime = ctypes.CDLL(str(found[-1]))
    runtime.OrtGetApiBase.restype = _POINTER
    return runtime


class _Registrations:
    """A table of functions that notes what is added through it."""

    def __init__(self, base: _ApiBase) -> None:
        self._real_base = base
        self.added: dict[int, str] = {}
        self.asked: list[int] = []
        self.refusals: list[str] = []
        self._domains: dict[int, str] = {}
        self._operators: dict[int, list[int]] = {}
        self._table = (_POINTER * _TABLE_ENTRIES).from_buffer_copy(
            (_POINTER * _TABLE_ENTRIES).from_address(base.get_api(_OLDEST_API))
        )
        self._message_of = self._function(_GET_ERROR_MESSAGE, _MESSAGE_OF)
        # Kept as long as the library may call them.
        self._replaced = (
            self._replace(_CREATE_CUSTOM_OP_DOMAIN, _CREATE_DOMAIN, self._create_domain),
            self._replace(_ADD_OPERATOR, _ADD, self._add_operator),
            self._replace(_ADD_DOMAIN, _ADD, self._add_domain),
        )
        self.base = _ApiBase(_GET_API(self._get_api), base.get_version)

    def session_options(self) -> int | None:
        """Return options that operators can be added to."""
        options = _POINTER()
        self._function(_CREATE_SESSION_OPTIONS, _CREATE_OPTIONS)(ctypes.byref(options))
        return options.value

    def read_operators(self) -> Iterator[LibraryOperator]:
        """Yield the operators of the domains that were added; a domain may get operators after it was added."""
        for domain, name in self.added.items():
            for operator in self._operators.get(domain, []):
                try:
                    yield read_custom_op(operator, name)
                except ValueError as error:
                    self.refusals.append(str(error))

    def message_of(self, status: int) -> str:
        """Return what an error says."""
        return (self._message_of(status) or b"").decode("utf-8", "replace")

    def _function(self, position: int, kind: Any) -> Any:
        address = self._table[position]
        assert address is not None
        return kind(address)

    def _replace(self, position: int, kind: Any, look: Callable[..., int | None]) -> tuple[Any, Any]:
        real = self._function(position, kind)
        seen = kind(lambda first, second: look(real, first, second))
        self._table[position] = ctypes.cast(seen, _POINTER).value
        return real, seen

    def _get_api(self, version: int) -> int | None:
        self.asked.append(version)
        # Where the runtime is too old, it has no table for the library; nor have we.
        return ctypes.addressof(self._table) if self._real_base.get_api(version) else None

    def _create_domain(self, real: Any, name: bytes, domain: Any) -> int | None:
        status: int | None = real(name, domain)
        if not status:
            self._domains[domain[0]] = name.decode("utf-8", "replace")
        return status

    def _add_operator(self, real: Any, domain: int, operator: int) -> int | None:
        status: int | None = real(domain, operator)
        if not status:
            self._operators.setdefault(domain, []).append(operator)
        return status

    def _add_domain(self, real: Any, options: int, domain: int) -> int | None:
        status: int | None = real(options, domain)
        if not status:
            self.added[domain] = self._domains.get(domain, "")
        return status
