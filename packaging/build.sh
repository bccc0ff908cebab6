#!/usr/bin/env bash
# Builds Onecast with the compiler, the libraries, the MPI and the Python of the environment, and
# installs it. Recipes call it. Everything comes from the environment: nothing is downloaded.
#   packaging/build.sh PREFIX [CMAKE OPTION...]
# The Python package lies in PREFIX/lib/onecast, which belongs in PYTHONPATH.
set -euo pipefail
prefix=$1
cd "$(dirname "$0")/.."
cmake -S . -B build/packaged -G Ninja -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_INSTALL_PREFIX=$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
  -DONECAST_TESTS=OFF -DONECAST_BENCH=OFF -DONECAST_LAB=OFF -DONECAST_WERROR=OFF "${@:2}"
cmake --build build/packaged --target onecast_installed
for component in development command; do
  cmake --install build/packaged --component $component
done
