#!/usr/bin/env bash
# Builds into dist/ the archive of the sources (sdist) and, from it, wheels: one for the stable ABI
# of CPython 3.12 and later, one for CPython 3.11. Each needs a Python of its kind on this machine;
# a kind without one is left out with a message. Wheels contain the libraries that they use, and no
# MPI, since Onecast uses that of mpi4py.
#   tools/wheel.sh
# PYTHONS="/path/python3.12 ..." names Pythons that are not in PATH (tools/find_pythons.sh).
set -euo pipefail
unset MPI MPICC MPIEXEC
# The compilers that CMake would choose; else those of Python are taken.
export CC=${CC:-cc} CXX=${CXX:-c++}
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
# MPI compilers of .venv take no part.
PATH=${PATH//"$ONECAST_ROOT/.venv/bin:"/}
work=$ONECAST_ROOT/build/wheel
# Debian's archives of the other codecs have objects that depend on their position (bz2) or need more
# libraries (blosc), or there is none (lzf): auditwheel copies their shared libraries, and those of
# fmt, oneTBB and xxHash.
static_codecs="deflate;aec;lz4;zstd;lzma"
# The Debian packages whose code gets into a wheel.
packages=(libfmt-dev libxxhash-dev libdeflate-dev libaec-dev liblzf-dev liblz4-dev libzstd-dev
  libblosc-dev libbz2-dev liblzma-dev libtbb-dev nlohmann-json3-dev)

say() { printf 'wheel: %s\n' "$*"; }
give_up() {
  printf 'wheel: %s\n' "$*" >&2
  exit 1
}

# environment KIND: prepares an environment for the tools with the Python of this kind.
environment() {
  local folder=$work/env-$1 wanted
  wanted=$({
    "${pythons[$1]}" -VV
    cat tools/requirements.txt tools/requirements-test.txt tools/requirements-wheel.txt
  } | sha256sum)
  [ "$(cat "$folder/.stamp" 2>/dev/null)" != "$wanted" ] || return 0
  say "preparing $folder with ${pythons[$1]}"
  "${pythons[$1]}" -m venv --clear "$folder"
  "$folder/bin/python" -m pip install -q --disable-pip-version-check --no-input \
    -r tools/requirements-wheel.txt
  echo "$wanted" >"$folder/.stamp"
}

# backend KIND CALL [NAME=VALUE...]: makes a call of the build system in the current folder, with
# these variables of CMake as `defined`.
backend() {
  local call=$2
  PATH="$work/env-$1/bin:$PATH" python -c "
import sys
from scikit_build_core.build import build_sdist, build_wheel
defined = dict(option.split('=', 1) for option in sys.argv[1:])
$call" "${@:3}"
}

# make_sdist KIND: makes the archive, and unpacks it in $source.
make_sdist() {
  rm -rf dist/onecast-*.tar.gz "$work"/source
  backend "$1" 'build_sdist("dist")'
  mkdir -p "$work/source"
  tar -xzf dist/onecast-*.tar.gz -C "$work/source"
  source=$(echo "$work"/source/onecast-*)
}

# copied_packages: prints the Debian packages whose code gets into a wheel: those above, and what
# their libraries need, without those that every Linux has.
copied_packages() {
  local library
  printf '%s\n' "${packages[@]}"
  for library in $(dpkg -L "${packages[@]}" | grep -E '\.so$' |
    grep -vE 'libsz|tbb(bind|malloc)' | xargs ldd 2>/dev/null |
    sed -nE 's/.*=> (\/\S+).*/\1/p' | sort -u); do
    # Packages name files in /lib or in /usr/lib, which are one folder.
    dpkg -S "*/${library##*/}" 2>/dev/null | head -n 1 | cut -d: -f1 || true
  done | sort -u | grep -vE '^(libc6.*|libgcc-s1|libstdc\+\+6|zlib1g)$' || true
}

# gather_licenses FOLDER KIND: copies the license texts of what gets into a wheel.
gather_licenses() {
  local package library
  mkdir -p "$1"
  for package in $(copied_packages); do
    cp -L "/usr/share/doc/$package/copyright" "$1/$package" 2>/dev/null ||
      give_up "the license text of $package is missing: apt-get install --reinstall $package"
  done
  library=$("$work/env-$2/bin/python" -c 'import nanobind; print(nanobind.__path__[0])')
  cp "$library"-*.dist-info/licenses/LICENSE "$1/nanobind"
  sed '/\*\//q' "$library/ext/robin_map/include/tsl/robin_map.h" >"$1/robin_map"
}

# try_wheel KIND WHEEL: with nothing of the checkout, on one process.
try_wheel() {
  local folder=$work/tried-$1
  rm -rf "$folder"
  "$work/env-$1/bin/python" -m pip install -q --disable-pip-version-check --no-input \
    -c tools/requirements.txt --target "$folder" "$2"
  (cd "$folder" && PYTHONPATH=$folder "$work/env-$1/bin/python" -m onecast.selftest)
}

# make_wheel KIND: builds the wheel, and copies into it the libraries that it needs.
make_wheel() {
  local folder=$work/made-$1 made
  rm -rf "$folder" "$work/licenses-$1"
  gather_licenses "$work/licenses-$1" "$1"
  . tools/ccache_env.sh "$source"
  # The flags are those of `make build`, and no MPI is needed.
  (
    cd "$source"
    backend "$1" "
settings = {f'cmake.define.{name}': value for name, value in defined.items()}
build_wheel('$folder', {'build-dir': 'build/$1', **settings})" \
      ONECAST_WERROR=ON ONECAST_EVENTS=ON ONECAST_ALL_CODECS=ON CMAKE_DISABLE_FIND_PACKAGE_MPI=ON \
      "ONECAST_STATIC_CODECS=$static_codecs" "ONECAST_LICENSES=$work/licenses-$1" \
      "${ccache_options[@]#-D}"
  )
  made=$(echo "$folder"/*.whl)
  PATH="$work/env-$1/bin:$PATH" auditwheel repair --only-plat -w "$folder/repaired" "$made"
  mkdir -p dist
  rm -f dist/onecast-*-"$1"-*.whl
  made=$(echo "$folder"/repaired/*.whl)
  "$work/env-$1/bin/auditwheel" show "$made"
  try_wheel "$1" "$made"
  cp "$made" dist/
}

declare -A pythons=()
while read -r kind python; do
  pythons[$kind]=${pythons[$kind]:-$python}
done < <(tools/find_pythons.sh)
[ ${#pythons[@]} -gt 0 ] || give_up "no Python 3.11 or newer with headers and venv is found;" \
  "apt-get install python3-dev python3-venv, or name one: PYTHONS=/path/python3.12 tools/wheel.sh"
# The times in the archives are that of the last commit.
if [ -z "${SOURCE_DATE_EPOCH:-}" ] && time=$(git log -1 --format=%ct 2>/dev/null); then
  export SOURCE_DATE_EPOCH=$time
fi
for each in "${!pythons[@]}"; do environment "$each"; done
make_sdist "${!pythons[@]}"
for each in cp311 cp312-abi3; do
  if [ -n "${pythons[$each]:-}" ]; then
    say "$each with ${pythons[$each]}"
    make_wheel "$each"
  else
    say "$each is left out: no Python for it is found (PYTHONS=/path/python names one)"
  fi
done
say "made:"
ls -l dist/
