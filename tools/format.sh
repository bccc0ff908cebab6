#!/usr/bin/env bash
# Formats all sources; with --check, only lists the sources that are not formatted.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
if [ "${1:-}" = --check ]; then
  unformatted=$(tools/sources.sh | xargs -r clang-format --dry-run 2>&1 |
    sed -n 's/^\.\/\([^:]*\):.*Wclang-format-violations.*/\1/p' | uniq)
  [ -z "$unformatted" ] || printf '%s: not formatted (make format)\n' $unformatted
  ruff format --check . && [ -z "$unformatted" ]
else
  tools/sources.sh | xargs -r clang-format -i
  ruff check --fix --quiet . || true
  ruff format .
fi
