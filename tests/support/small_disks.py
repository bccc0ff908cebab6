"""Disks that become full"""

import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest


@contextmanager
def small_file_system(folder, size):
    """Mounts a file system of that size, in the form of mount: 200k, 4m."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a small disk")
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"cannot mount a small disk: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
