#!/usr/bin/env bash
# Runs all tests in an instrumented build and reports the lines of src/ and include/ that ran.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
tools/build.sh
find "$ONECAST_BUILD_DIR" -name '*.gcda' -delete
tools/test.sh all
mkdir -p build/coverage
gcovr --root . --object-directory "$ONECAST_BUILD_DIR" --filter src/ --filter include/ \
  --exclude-throw-branches --html-details build/coverage/index.html --txt build/coverage/report.txt \
  --print-summary -j2
echo "coverage: build/coverage/index.html"
