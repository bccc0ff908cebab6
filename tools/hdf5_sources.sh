#!/usr/bin/env bash
# Puts the sources of several versions of HDF5 into the user's cache: tests/dropin compares the
# plug-in's declarations with their headers. They come from packages of Rust, so cargo is needed.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/onecast/hdf5-sources
# HDF5 1.14.4, 1.14.5, 2.0.0 and 2.2.0.
versions=(0.9.0 0.9.4 0.10.1 0.10.4)
mkdir -p "$cache"
for version in "${versions[@]}"; do
  name=hdf5-metno-src-$version
  [ ! -d "$cache/$name" ] || continue
  new=$(mktemp -d "$cache/.new.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  mkdir "$new/src"
  touch "$new/src/lib.rs"
  cat >"$new/Cargo.toml" <<END
[package]
name = "sources"
version = "0.0.0"
edition = "2021"
[dependencies]
hdf5-metno-src = "=$version"
END
  cargo vendor -q --manifest-path "$new/Cargo.toml" --versioned-dirs "$new/vendor" >/dev/null
  mv "$new/vendor/$name" "$cache/$name"
  rm -rf "$new"
done
