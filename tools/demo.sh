#!/usr/bin/env bash
# The benchmark that shows what the project is for.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
if [ ! -d cli/onecast_cli ]; then
  echo "demo: the command line (cli/) is not there yet" >&2
  exit 1
fi
# The two settings of stock HDF5 of which one is the fastest in each line of the table.
exec onecast bench metadata --repeats 1 --settings best,independent --no-cgns "$@"
