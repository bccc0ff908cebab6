#!/usr/bin/env bash
# Installs what the project needs: .venv with the pinned packages, native libraries by apt.
# A second run finds all in place and takes well under two seconds.
#   tools/setup.sh [NEED...]    what building and the demo need, and beside that
#     test    pytest, and the libraries and tools that files are exchanged with
#     lint    what checks the sources, and coverage
#     docs    mkdocs and doxygen, which make the site of the documentation
#     release what writes the list of components of a release, and checks the recipes of packaging/
#     debian  what builds and tries the packages of Debian
#     fuzz    clang with libFuzzer
#     suites  packages whose own tests run with Onecast in h5py's place, in .venv/suites
#     hdf5    sources of several versions of HDF5, in the user's cache, for tests/dropin
#     root    ROOT, in .venv/root, for `make events-root`
set -euo pipefail
for need in "$@"; do
  case $need in
    test | lint | docs | release | debian | fuzz | suites | hdf5 | root) ;;
    *)
      echo "setup: $need is none of test, lint, docs, release, debian, fuzz, suites, hdf5, root" >&2
      exit 2
      ;;
  esac
done
given=$*
needs() { [[ " $given " = *" $1 "* ]]; }
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
venv=$ONECAST_ROOT/.venv
# A venv that is active must not provide the Python.
python=${PYTHON:-$(PATH=${PATH//"$venv/bin:"/} command -v python3)}

say() { printf 'setup: %s\n' "$*"; }

# give_up [PACKAGE...]: prints the one line to type; without packages, for all that is ever
# required.
give_up() {
  [ ! -s build/.apt.log ] || tail -n 5 build/.apt.log >&2
  [ $# -gt 0 ] || set -- g++ make python3-venv python3-dev libfmt-dev libgtest-dev \
    libdeflate-dev libxxhash-dev libaec-dev liblzf-dev liblz4-dev libzstd-dev libblosc-dev libbz2-dev \
    libtbb-dev liblzma-dev libcli11-dev nlohmann-json3-dev
  echo "setup: please type this line, then try again:" >&2
  echo "    sudo apt-get update && sudo apt-get install -y $*" >&2
  exit 1
}

mkdir -p build
exec 9>build/.setup.lock
flock 9
rm -f build/.apt.log

# --- native packages -----------------------------------------------------------------------------
if [ "$(id -u)" = 0 ]; then
  as_root=()
elif sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
else
  as_root=(false)
fi

apt_install() {
  [ "${as_root[*]:-}" != false ] && command -v apt-get >/dev/null || return 1
  say "apt-get install $*"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends)
  "${install[@]}" "$@" >build/.apt.log 2>&1 && return
  # The package lists may be missing or old.
  "${as_root[@]}" apt-get update -qq >build/.apt.log 2>&1 || true
  "${install[@]}" "$@" >build/.apt.log 2>&1
}

# missing HEADER=PACKAGE...: prints the packages whose header the compiler does not find.
missing() {
  local pair
  for pair in "$@"; do
    printf '#if !__has_include(<%s>)\n%s\n#endif\n' "${pair%%=*}" "${pair#*=}"
  done | "${CXX:-g++}" -E -P -x c++ ${python_include:+-I"$python_include"} -
}

require() {
  local packages
  packages=$(missing "$@" | xargs)
  [ -n "$packages" ] || return 0
  # shellcheck disable=SC2086
  apt_install $packages && [ -z "$(missing "$@")" ] && return
  give_up
}

offer() {
  [ -n "$*" ] || return 0
  local tried=$venv/.offered-$(printf '%s' "$*" | cksum | cut -d' ' -f1)
  [ ! -e "$tried" ] || return 0
  apt_install "$@" || say "optional and not installed: sudo apt-get install -y $*"
  touch "$tried"
}

command -v "${CXX:-g++}" >/dev/null || apt_install g++ make || give_up

# --- Python packages -----------------------------------------------------------------------------
version=$("$python" -VV)
# stamp FILE: prints a hash of all that the installation of this file depends on.
stamp() {
  {
    cat "$1" tools/setup.sh
    echo "$version $venv"
  } | sha256sum | cut -d' ' -f1
}
install() {
  say "installing $1"
  # Python compiles the modules that are imported, which are few.
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-input --no-compile -r "$1"
}
wanted=$(stamp tools/requirements.txt)
if [ "$(cat "$venv/.stamp" 2>/dev/null)" != "$wanted" ]; then
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    apt_install python3-venv || give_up
  fi
  # A venv of another Python, or one that was moved, is of no use.
  if [ "$("$venv/bin/python" -VV 2>/dev/null)" != "$version" ] ||
    ! grep -qsF "$venv/bin/" "$venv/bin/pip"; then
    say "making .venv"
    "$python" -m venv --clear "$venv"
  fi
  install tools/requirements.txt

  # The checkout's own Python sources, importable and runnable without an install.
  site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  printf '%s\n' "$PWD/python" "$PWD/cli" "$PWD/bench" "$PWD/tools/dev" 'import onecast_dev' \
    >"$site/onecast_dev.pth"
  printf '%s\n' "#!$venv/bin/python" 'import sys' '' 'from onecast_cli.main import main' '' \
    'sys.exit(main())' >"$venv/bin/onecast"
  chmod +x "$venv/bin/onecast"
  "$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("include"))' >"$venv/.include"
  rm -f "$venv"/.offered-*
  echo "$wanted" >"$venv/.stamp"
fi
python_include=$(cat "$venv/.include")
for need in test lint docs release; do
  needs $need || continue
  wanted=$(stamp tools/requirements-$need.txt)
  [ "$(cat "$venv/.stamp-$need" 2>/dev/null)" != "$wanted" ] || continue
  install tools/requirements-$need.txt
  echo "$wanted" >"$venv/.stamp-$need"
done

# install_apart NAME [OPTION...]: installs the packages of requirements-NAME.txt in .venv/NAME, with
# these options of pip.
install_apart() {
  local name=$1 wanted
  shift
  wanted=$(sha256sum <"tools/requirements-$name.txt" | cut -d' ' -f1)
  [ "$(cat "$venv/$name/.stamp" 2>/dev/null)" != "$wanted" ] || return 0
  say "installing tools/requirements-$name.txt"
  rm -rf "${venv:?}/$name"
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-input "$@" \
    --prefix "$venv/$name" -r "tools/requirements-$name.txt" || return
  echo "$wanted" >"$venv/$name/.stamp"
}
if needs root; then install_apart root; fi
# Some of these packages ship their tests only with their sources.
if needs suites; then
  # The list is complete. pip would remove other versions of these packages from .venv.
  install_apart suites --no-deps --ignore-installed
  if [ ! -d "$venv/suites/sources" ]; then
    say "fetching the sources of packages that are tested"
    new=$venv/suites/sources.new
    rm -rf "$new"
    mkdir "$new"
    # shellcheck disable=SC2046
    "$venv/bin/python" -m pip download -q --disable-pip-version-check --no-input --no-deps \
      --no-binary hdmf,hickle,nexusformat,pynwb -d "$new" \
      $(grep -E '^(hdmf|hickle|nexusformat|pynwb)==' tools/requirements-suites.txt)
    for packed in "$new"/*.tar.gz; do
      tar -xzf "$packed" -C "$new" && rm "$packed"
    done
    mv "$new" "$venv/suites/sources"
  fi
fi
if needs hdf5; then
  command -v cargo >/dev/null && tools/hdf5_sources.sh ||
    say "optional and not fetched: the sources of HDF5, which need cargo"
fi
if [ "$MPI" = mpich ] || [ "$MPI" = impi ]; then
  install_apart mpich
  if [ "$MPI" = impi ]; then install_apart impi || say "Intel MPI cannot be installed: its tests are left out"; fi
elif [ "$MPI" != none ] && [ ! -x "${MPICC:-}" ]; then
  [ "$MPI" = system ] && apt_install libopenmpi-dev openmpi-bin || {
    echo "setup: MPI=$MPI: no mpicc there" >&2
    exit 1
  }
fi

# --- native libraries ----------------------------------------------------------------------------
require Python.h=python3-dev fmt/format.h=libfmt-dev gtest/gtest.h=libgtest-dev \
  libdeflate.h=libdeflate-dev xxhash.h=libxxhash-dev libaec.h=libaec-dev liblzf/lzf.h=liblzf-dev lz4.h=liblz4-dev \
  zstd.h=libzstd-dev blosc.h=libblosc-dev bzlib.h=libbz2-dev \
  tbb/task_arena.h=libtbb-dev lzma.h=liblzma-dev CLI/CLI.hpp=libcli11-dev nlohmann/json.hpp=nlohmann-json3-dev

# Comparisons need parallel HDF5 and its tools, PnetCDF, CGNS and a system call counter; lab/ needs FUSE; the
# Fortran modules need the compiler. Compilers and libraries are installed from the start, since
# CMake looks for them once.
optional=$(
  missing hdf5/openmpi/hdf5.h=libhdf5-openmpi-dev pnetcdf.h=libpnetcdf-dev cgnslib.h=libcgns-dev \
    fuse3/fuse_lowlevel.h=libfuse3-dev
  command -v fusermount3 >/dev/null || echo fuse3
  command -v gfortran >/dev/null || echo gfortran
  if needs test; then
    command -v h5dump >/dev/null || echo hdf5-tools
    command -v strace >/dev/null || echo strace
    command -v valgrind >/dev/null || echo valgrind
    command -v cgnslist >/dev/null || echo cgns-convert
    command -v abidw >/dev/null || echo abigail-tools
  fi
)
# shellcheck disable=SC2086
offer $(echo $optional)

if needs docs && ! command -v doxygen >/dev/null; then
  apt_install doxygen || give_up doxygen
fi

if needs debian; then
  debian_tools="dpkg-dev lintian debootstrap"
  # shellcheck disable=SC2086
  dpkg-query -W $debian_tools >/dev/null 2>&1 || apt_install $debian_tools || give_up $debian_tools
  if ! dpkg-checkbuilddeps packaging/debian/control 2>/dev/null; then
    "${as_root[@]}" apt-get build-dep -y -qq --no-install-recommends ./packaging >build/.apt.log 2>&1 || {
      echo "setup: please type: sudo apt-get build-dep ./packaging" >&2
      exit 1
    }
  fi
fi

if needs fuzz && ! tools/find_clang.sh >/dev/null; then
  for version in 19 18 17 16; do
    apt_install "clang-$version" "libclang-rt-$version-dev" "llvm-$version" && break
  done
  tools/find_clang.sh >/dev/null || give_up clang-19 libclang-rt-19-dev llvm-19
fi
