# shellcheck shell=bash
# Sourced by run and test: sets up the environment that OpStudio runs in.
#
#   set_up run     the packages of the studio and its frameworks, a C++ compiler
#   set_up test    the same, and what the tests need
#
# Afterwards $root is the project and $venv the environment. Everything is said on standard error:
# standard output belongs to opstudio, whose --json other programs read.

root=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${root%/packaging/setup.sh}
torch_index=

say() { printf 'opstudio: %s\n' "$*" >&2; }

stop() {
  say "$@"
  exit 2
}

set_up() {
  ensure has_compiler required "a C++ compiler (50 MB)" g++
  ensure has_symbolizer optional "binutils, which name the line of a crash (5 MB)" binutils
  choose_venv "$1"
  if ! is_finished "$1"; then
    # Of two set-ups at the same time the second waits, and then finds everything done.
    exec 9<"$(dirname -- "$venv")"
    if command -v flock >/dev/null && ! flock --nonblock 9; then
      say "waiting for another set-up of this project"
      flock 9
    fi
    if ! is_finished "$1"; then make_environment "$1" >&2; fi
    exec 9<&-
  fi
  if [ "$1" = test ]; then
    ensure_window_libraries
    ensure has_virtual_display optional "a display and keys for the tests (11 MB)" xvfb xdotool
    ensure has_fonts optional "fonts for the tests (4 MB)" fontconfig fonts-dejavu-core fonts-droid-fallback
  fi
}

# Takes .venv in the project; where that cannot be written, a folder of the user's cache that belongs to this project.
choose_venv() {
  venv=$root/.venv
  if is_finished "$1"; then return; fi
  if [ -e "$venv" ]; then
    if [ -w "$venv" ]; then return; fi
  elif [ -w "$root" ]; then
    return
  fi
  local cache=${XDG_CACHE_HOME:-~/.cache}/opstudio
  mkdir -p -- "$cache"
  venv=$cache/venv-$(checksum "$root")
}

# The last act of a set-up writes what it was made from into a stamp, so one that was cut short has none.
is_finished() {
  local made_for made_from
  [ -x "$venv/bin/python" ] && [ -r "$venv/opstudio-stamp" ] || return
  read -r made_for made_from <"$venv/opstudio-stamp" || return
  [ "$made_from" = "$(fingerprint)" ] || return
  [ "$made_for" = "$1" ] || [ "$made_for" = test ] || return
  [ -z "$torch_index" ] || [ "$(checksum "$torch_index")" = "$(cat "$venv/opstudio-torch-index" 2>/dev/null)" ]
}

fingerprint() {
  {
    printf '%s\n' "$root" "$venv"
    "$venv/bin/python" -V
    cat -- "$root/pyproject.toml" "$root/constraints.txt" "$root/packaging/setup.sh"
  } | sha256sum | cut -d ' ' -f 1
}

checksum() { printf '%s' "$1" | cksum | cut -d ' ' -f 1; }

make_environment() {
  local torch needs fresh=
  trap 'exit 130' INT TERM HUP
  rm -f -- "$venv/opstudio-stamp"
  if ! is_sound; then
    fresh=yes
    create_venv
  fi
  torch=$(torch_of "$venv/bin/python" "$venv")
  needs=$(requirements "$1")
  mapfile -t needs <<<"$needs"
  touch -- "$venv/opstudio-unfinished"
  sed "s/^torch==[^ ]*/torch==${torch:-$(torch_pin)}/" "$root/constraints.txt" >"$venv/opstudio-constraints.txt"
  announce_downloads "$1"
  if [ -n "$torch_index" ]; then
    say "taking torch $(torch_pin) from the package index that was named"
    pip_install --force-reinstall --no-deps --index-url "$torch_index" "torch==$(torch_pin)"
    checksum "$torch_index" >"$venv/opstudio-torch-index"
  fi
  pip_install -c "$venv/opstudio-constraints.txt" "${needs[@]}"
  pip_install --no-deps --no-build-isolation -e "$root"
  # Compiled once here, not in every process where Python must not write it; without it everything works, more slowly.
  "$venv/bin/python" -I -m compileall -q "$root/app/opstudio" >/dev/null 2>&1 || true
  rm -- "$venv/opstudio-unfinished"
  printf '%s %s\n' "$1" "$(fingerprint)" >"$venv/opstudio-stamp"
  trap - INT TERM HUP
  say "set up in $venv"
}

# An environment is made anew if its set-up was killed, its Python is gone, or it was moved or copied here.
is_sound() {
  [ ! -e "$venv/opstudio-unfinished" ] && grep -qsF -- "$venv" "$venv/bin/activate" &&
    "$venv/bin/python" -I -m pip --version >/dev/null 2>&1
}

