"""Templates to texts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from opstudio.base.assets import asset_root

if TYPE_CHECKING:
    import jinja2


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(asset_root("plugins"))),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - C++, not HTML
    )


def render_template(name: str, **values: object) -> str:
    """Return a template of the plug-ins, filled in."""
    return _environment().get_template(name).render(values)
