"""Where the data trees ``kernels``, ``plugins``, ``ascend`` and ``resources`` are at run time.

In a wheel they lie inside the package (``opstudio/_data``); in a checkout they stand beside
``pyproject.toml``. Nothing else in the studio computes such a path.
"""

from __future__ import annotations

import functools
from importlib.resources import files
from pathlib import Path
from typing import Literal

from opstudio.base.errors import SetupError

AssetKind = Literal["kernels", "plugins", "ascend", "resources"]


@functools.cache
def asset_root(kind: AssetKind) -> Path:
    """Return the folder of one data tree.

    Raises:
        SetupError: it is in neither place, so the installation is incomplete.
    """
    package = Path(str(files("opstudio")))
    packaged = package / "_data" / kind
    checkout = package.parent.parent
    for candidate, present in (
        (packaged, packaged.is_dir()),
        (checkout / kind, (checkout / "pyproject.toml").is_file() and (checkout / kind).is_dir()),
    ):
        if present:
            return candidate
    raise SetupError.of(
        f"The {kind} of the studio are missing",
        cause=f"neither {packaged} nor {checkout / kind} is there",
        fix="Install OpStudio again",
    )
