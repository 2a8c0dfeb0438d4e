# Sourced by run and test: sets up the environment that OpStudio runs in.
#
# set_up run    Python packages of the studio and its frameworks, a C++ compiler
# set_up test   the same, and the tools of the tests
#
# Afterwards $root is the project and $venv the environment. Everything is said on standard error:
# standard output belongs to opstudio, whose --json others read.

root=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${root%/packaging/setup.sh}
torch_index=

say() { printf 'opstudio: %s\n' "$*" >&2; }

stop() {
  say "$@"
  exit 2
}

set_up() {
  ensure has_compiler required "a C++ compiler (about 50 MB)" g++
  ensure has_symbolizer optional "binutils, which name the source line of a crash (about 5 MB)" binutils
  choose_venv "$1"
  if [ -n "$torch_index" ] || ! is_finished "$1"; then
    # Of two set-ups at once the second waits and then finds everything done.
    exec 9<"$(dirname -- "$venv")"
    if command -v flock >/dev/null; then flock 9; fi
    if ! is_finished "$1"; then make_environment "$1" >&2; fi
    if [ -n "$torch_index" ]; then install_chosen_torch >&2; fi
    exec 9<&-
  fi
}

# --- The environment -------------------------------------------------------------------------------------------------

# Takes .venv in the project; where that cannot be written, one below the user's cache folder, by the project's path.
choose_venv() {
  venv=$root/.venv
  if is_finished "$1"; then return; fi
  if [ -d "$venv" ] && [ -w "$venv" ] || [ ! -e "$venv" ] && [ -w "$root" ]; then return; fi
  local cache=${XDG_CACHE_HOME:-~/.cache}/opstudio
  mkdir -p -- "$cache"
  venv=$cache/venv-$(printf %s "$root" | cksum | cut -d ' ' -f 1)
}

# The last act of a set-up is to write what it was made from into a stamp, so one that was cut short has none.
is_finished() {
  [ -r "$venv/opstudio-stamp" ] && [ -x "$venv/bin/python" ] || return
  local made_for made_from
  read -r made_for made_from <"$venv/opstudio-stamp" || return
  [ "$made_from" = "$(fingerprint)" ] && { [ "$made_for" = "$1" ] || [ "$made_for" = test ]; }
}

fingerprint() {
  {
    printf '%s\n' "$root" "$venv"
    "$venv/bin/python" -V
    cat -- "$root/pyproject.toml" "$root/constraints.txt" "$root/packaging/setup.sh"
  } | sha256sum | cut -d ' ' -f 1
}

make_environment() {
  rm -f -- "$venv/opstudio-stamp"
  if ! is_sound; then create_venv; fi
  local torch needs
  torch=$(torch_of "$venv/bin/python")
  needs=$(requirements "$1")
  sed "s/^torch==[^ ]*/torch==${torch:-$(torch_pin)}/" "$root/constraints.txt" >"$venv/opstudio-constraints.txt"
  announce_downloads "$1"
  touch -- "$venv/opstudio-unfinished"
  if [ -n "$torch_index" ] && [ -z "$torch" ]; then install_chosen_torch; fi
  # shellcheck disable=SC2086  # a requirement contains no space
  pip_install -c "$venv/opstudio-constraints.txt" $needs
  pip_install --no-deps --no-build-isolation -e "$root"
  rm -- "$venv/opstudio-unfinished"
  printf '%s %s\n' "$1" "$(fingerprint)" >"$venv/opstudio-stamp.new"
  mv -- "$venv/opstudio-stamp.new" "$venv/opstudio-stamp"
  say "set up in $venv"
}

# An environment is made anew if its set-up was killed, its Python is gone, or it was copied or moved here.
is_sound() {
  [ ! -e "$venv/opstudio-unfinished" ] && grep -qsF -- "$venv" "$venv/bin/activate" &&
    "$venv/bin/python" -I -m pip --version >/dev/null 2>&1
}
