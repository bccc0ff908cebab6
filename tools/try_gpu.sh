#!/usr/bin/env bash
# tools/try_gpu.sh [FOLDER]: runs the tests of memory of a device on a machine with a GPU of NVIDIA,
# on its real driver, and compares speeds in FOLDER (default: the folder for temporary files).
# Takes at most 8 minutes after a build of the targets _core, device_tests, onecast_real_cuda and
# onecast_fake_cuda.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/env.sh
. tools/env.sh
export ONECAST_DEVICE_DRIVER=libcuda.so.1
export ONECAST_TEST_DEVICE=$ONECAST_BUILD_DIR/libonecast_real_cuda.so
folder=${1:-${TMPDIR:-/tmp}}
status=0
timeout 150 "$ONECAST_BUILD_DIR/device_tests" --gtest_brief=1 || status=1
timeout 90 python -m pytest -q tests/device || status=1
if python -c 'import torch' 2>/dev/null; then
  # A library of its own: DLPack, streams, and the interface for CUDA.
  timeout 60 python tests/device/with_torch.py "$folder" || status=1
else
  echo "PyTorch is not installed: not tried"
fi
if ! python -c 'import cupy' 2>/dev/null; then
  export PYTHONPATH=$ONECAST_ROOT/tests/device/fake_cupy${PYTHONPATH:+:$PYTHONPATH}
fi
timeout 110 python bench/gpu_speed.py --folder "$folder" || status=1
# By cuFile, if it is installed; without GPUDirect Storage it goes through memory of the process.
timeout 60 python bench/gpu_speed.py --folder "$folder" --gib 2 --device-io direct ||
  echo "cuFile cannot be used: not tried"
exit $status
