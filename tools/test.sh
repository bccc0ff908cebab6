#!/usr/bin/env bash
# Runs the C++ tests, then the Python tests, on all cores; then counts instructions (except for
# `long`).
#   tools/test.sh          those that are quick
#   tools/test.sh long     the others: label and marker `long`
#   tools/test.sh all      both
#   tools/test.sh ranks    those of the quick ones that start ranks
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
# The tests in C++ of another MPI, over the libraries of the one build. MPICH busy-polls: with more
# ranks than cores a message takes tenths of a second.
run_on_other_ranks() {
  local program ranks
  for program in $ONECAST_MPI_TESTS; do
    for ranks in 1 3; do
      echo "test: $program on $ranks ranks"
      # shellcheck disable=SC2086
      "$MPIEXEC" $MPIEXEC_FLAGS -n $ranks "$ONECAST_BUILD_DIR/$program"
    done
  done
}
if [ "$MPI" = impi ] && [ ! -x "$MPIEXEC" ]; then
  echo "test: Intel MPI is left out, because it could not be installed"
  exit 0
fi

case ${1:-quick} in
  quick) in_cpp=(-LE long) in_python=(-m "not long") ;;
  long) in_cpp=(-L long) in_python=(-m long) ;;
  all) in_cpp=() in_python=() ;;
  ranks) in_cpp=(-LE long -R mpi_tests) in_python=(-m "ranks and not long") ;;
  *)
    echo "test: $1 is none of quick, long, all, ranks" >&2
    exit 2
    ;;
esac
case $MPI in
  mpich | impi) run_on_other_ranks ;;
  *) tools/ctest.sh "${in_cpp[@]}" ;;
esac
# Many of the tests wait, so there is one worker more than cores.
python -m pytest -q -n "$(($(nproc) + 1))" "${in_python[@]}" tests python/tests
case ${1:-quick} in quick | all) python tools/instructions.py ;; esac
