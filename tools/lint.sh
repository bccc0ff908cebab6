#!/usr/bin/env bash
# Checks the sources without running them. Runs every check, then reports the failures.
#   tools/lint.sh [CHECK...]      only those: layers ruff types format configure clang-tidy
set -uo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT" || exit 1
failed=()
only=" $* "
check() {
  [ "$only" = "  " ] || [[ $only = *" $1 "* ]] || return 0
  printf 'lint: %s\n' "$1"
  "${@:2}" || failed+=("$1")
}
check layers python tools/check_layers.py
check ruff ruff check .
check types mypy
check format tools/format.sh --check
check configure tools/build.sh --configure-only
check clang-tidy python tools/tidy.py
if [ ${#failed[@]} != 0 ]; then
  printf 'lint: failed: %s\n' "${failed[*]}" >&2
  exit 1
fi
echo "lint: all well"
