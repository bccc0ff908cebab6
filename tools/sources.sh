#!/usr/bin/env bash
# Prints the C and C++ sources of the project, one a line.
set -euo pipefail
cd "$(dirname "$0")/.."
find . \( -name .git -o -name .venv -o -name build -o -name dist \) -prune -o \
  -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h' \) -print | sort
