#!/usr/bin/env bash
# Makes the site of the documentation: build/book/site/index.html. Warnings, such as a link that
# leads nowhere, are errors. Needs no network.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
python tools/book.py
doxygen docs/reference/doxygen.conf
# mkdocs advertises its successor, which is not wanted here.
export NO_MKDOCS_2_WARNING=1
mkdocs build --strict
echo "docs: build/book/site/index.html"
