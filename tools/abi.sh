#!/usr/bin/env bash
# Compares the binary interface of libonecast.so with the one that packaging/abi keeps.
#   tools/abi.sh check                        what `make abi` does
#   tools/abi.sh accept                       keeps the interface of this build from now on
#   tools/abi.sh describe LIBRARY HEADERS     prints the description of a library
#   tools/abi.sh compare OLD NEW              compares two descriptions
# New functions, constants and classes are no changes. Other changes fail, unless the soname is
# another one.
set -euo pipefail
. "$(dirname "$0")/env.sh"
kept=$ONECAST_ROOT/packaging/abi/libonecast.abi.xz

# Without paths, locations and the processor, equal interfaces have equal descriptions.
describe() {
  abidw --headers-dir "$2" --drop-private-types --no-corpus-path --no-comp-dir-path \
    --no-show-locs --no-elf-needed --no-architecture --type-id-style hash \
    --suppressions "$ONECAST_ROOT/packaging/abi/public.suppr" "$1"
}

soname() { sed -n "1s/.*soname='\([^']*\)'.*/\1/p" "$1"; }

# abidiff sets bit 4 if there are changes.
compare() {
  local status=0 report
  report=$(abidiff --no-added-syms "$1" "$2") || status=$?
  if [ $((status & ~12)) != 0 ]; then
    printf '%s\n' "$report" >&2
    echo "abi: abidiff failed" >&2
    return 1
  elif [ $status = 0 ]; then
    echo "abi: $(soname "$2") is compatible"
  elif [ "$(soname "$1")" != "$(soname "$2")" ]; then
    printf '%s\n' "$report"
    echo "abi: the soname is $(soname "$2"), no longer $(soname "$1"), so the interface may change"
  else
    printf '%s\n' "$report" >&2
    echo "abi: $(soname "$2") has changed. If only structs that begin with their size grew at their" \
      "end, type 'make abi-accept'; else raise ONECAST_ABI in CMakeLists.txt, too" >&2
    return 1
  fi
}

with_build() {
  if ! command -v abidw >/dev/null; then
    echo "abi: please type: sudo apt-get install -y abigail-tools" >&2
    exit 1
  fi
  if [ "$(uname -m)" != x86_64 ]; then
    echo "abi: left out: the description is that of x86-64"
    exit 0
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  tools/build.sh onecast_abi
  describe "$ONECAST_BUILD_DIR/abi/libonecast.so" include >"$work/new.abi"
}

cd "$ONECAST_ROOT"
case "${1:-}" in
  check)
    with_build
    xz -dc "$kept" >"$work/old.abi"
    compare "$work/old.abi" "$work/new.abi"
    ;;
  accept)
    with_build
    xz -9 -c "$work/new.abi" >"$kept"
    echo "abi: ${kept#"$ONECAST_ROOT/"} is that of this build"
    ;;
  describe) describe "$2" "$3" ;;
  compare) compare "$2" "$3" ;;
  *)
    echo "abi: say check, accept, describe LIBRARY HEADERS or compare OLD NEW" >&2
    exit 2
    ;;
esac
