#!/usr/bin/env bash
# Debian's packages of Onecast, in build/debian. Building downloads nothing.
#   tools/debian.sh build            builds the packages, and checks them with lintian
#   tools/debian.sh build --quick    the same with the flags of `make build`, whose objects ccache has
#   tools/debian.sh try              installs the packages in a clean root, and runs their tests there
#                                    (as root). debootstrap makes the root once, from the server that
#                                    apt uses here; each run has a copy of it
#   tools/debian.sh root FOLDER      a copy of that root (tests/packaging/build_recipes.py)
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$ONECAST_ROOT"
work=$ONECAST_ROOT/build/debian
version=$(sed -nE 's/^project\(onecast VERSION ([^ ]+).*/\1/p' CMakeLists.txt)
sources=$work/onecast-$version
base=$work/base
root=$work/root

# pack NAME FOLDER: an archive NAME of the folder as Debian's sources have it.
pack() {
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    --exclude=__pycache__ -C "$(dirname "$2")" -cf - "$(basename "$2")" | gzip -n >"$work/$1"
}

# The tracked files of this tree, as they are; nanobind, which Debian 12 lacks, from .venv.
lay_out_sources() {
  local nanobind
  nanobind=$(.venv/bin/python -c 'import nanobind; print(nanobind.__path__[0])')
  rm -rf "$sources" "$work"/*.deb "$work"/onecast_*
  mkdir -p "$sources"
  git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$sources"
  pack "onecast_$version.orig.tar.gz" "$sources"
  pack "onecast_$version.orig-nanobind.tar.gz" "$nanobind"
  tar -xzf "$work/onecast_$version.orig-nanobind.tar.gz" -C "$sources"
  cp -r packaging/debian "$sources/debian"
}

with_cached_objects() {
  export DEB_BUILD_MAINT_OPTIONS=hardening=-all
  export DEB_CFLAGS_SET='' DEB_CXXFLAGS_SET='' DEB_CPPFLAGS_SET='' DEB_LDFLAGS_SET=''
  export ONECAST_WERROR=ON
  . tools/ccache_env.sh "$sources"
  [ ${#ccache_options[@]} != 0 ] || return 0
  export "${ccache_options[@]#-D}"
  # debhelper gives the build a home of its own.
  CCACHE_DIR=$(ccache --get-config cache_dir)
  export CCACHE_DIR
}

build() {
  [ "${1:-}" != --quick ] || with_cached_objects
  lay_out_sources
  # The programs of .venv, such as its mpicc, take no part. Times in the packages are those of
  # packaging/debian/changelog.
  (cd "$sources" && PATH=/usr/sbin:/usr/bin:/sbin:/bin dpkg-buildpackage -us -uc)
  lintian --fail-on error --allow-root "$work"/onecast_*.changes
}

# copy_root FOLDER
copy_root() {
  local root=$1 server codename=bookworm
  if [ ! -e "$base/.complete" ]; then
    server=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT) $(CREATED_BY)' |
      sed -nE "s,^(\S+/debian/?) $codename main Packages$,\1,p" | head -n 1)
    rm -rf "$base"
    debootstrap --variant=minbase "$codename" "$base" "$server"
    touch "$base/.complete"
  fi
  cp -a "$base" "$root"
  mkdir -p "$root/dev/shm"
  # Nobody needs these packages after a power failure.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/quick"
}

in_root() { chroot "$root" env DEBIAN_FRONTEND=noninteractive HOME=/root PATH="$PATH" "$@"; }

# Each test gets the packages that it names, as autopkgtest would do.
try() {
  local name needs
  export PATH=/usr/sbin:/usr/bin:/sbin:/bin
  rm -rf --one-file-system "$root"
  copy_root "$root"
  mount -t proc proc "$root/proc"
  mkdir -p "$root/packages" "$root/sources"
  cp "$work"/*.deb "$root/packages"
  cp -r "$sources/examples" "$sources/debian" "$root/sources"
  in_root apt-get update -qq
  in_root sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb' >"$work/try.log"
  while read -r name needs; do
    in_root sh -c "apt-get install -y -qq --no-install-recommends ${needs//,/}" </dev/null >>"$work/try.log"
    in_root sh -ec "cd /sources && debian/tests/$name" </dev/null
    echo "debian: the test '$name' passes in a clean root"
  done < <(sed -nE '/^Tests: /{s///;h}; /^Depends: /{s///;H;x;s/\n/ /;p}' "$sources/debian/tests/control")
  in_root sh -c 'apt-get purge -y -qq libonecast0 python3-onecast' >>"$work/try.log"
  umount "$root/proc"
  rm -rf --one-file-system "$root"
  echo "debian: all packages are installed, tried and removed"
}

case "${1:-}" in
  build) build "${2:-}" ;;
  root) PATH=/usr/sbin:/usr/bin:/sbin:/bin copy_root "$2" ;;
  try) unshare --mount "$0" try-in-own-mounts ;;
  try-in-own-mounts) try ;;
  *)
    echo "debian: say build, build --quick, try or root FOLDER" >&2
    exit 2
    ;;
esac
