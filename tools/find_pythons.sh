#!/usr/bin/env bash
# Lists the Pythons of this machine with which wheels can be built and tried, a line each:
# KIND PATH. KIND is cp311, or cp312-abi3 for CPython 3.12 and later. Those in PYTHONS come first,
# then those in PATH, then those of pyenv.
set -euo pipefail

# kind_of PYTHON: prints its kind, if it has headers and venv.
kind_of() {
  "$1" - 2>/dev/null <<'PYTHON' || true
import ensurepip, pathlib, sys, sysconfig, venv
header = pathlib.Path(sysconfig.get_path("include"), "Python.h")
usual = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
if usual and header.exists() and sys.version_info >= (3, 11):
    print("cp311" if sys.version_info < (3, 12) else "cp312-abi3")
PYTHON
}

# shellcheck disable=SC2086
for candidate in ${PYTHONS:-} ${PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14 \
  "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
  found=$(command -v "$candidate" 2>/dev/null) || continue
  kind=$(kind_of "$found")
  [ -z "$kind" ] || echo "$kind $found"
done
