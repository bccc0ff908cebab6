#!/usr/bin/env bash
# Builds the library and the command, and installs both with headers, CMake package and pkg-config
# file into PREFIX.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
if [ -z "${PREFIX:-}" ]; then
  echo "install: say where: make install PREFIX=/where" >&2
  exit 2
fi
tools/build.sh onecast_installed
for component in development command; do
  cmake --install "$ONECAST_BUILD_DIR" --prefix "$PREFIX" --component $component
done
