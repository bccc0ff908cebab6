#!/bin/sh
# The packages that an installed Onecast needs when it runs, in an image of Debian. Its libraries
# work with another MPI, too, such as that of a cluster.
set -eu
apt-get update
apt-get install -y --no-install-recommends libaec0 libblosc1 libbz2-1.0 libdeflate0 libfmt9 \
  libgfortran5 liblz4-1 liblzf1 liblzma5 libtbb12 libxxhash0 libzstd1 openmpi-bin python3 \
  python3-click python3-mpi4py python3-numpy python3-rich
rm -rf /var/lib/apt/lists/*
