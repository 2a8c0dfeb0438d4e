"""Extensions are found, not listed: a module with a manifest in the right package is one.

A command, a check, a backend, a rule or a panel is one new file; nothing else names it.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Generic, TypeVar

ManifestT = TypeVar("ManifestT")


@dataclass(frozen=True, slots=True)
class BrokenExtension:
    """A module that could not be imported; it is shown, never silently missing."""

    module: str
    reason: str


@dataclass(frozen=True, slots=True)
class Discovered(Generic[ManifestT]):
    """What a package holds."""

    manifests: tuple[ManifestT, ...]
    broken: tuple[BrokenExtension, ...]


def discover(package_name: str, attribute: str, kind: type[ManifestT]) -> Discovered[ManifestT]:
    """Collect the manifests named ``attribute`` from every module below a package.

    Args:
        package_name: dotted name of the package whose modules (at any depth) are looked at.
        attribute: name of the manifest in such a module; modules without it are passed over.
        kind: class that the manifest must be of.

    Returns:
        The manifests in the order of their module names, and the modules that could not be imported.

    Raises:
        TypeError: a manifest has another class, which is a bug of the extension.
    """
    package = importlib.import_module(package_name)
    manifests: list[ManifestT] = []
    broken: list[BrokenExtension] = []
    # A package that cannot be imported is met a second time below, where its reason is kept.
    found = pkgutil.walk_packages(package.__path__, f"{package_name}.", onerror=lambda _name: None)
    for module_info in sorted(found, key=lambda info: info.name):
        try:
            module = importlib.import_module(module_info.name)
        except ImportError as error:
            broken.append(BrokenExtension(module_info.name, str(error)))
            continue
        except Exception as error:  # noqa: BLE001 - one bad extension must not take all others with it
            broken.append(BrokenExtension(module_info.name, f"{type(error).__name__}: {error}"))
            continue
        manifest = getattr(module, attribute, None)
        if manifest is None:
            continue
        if not isinstance(manifest, kind):
            message = f"{module_info.name}.{attribute} is a {type(manifest).__name__}, not a {kind.__name__}"
            raise TypeError(message)
        manifests.append(manifest)
    return Discovered(tuple(manifests), tuple(broken))
