"""The emulated striped file system: its counters, its bytes, and its complete removal"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, str(ROOT / "lab" / "run.py")]
INSIDE = [sys.executable, str(Path(__file__).parent / "inside.py")]


def run_lab(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([*RUN, *arguments], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    "name",
    [
        "sequential",
        "interleaved",
        "cyclic",
        "domains",
        "partial",
        "layout",
        "pool",
        "progressive",
        "scattered",
        "any_calls",
        "names",
        "locks",
        "hdf5",
        "no_shared_mapping",
    ],
)
def test_inside(name):
    done = run_lab("--nodes", "8", "--osts", "4", "--once", "--", *INSIDE, name)
    assert done.returncode == 0, done.stderr


def test_clients_that_compete():
    done = run_lab("--nodes", "8", "--latency", "300", "--once", "--", *INSIDE, "competing")
    assert done.returncode == 0, done.stderr


def test_strict_layout():
    options = ["--nodes", "2", "--strict-layout", "1", "--once"]
    done = run_lab(*options, "--", *INSIDE, "strict_layout")
    assert done.returncode == 0, done.stderr


def test_balance_over_time():
    program = [sys.executable, str(Path(__file__).with_name("inside_balance.py"))]
    options = ["--nodes", "2", "--osts", "3", "--bandwidth", "20"]
    done = run_lab(*options, "--once", "--", *program)
    assert done.returncode == 0, done.stderr
    assert "busy for 50.0 ms" in done.stderr
    assert "balance 0.33: the share of the OSTs that were busy" in done.stderr


def test_writes_that_are_sent_at_once():
    done = run_lab("--nodes", "1", "--sync", "1", "--once", "--", *INSIDE, "always_at_once")
    assert done.returncode == 0, done.stderr


def test_files_that_are_there_before(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
    put = ["--put", str(tmp_path / "one"), "--put", str(tmp_path / "two")]
    script = 'cat "$ONECAST_LAB/one" "$ONECAST_LAB/two"'
    done = run_lab("--nodes", "2", *put, "--once", "--quiet", "--", "sh", "-c", script)
    assert (done.returncode, done.stdout) == (0, "onetwo"), done.stderr
    done = run_lab("--put", str(tmp_path / "three"), "--once", "--", "true")
    assert done.returncode == 1
    assert "--put" in done.stderr and "three" in done.stderr


def test_objects_in_a_directory(tmp_path):
    store = ["--store", str(tmp_path), "--osts", "3", "--stripe-size", "64k"]
    script = 'yes | head -c 200000 >"$ONECAST_LAB/f"; find ' + str(tmp_path) + " -type f -size +0"
    done = run_lab("--nodes", "1", *store, "--once", "--quiet", "--", "sh", "-c", script)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == 3


def test_latency_takes_time():
    script = (
        'for i in 1 2 3 4 5; do dd if=/dev/zero of="$ONECAST_LAB/f" bs=4k count=1 conv=fsync; done'
    )
    began = time.monotonic()
    done = run_lab("--nodes", "1", "--latency", "50000", "--once", "--", "sh", "-c", script)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began > 5 * 2 * 0.05


@pytest.mark.parametrize(
    "arguments",
    [["--osts", "0"], ["--stripe-size", "1000"], ["--latency", "x"], ["--none", "1"], ["--osts"]],
)
def test_bad_options(arguments):
    done = run_lab("--nodes", "1", *arguments, "--once", "--", "true")
    assert done.returncode == 1
    assert arguments[0] in done.stderr


# --- MPI -----------------------------------------------------------------------------------------
@pytest.fixture
def mpiio():
    build = os.environ.get("ONECAST_BUILD_DIR")
    program = Path(build or "none") / "lab" / "lab_mpiio"
    if not program.is_file():
        pytest.skip("lab_mpiio is not built (no MPI, or no ONECAST_BUILD_DIR)")
    if not (os.environ.get("MPIEXEC") or shutil.which("mpiexec")):
        pytest.skip("no mpiexec")
    return str(program)


@pytest.mark.parametrize("method", ["independent", "collective"])
def test_mpiio(mpiio, tmp_path, monkeypatch, method):
    """Ranks see the given number of nodes, and each other's bytes."""
    monkeypatch.setenv("MPIIO_CHECK", "1")
    told = tmp_path / "counters"
    done = run_lab(
        *("--nodes", "3", "--ranks", "6", "--json", str(told), "--"),
        *(mpiio, "{lab}/file", "12", "64", method),
    )
    assert done.returncode == 0, done.stderr
    assert "6 ranks on 3 nodes" in done.stdout
    total = json.loads(told.read_text())["total"]
    assert total["write_bytes"] >= 12 << 20
    assert total["write_rpcs"] >= 12


KILL_ONE = """
"$0" {lab}/file 12 64 independent &
if [ "$(hostname)" = node1 ]; then
  until [ -s {lab}/file ]; do sleep 0.02; done
  kill -9 $!
fi
# A number is no death to all kinds of mpiexec.
wait $! || kill -9 $$
"""


def test_a_rank_that_is_killed(mpiio):
    """A rank is killed in the middle of its work: mpiexec ends the others, and its status is
    returned."""
    options = ["--nodes", "2", "--latency", "100000"]
    done = run_lab(*options, "--", "sh", "-c", KILL_ONE, mpiio)
    assert done.returncode != 0


# --- nothing stays -------------------------------------------------------------------------------
def with_marker(marker: str) -> list[int]:
    """Returns the processes that have `marker` in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker.encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def wait_until(condition, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("launch", ["once", "mpi"])
def test_a_run_that_is_killed(mpiio, tmp_path, how, launch):
    marker = uuid.uuid4().hex
    # The program ignores a polite request.
    script = f"trap '' TERM INT; touch {tmp_path}/up; while :; do sleep 1; done # {marker}"
    options = ["--nodes", "2", "--store", f"{tmp_path}/{marker}"]
    options += ["--once"] if launch == "once" else []
    run = subprocess.Popen([*RUN, *options, "--", "sh", "-c", script], stderr=subprocess.DEVNULL)
    wait_until((tmp_path / "up").exists)
    assert len(with_marker(marker)) >= 4  # this test, the sandbox, the server, the program
    run.send_signal(how)
    assert run.wait(20) != 0
    wait_until(lambda: not with_marker(marker))
    assert "onecast_lab" not in Path("/proc/self/mounts").read_text()


@pytest.mark.parametrize("launch", ["once", "mpi"])
def test_a_server_that_is_killed(mpiio, launch):
    options = ["--once"] if launch == "once" else []
    done = run_lab("--nodes", "2", *options, "--", *INSIDE, "kill_server")
    assert done.returncode == 1
    assert "onecast_lab ended" in done.stderr
    assert "onecast_lab" not in Path("/proc/self/mounts").read_text()
