#!/usr/bin/env bash
# tools/ccache.sh COMPILER ARGUMENT...: compiles with ccache. A precompiled header is compiled
# without it, since ccache would also take the one of another clone whose headers differ in comments,
# which the compiler then reads a second time. Its checksum is that of the bytes of all its headers
# (CCACHE_PCH_EXTSUM), so that clones with equal headers share the objects that use it.
set -euo pipefail
[[ " $* " = *" c++-header "* ]] || exec ccache "$@"
"$@"
for ((i = 1; i < $#; i++)); do
  case ${!i} in
    -o) i=$((i + 1)) made=${!i} ;;
    -MF) i=$((i + 1)) rules=${!i} ;;
  esac
done
# The first name is that of the target; cmake_pch.hxx has the paths of the clone.
sed -e '1s/^[^:]*://' -e 's/\\$//' "$rules" | xargs printf '%s\n' | grep -v 'cmake_pch\.hxx' |
  xargs -d '\n' cat | sha256sum >"$made.sum"
