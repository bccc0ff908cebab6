#!/usr/bin/env bash
# Configures (when needed) and builds the preset PRESET with the MPI named by MPI.
#   tools/build.sh [--configure-only] [TARGET...]
set -euo pipefail
# Other MPIs use the build of the default one, and test programs of their own.
read -r program tests < <(. "$(dirname "$0")/env.sh" && echo "onecast-events$ONECAST_MPI_SUFFIX" "$ONECAST_MPI_TESTS")
case ${MPI:-} in mpich | impi) export MPI=openmpi ;; esac
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"

args=(-DONECAST_ALL_CODECS=ON --preset "$PRESET" -S "$ONECAST_ROOT" -B "$ONECAST_BUILD_DIR"
  "-DPython_EXECUTABLE=$ONECAST_ROOT/.venv/bin/python")
if [ "$MPI" = none ]; then
  args+=(-DONECAST_MPI=OFF)
else
  args+=(-DONECAST_MPI=ON "-DMPI_C_COMPILER=$MPICC" "-DMPIEXEC_EXECUTABLE=$MPIEXEC"
    "-DMPIEXEC_PREFLAGS=${MPIEXEC_FLAGS// /;}")
  mpich=$ONECAST_ROOT/.venv/mpich/bin
  if [ "$MPI" = openmpi ] && [ -x "$mpich/mpicc" ]; then
    args+=("-DONECAST_OTHER_MPIS=mpich=$mpich/mpicc;mpich_abi=$mpich/mpicc_abi")
  fi
fi
. tools/ccache_env.sh "$ONECAST_ROOT"
args+=("${ccache_options[@]}")
if [ "$PRESET" = fuzz ]; then args+=("-DCMAKE_CXX_COMPILER=$(tools/find_clang.sh)"); fi

mkdir -p "$ONECAST_BUILD_DIR"
exec 8>"$ONECAST_BUILD_DIR/.lock"
flock 8

# The build notices new sources by itself; the configuration alone does not.
if [ "${1:-}" = --configure-only ] || [ ! -e "$ONECAST_BUILD_DIR/build.ninja" ] ||
  [ "$(cat "$ONECAST_BUILD_DIR/.configured" 2>/dev/null)" != "${args[*]}" ]; then
  cmake "${args[@]}" 8>&-
  echo "${args[*]}" >"$ONECAST_BUILD_DIR/.configured"
fi
[ "${1:-}" != --configure-only ] || exit 0
targets=()
for target in "${@:-all}"; do
  # shellcheck disable=SC2206
  case $target in
    mpi_tests) targets+=($tests) ;;
    onecast-events) targets+=("$program") ;;
    *) targets+=("$target") ;;
  esac
done
cmake --build "$ONECAST_BUILD_DIR" --target "${targets[@]}" 8>&-
