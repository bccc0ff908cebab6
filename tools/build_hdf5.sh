#!/usr/bin/env bash
# Builds HDF5 2.2.0 into the user's cache, for tests/dropin and its benchmarks, and prints its folder.
# The first build takes minutes; it says on stderr how far it is.
#   tools/build_hdf5.sh parallel      with the chosen MPI (see env.sh)
#   tools/build_hdf5.sh threadsafe    without MPI, safe for threads
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/onecast
case ${1:-} in
  parallel)
    [ "$MPI" != none ] || { echo "build_hdf5: it needs an MPI" >&2; exit 2; }
    folder=$cache/hdf5-parallel/2.2.0-$(basename "$MPI")
    kind=(-DCMAKE_C_COMPILER="$MPICC" -DHDF5_ENABLE_PARALLEL=ON)
    ;;
  threadsafe)
    folder=$cache/hdf5-threadsafe/2.2.0
    kind=(-DHDF5_ENABLE_THREADSAFE=ON)
    ;;
  *)
    echo "build_hdf5: parallel or threadsafe?" >&2
    exit 2
    ;;
esac
if [ ! -e "$folder/lib/libhdf5.so" ]; then
  tools/hdf5_sources.sh >&2
  mkdir -p "$folder"
  exec 9>"$folder/.lock"
  flock 9
fi
if [ ! -e "$folder/lib/libhdf5.so" ]; then
  echo "build_hdf5: building HDF5 2.2.0, $1, into $folder" >&2
  build=$(mktemp -d "$folder/.build.XXXXXX")
  trap 'rm -rf "$build"' EXIT
  # The program chooses the MPI: the library names no folder of it.
  cmake -S "$cache/hdf5-sources/hdf5-metno-src-0.10.4/ext/hdf5" -B "$build" -G Ninja \
    "${kind[@]}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder" \
    -DCMAKE_SKIP_INSTALL_RPATH=ON -DBUILD_SHARED_LIBS=ON -DBUILD_STATIC_LIBS=OFF \
    -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_TOOLS=OFF \
    -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_BUILD_FORTRAN=OFF \
    -DHDF5_ENABLE_ZLIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF -DBUILD_TESTING=OFF \
    >"$folder/build.log"
  cmake --build "$build" 2>&1 | tee -a "$folder/build.log" |
    sed -un 's|^\[\([0-9]*0/[0-9]*\)\].*|build_hdf5: \1|p' >&2
  cmake --install "$build" >>"$folder/build.log"
fi
echo "$folder"