create_venv() {
  local options=() site
  if [ -z "${PYTHON:-}" ]; then
    ensure choose_python required "Python 3.11 or newer with its module venv (30 MB)" "$(python_package)"
  elif ! choose_python; then
    stop "PYTHON=$PYTHON is not Python 3.11 or newer with its modules venv and ensurepip"
  fi
  say "making the environment $venv with $python${python_torch:+ and its torch $python_torch}"
  mkdir -p -- "$venv"
  touch -- "$venv/opstudio-unfinished"
  find "$venv/" -mindepth 1 ! -name opstudio-unfinished -delete
  if [ -n "$python_torch" ]; then options+=(--system-site-packages); fi
  "$python" -m venv "${options[@]}" "$venv"
  if [ -n "$python_torch" ]; then
    # --system-site-packages reaches neither another virtual environment nor the user's own packages, and the setuptools
    # that comes with Python 3.11 would hide the one that torch was installed with.
    "$venv/bin/python" -I -m pip --quiet --disable-pip-version-check uninstall --yes setuptools
    site=$("$venv/bin/python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    "$python" -c 'import sys; print(*(p for p in sys.path if p.endswith("-packages")), sep="\n")' >"$site/torch.pth"
  fi
}

pip_install() {
  local status=0
  "$venv/bin/python" -I -m pip --disable-pip-version-check --no-input install --no-user "$@" || status=$?
  if [ "$status" = 0 ]; then return; fi
  # An update that pip itself gave up left the packages as they were; anything else is made anew the next time.
  if [ -z "$fresh" ] && [ "$status" -lt 128 ]; then rm -f -- "$venv/opstudio-unfinished"; fi
  stop "the Python packages could not be installed: pip says above why (is there a network?). The next call tries again."
}

# Prints what pip is asked for, one requirement a line.
requirements() {
  "$venv/bin/python" -I - "$root/pyproject.toml" "$1" <<'PYTHON'
import sys, tomllib

with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)
needs = project["build-system"]["requires"] + project["project"]["dependencies"]
needs += project["project"]["optional-dependencies"]["frameworks"]
if sys.argv[2] == "test":
    needs += project["dependency-groups"]["test"] + project["dependency-groups"]["lint"]
print(*needs, sep="\n")
PYTHON
}

announce_downloads() {
  "$venv/bin/python" -I - "$venv/opstudio-constraints.txt" "$1" <<'PYTHON'
import re, sys
from importlib.metadata import PackageNotFoundError, version

large, small = [], 0
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
if sys.argv[2] == "run":
    text = text.partition("# Tests")[0]
for name, pin, size in re.findall(r"^([\w-]+)==(\S+)(?:  # (.*))?$", text, re.MULTILINE):
    try:
        present = version(name).partition("+")[0] == pin.partition("+")[0]
    except PackageNotFoundError:
        present = False
    if not present and size:
        large.append(f"{name} {pin} ({size})")
    elif not present:
        small += 1
if small:
    large.append(f"smaller packages: {small} ({(small + 1) // 2} MB)")
if large:
    print("opstudio: to download, unless pip has it already:", *large, sep="\n  ", flush=True)
PYTHON
}

# Sets $python, and $python_torch if that interpreter brings a torch: $PYTHON if it is set, else the first on the path,
# those with a torch before the others. Python 3.11 comes first because it is what the tests run on.
choose_python() {
  local candidates=(python3.11 python3 python3.12 python3.13 python3.14) candidate
  if [ -n "${PYTHON:-}" ]; then candidates=("$PYTHON"); fi
  python='' python_torch=''
  for candidate in "${candidates[@]}"; do
    candidate=$(command -v -- "$candidate") || continue
    case $candidate in "$venv"/*) continue ;; esac
    "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    if [ -z "$torch_index" ]; then python_torch=$(torch_of "$candidate"); fi
    if [ -z "$python" ] || [ -n "$python_torch" ]; then python=$candidate; fi
    if [ -n "$python_torch" ]; then return; fi
  done
  [ -n "$python" ]
}

# The system's package of a Python that will do: its own, unless that is too old.
python_package() {
  if python3 -c 'import sys; sys.exit(sys.version_info >= (3, 11))' 2>/dev/null; then
    echo python3.11-venv
  else
    echo python3-venv
  fi
}

# Prints the version of the torch of interpreter $1 if it can be imported, is of the pinned release, and not in folder $2.
torch_of() {
  "$1" - "$(torch_pin)" "${2:-}" 2>/dev/null <<'PYTHON' || true
import importlib.metadata, re, sys

found, release = importlib.metadata.version("torch"), sys.argv[1].rpartition(".")[0]
if re.fullmatch(re.escape(release) + r"\.\d+(\+.*)?", found):
    import torch

    if not (sys.argv[2] and torch.__file__.startswith(sys.argv[2] + "/")):
        print(found)
PYTHON
}

torch_pin() { sed -n 's/^torch==\([^ ]*\).*/\1/p' "$root/constraints.txt"; }

# ensure CHECK required|optional WHAT PACKAGES…: installs the packages if the check fails and this user may install;
# else says what is missing, and goes on if it is optional.
ensure() {
  local check=$1 kind=$2 what=$3
  shift 3
  if "$check"; then return; fi
  if may_install; then
    say "to download: $what"
    apt_install "$@" >&2 9<&- || true
    if "$check"; then return; fi
  fi
  say "missing: $what. To install it: sudo apt-get install $* (or what your system calls it)"
  if [ "$kind" = required ]; then exit 2; fi
}

apt_install() {
  as_root apt-get -qq update || true
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y -o Dpkg::Use-Pty=0 install --no-install-recommends --no-upgrade "$@"
}

may_install() { command -v apt-get >/dev/null && as_root true 2>/dev/null; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

has_compiler() {
  if [ -n "${CXX:-}" ]; then command -v -- "$CXX"; else command -v g++ || command -v clang++ || command -v c++; fi >/dev/null
}

has_symbolizer() { command -v addr2line >/dev/null || command -v llvm-symbolizer >/dev/null; }

has_virtual_display() { command -v Xvfb && command -v xdotool; } >/dev/null

has_fonts() { [ -n "$(fc-list :lang=en family 2>/dev/null)" ] && [ -n "$(fc-list :lang=zh family 2>/dev/null)" ]; }

ensure_window_libraries() {
  ensure has_window_libraries optional "libraries that Qt needs for a window (10 MB)" \
    libdbus-1-3 libegl1 libfontconfig1 libgl1 libglib2.0-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 \
    libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0 libxkbcommon0
}

has_window_libraries() {
  case $(ldd "$venv"/lib/python3*/site-packages/PySide6/Qt/plugins/platforms/lib{qxcb,qoffscreen}.so 2>/dev/null) in
    *'not found'*) return 1 ;;
  esac
}
