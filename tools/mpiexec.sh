#!/usr/bin/env bash
# The mpiexec of Open MPI's wheel, for tests:  tools/mpiexec.sh FLAGS -n RANKS PROGRAM
#
# Ranks of one node share files of /dev/shm, whose names have only 16 bits of the job's identity. Of
# many jobs on one machine, two may take the same files, and then both crash. Here each job has a
# folder of its own, named after its process. The next job removes the empty folders of ended jobs,
# and an hour later what killed jobs have left.
set -euo pipefail
shm=/dev/shm
if [ -w $shm ] && [ -z "${OMPI_MCA_btl_sm_backing_directory:-}" ]; then
  for folder in "$shm"/mpiexec.sh.*; do
    [ ! -d "/proc/${folder##*.}" ] || continue
    rmdir "$folder" 2>/dev/null ||
      find "$folder" -maxdepth 0 -user "$(id -u)" -mmin +60 -exec rm -rf {} + 2>/dev/null || true
  done
  export OMPI_MCA_btl_sm_backing_directory=$shm/mpiexec.sh.$$
  mkdir -p -m 700 "$OMPI_MCA_btl_sm_backing_directory"
fi
exec "$(dirname "${BASH_SOURCE[0]}")/../.venv/bin/mpiexec" "$@"
