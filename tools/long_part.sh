#!/usr/bin/env bash
# Runs long parts of the check. The first failure ends a part.
#   tools/long_part.sh                 the one whose turn it is: the hour of the last commit says so
#   tools/long_part.sh --within N      the same, for N seconds: then it is cut off, which is no failure
#   tools/long_part.sh all             all of them
#   tools/long_part.sh PART...         long | exchange | asan | tsan | fuzz | mpich | no-mpi | dev
#                                      | packages | wheel
set -euo pipefail
cd "$(dirname "$0")/.."
parts=(long exchange asan tsan fuzz mpich no-mpi dev packages wheel)
export CTEST_OPTIONS=--stop-on-failure PYTEST_ADDOPTS=-x

# Long tests: random programs, sweeps over numbers of ranks, killed processes.
run_long() {
  tools/setup.sh test suites hdf5
  tools/build.sh
  tools/test.sh long
}
# Exchange with other libraries: HDF5 1.8 to 2.x, and the tests of other packages.
run_exchange() {
  tools/setup.sh test suites hdf5
  tools/build.sh _core _cgns _events onecast_hdf5_plugin
  (. tools/env.sh && python -m pytest -q -n auto tests/interop tests/suites tests/dropin \
    python/tests/test_hdf5_1_8.py python/tests/test_interchange.py python/tests/test_random.py)
}
# Damaged files and threads through the plug-in of a sanitizer's build, in Python with the package of
# the release.
run_plugin_under() {
  tools/build.sh _core onecast_hdf5_plugin
  (. tools/env.sh && python -m pytest -q -k "$1" tests/dropin/test_hostile.py tests/dropin/test_threads.py)
}
run_asan() {
  make asan CTEST_OPTIONS="$CTEST_OPTIONS -LE long"
  run_plugin_under asan
}
run_tsan() {
  make tsan
  PRESET=tsan MPI=none tools/build.sh onecast_hdf5_plugin
  run_plugin_under tsan
}
run_fuzz() { make fuzz FUZZ_SECONDS=300; }
# Tests that depend on the MPI, with another MPI and without MPI.
run_mpich() { make test-ranks MPI=mpich; }
run_no-mpi() { make test-serial MPI=none; }
# Assertions, and each source compiled by itself: a source that lacks an #include fails.
run_dev() { make test-serial PRESET=dev; }
# The binary interface; a release, twice; Debian's packages.
run_packages() {
  make abi
  make release
  cp dist/release/SHA256SUMS build/SHA256SUMS
  make release
  cmp dist/release/SHA256SUMS build/SHA256SUMS
  make debian
}
# A wheel in empty environments, with each MPI.
run_wheel() {
  make wheel
  tools/try_wheel.sh
}

run() {
  local start=$SECONDS
  echo "part: $1"
  "run_$1"
  echo "part: $1 passed after $((SECONDS - start)) s"
}

part_in_turn() {
  echo "${parts[$(($(git log -1 --format=%ct) / 3600 % ${#parts[@]}))]}"
}

# These lines of pytest and ctest tell of failures.
failures='^(FAILED|ERROR) |\*\*\*(Failed|Exception|Timeout|Not Run)'
# run_within SECONDS PART: pytest answers the interrupt with what has failed so far.
run_within() {
  local log=build/long_part.log status=0
  mkdir -p build
  timeout --signal=INT --kill-after=60 "$1" tools/long_part.sh "$2" 2>&1 | tee "$log" || status=$?
  if [[ $status = 124 || $status = 137 ]] && ! grep -qE "$failures" "$log"; then
    echo "part: $2 cut off after $1 s, nothing had failed"
  else
    return $status
  fi
}

case "$*" in
  "") run "$(part_in_turn)" ;;
  "--within "*) run_within "$2" "$(part_in_turn)" ;;
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
