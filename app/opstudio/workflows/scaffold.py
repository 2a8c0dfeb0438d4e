"""New workspaces, and new operators from templates that build and pass at once."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from pathlib import Path

from opstudio.base.assets import asset_root
from opstudio.base.errors import InputError, SetupError
from opstudio.base.files import cannot_write, write_atomic
from opstudio.base.finding import Place
from opstudio.base.names import did_you_mean
from opstudio.contract.operator import onnx_type_name
from opstudio.workspace.folder import STATE_FOLDER, OperatorFolder, Workspace, open_workspace
from opstudio.workspace.settings import SETTINGS_FILE
from opstudio.workspace.trust import Trust

DEFAULT_DOMAIN = "myops"
_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_IGNORED = f"# What can be made again: builds, results, journals.\n{STATE_FOLDER}/\n"


def init_workspace(folder: Path) -> Workspace:
    """Make a workspace of a folder, which may exist and hold other things; what its user makes is trusted.

    Raises:
        InputError: it is a workspace already.
        SetupError: it cannot be written.
    """
    folder = folder.resolve()
    settings = folder / SETTINGS_FILE
    if settings.exists():
        raise InputError.of(
            f"{folder} is a workspace already",
            cause=f"it has an {SETTINGS_FILE}",
            fix="Make an operator in it: opstudio new OP",
            stage="workspace",
            place=Place(file=str(settings)),
        )
    name = folder.name.replace("\\", "\\\\").replace('"', '\\"')
    write_atomic(settings, f'[workspace]\nname = "{name}"\n')
    if not (folder / ".gitignore").exists():
        write_atomic(folder / ".gitignore", _IGNORED)
    # Where that cannot be kept, the first check asks.
    with contextlib.suppress(SetupError):
        Trust.of_user().grant(folder)
    return open_workspace(folder)


def templates() -> tuple[str, ...]:
    """Return the names of the operator templates."""
    return tuple(sorted(path.name for path in _template_root().iterdir() if path.is_dir()))


def is_operator_name(name: str) -> bool:
    """Whether an operator may be called so: small letters, digits and _, no digit first."""
    return _NAME.fullmatch(name) is not None


def new_operator(workspace: Workspace, name: str, template: str, *, domain: str = DEFAULT_DOMAIN) -> OperatorFolder:
    """Make an operator from a template; its folder appears whole or not at all.

    Raises:
        InputError: the name or the template cannot be used, or the folder exists.
        SetupError: the workspace cannot be written.
    """
    for what, text in (("operator", name), ("domain", domain)):
        if not is_operator_name(text):
            raise InputError.of(
                f"{text!r} cannot be the name of an {what}" if what == "operator" else f"{text!r} cannot be a domain",
                cause="it becomes a name in C++, PyTorch and ONNX",
                fix="Use small letters, digits and _, for example my_operator",
                stage="workspace",
            )
    if template not in templates():
        raise InputError.of(
            f"There is no template {template}",
            cause=did_you_mean(template, templates()),
            fix="Choose one of them with --template",
            stage="workspace",
        )
    target = workspace.root / name
    if target.exists():
        raise InputError.of(
            f"{target} exists already",
            cause="an operator or another folder has that name",
            fix="Choose another name, or move the folder away",
            stage="workspace",
            place=Place(file=str(target)),
        )
    _render_folder(_template_root() / template, target, name, domain)
    return OperatorFolder(name, target)


def _template_root() -> Path:
    return asset_root("resources") / "templates" / "operator"


def _render_folder(source: Path, target: Path, name: str, domain: str) -> None:
    import jinja2

    values = {"name": name, "domain": domain, "onnx_type": onnx_type_name(name)}
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - not HTML
    )
    try:
        building = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=target.parent))
    except OSError as error:
        raise cannot_write(target, error) from error
    try:
        for path in sorted(source.iterdir()):
            text = environment.from_string(path.read_text(encoding="utf-8")).render(values)
            # kernel.cpp and kernel_torch.cpp carry the operator's name.
            write_atomic(building / re.sub(r"^kernel(?=[._])", name, path.name), text)
        building.chmod(0o755)
        building.rename(target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)
