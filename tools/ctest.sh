#!/usr/bin/env bash
# Runs the C++ tests of the build directory; arguments and CTEST_OPTIONS go to ctest. What failed is
# said again at the end, since a long log may have lost it in its middle.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
# A job that is killed leaves its session folder there (see conftest.py).
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# shellcheck disable=SC2086
python tests/support/clean_start.py ctest --test-dir "$ONECAST_BUILD_DIR" --output-on-failure \
  --no-tests=ignore -j2 ${CTEST_OPTIONS:-} "$@" || {
  status=$?
  python tools/failed_tests.py "$ONECAST_BUILD_DIR"
  exit $status
}
