#!/usr/bin/env bash
# Runs the C++ tests, then those in Python.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
tools/ctest.sh
folders=()
for folder in tests python/tests; do
  [ ! -d "$folder" ] || folders+=("$folder")
done
[ ${#folders[@]} = 0 ] || python -m pytest -q "${folders[@]}"
