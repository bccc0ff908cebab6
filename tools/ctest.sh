#!/usr/bin/env bash
# Runs the C++ tests of the build directory; arguments go to ctest.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
# A job that is killed leaves its session folder there (see conftest.py).
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
python tests/support/clean_start.py ctest --test-dir "$ONECAST_BUILD_DIR" --output-on-failure --no-tests=ignore -j2 "$@"
