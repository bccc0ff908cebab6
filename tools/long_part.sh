#!/usr/bin/env bash
# Runs long parts of the check.
#   tools/long_part.sh                 the one whose turn it is: the hour of the last commit says so
#   tools/long_part.sh all             all of them
#   tools/long_part.sh PART...         long | exchange | asan | tsan | fuzz | mpich | no-mpi | dev
set -euo pipefail
cd "$(dirname "$0")/.."
parts=(long exchange asan tsan fuzz mpich no-mpi dev)

# Long tests: random programs, sweeps over numbers of ranks, killed processes.
run_long() { tools/test.sh long; }
# Exchange with other libraries: HDF5 1.8 to 2.x, and the tests of other packages.
run_exchange() {
  tools/setup.sh test suites
  (. tools/env.sh && python -m pytest -q -n auto tests/interop tests/suites \
    python/tests/test_hdf5_1_8.py python/tests/test_interchange.py python/tests/test_random.py)
}
run_asan() { make asan CTEST_OPTIONS='-LE long'; }
run_tsan() { make tsan; }
run_fuzz() { make fuzz FUZZ_SECONDS=300; }
# Tests that depend on the MPI, with another MPI and without MPI.
run_mpich() { make test-ranks MPI=mpich; }
run_no-mpi() { make test-serial MPI=none; }
# Assertions, and each source compiled by itself: a source that lacks an #include fails.
run_dev() { make test-serial PRESET=dev; }

run() {
  echo "part: $1"
  "run_$1"
  echo "part: $1 passed after $SECONDS s"
}

case "$*" in
  "") run "${parts[$(($(git log -1 --format=%ct) / 3600 % ${#parts[@]}))]}" ;;
  all) for part in "${parts[@]}"; do run "$part"; done ;;
  *)
    for part in "$@"; do
      [[ " ${parts[*]} " = *" $part "* ]] || {
        echo "long_part: $part is none of ${parts[*]}" >&2
        exit 2
      }
      run "$part"
    done
    ;;
esac
