#!/bin/sh
# The steps that build Onecast in an image of Debian: build.sh PREFIX, in the folder of the sources.
# nanobind, which Debian 12 lacks, comes from the package index of Python.
set -eu
prefix=$1
apt-get update
apt-get install -y --no-install-recommends cmake g++ gcc gfortran libaec-dev libblosc-dev \
  libbz2-dev libcli11-dev libdeflate-dev libfmt-dev liblz4-dev liblzf-dev liblzma-dev \
  libopenmpi-dev libtbb-dev libxxhash-dev libzstd-dev ninja-build nlohmann-json3-dev python3-dev \
  python3-pip python3-venv
python3 -m venv /tmp/build-venv
/tmp/build-venv/bin/pip install --no-cache-dir "nanobind>=3.1"
packaging/build.sh "$prefix" -DONECAST_ALL_CODECS=ON -DPython_EXECUTABLE=/usr/bin/python3 \
  "-Dnanobind_DIR=$(/tmp/build-venv/bin/python -m nanobind --cmake_dir)"
