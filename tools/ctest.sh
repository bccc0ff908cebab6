#!/usr/bin/env bash
# Runs the C++ tests of the build directory; arguments go to ctest.
set -euo pipefail
. "$(dirname "$0")/env.sh"
ctest --test-dir "$ONECAST_BUILD_DIR" --output-on-failure --no-tests=ignore -j2 "$@"
