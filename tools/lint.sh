#!/usr/bin/env bash
# Checks the sources without running them. Runs every check, then reports the failures.
#   tools/lint.sh [CHECK...]      only those: layers ruff types schemas format configure clang-tidy
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
schemas() {
  local check=(check-jsonschema --quiet --builtin-schema)
  "${check[@]}" vendor.citation-file-format CITATION.cff &&
    "${check[@]}" vendor.github-workflows .github/workflows/*.yml &&
    "${check[@]}" vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml &&
    "${check[@]}" vendor.github-issue-forms .github/ISSUE_TEMPLATE/{bug,wish}.yml
}
check layers python tools/check_layers.py
check ruff ruff check .
check types mypy
check schemas schemas
check format tools/format.sh --check
check configure tools/build.sh --configure-only
check clang-tidy python tools/tidy.py
if [ ${#failed[@]} != 0 ]; then
  printf 'lint: failed: %s\n' "${failed[*]}" >&2
  exit 1
fi
echo "lint: all well"
