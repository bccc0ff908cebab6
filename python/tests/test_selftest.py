"""`python -m onecast.selftest` tells what works on a machine."""

import os
import subprocess
import sys

import pytest
from on_ranks import mpiexec

import onecast
from onecast import _selftest_checks, selftest


@pytest.fixture
def told(tmp_path, capsys):
    """told(ranks) runs the test in an empty folder. Returns its exit status and what it prints."""

    def told(ranks=None):
        status = selftest.run(tmp_path, ranks)
        assert list(tmp_path.iterdir()) == []
        return status, capsys.readouterr().out

    return told


def lines_with(label, text):
    return [line for line in text.splitlines() if line.startswith(label)]


def test_alone(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    status, text = told()
    assert status == 0
    assert "mpi4py is not installed" in text or not onecast.have_mpi
    # Nothing is said of a rank that leaves the others.
    assert len(lines_with("ok", text)) == len(_selftest_checks.ON_RANKS) - 1
    assert "no stripes are known" in text
    assert "deflate" in lines_with("codecs", text)[0]
    # Who asks for ranks wants them.
    assert told(2)[0] == 1


def test_stripes_are_told(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    monkeypatch.setenv("ONECAST_PRETEND_STRIPES", "65536:4")
    status, text = told()
    assert status == 0
    assert "stripes of 65536 bytes" in text


def test_a_failure_is_told(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)

    def fails(folder, comm):
        raise OSError("on purpose")

    monkeypatch.setitem(_selftest_checks.ON_RANKS, "open it, read all", fails)
    status, text = told()
    assert status == 1
    assert lines_with("FAILED", text) == [
        "FAILED   1 rank: open it, read all: rank 0: OSError: on purpose"
    ]
    assert "something FAILED" in lines_with("result", text)[0]


def test_a_codec_that_is_missing_is_told(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    known = [k._replace(decodes=k.name != "zstd") for k in onecast.known_filters()]
    monkeypatch.setattr(_selftest_checks, "known_filters", lambda: known)
    status, text = told()
    assert status == 1
    assert "codec zstd (built without its library)" in text


def test_a_plugin_that_only_reads_is_no_failure(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    known = [k._replace(encodes=k.encodes and k.name != "zstd") for k in onecast.known_filters()]
    monkeypatch.setattr(_selftest_checks, "known_filters", lambda: known)
    status, text = told()
    assert status == 0
    assert "zstd (reads)" in lines_with("codecs", text)[0]


def test_a_folder_without_permission(tmp_path, capsys):
    assert selftest.run(tmp_path / "absent") == 1
    assert "No such file or directory" in capsys.readouterr().out


@pytest.mark.ranks
def test_it_starts_ranks(told):
    mpiexec(2)
    status, text = told(2)
    assert status == 0, text
    assert len(lines_with("MPI", text)) == 1
    assert "2 on 1 node" in text
    for name in _selftest_checks.ON_RANKS:
        assert f"2 ranks: {name}" in text
    assert "FAILED" not in text


@pytest.mark.ranks
@pytest.mark.parametrize("ranks", [1, 3])
def test_it_works_as_it_is_started(ranks, tmp_path):
    command = [*mpiexec(ranks), sys.executable, "-m", "onecast.selftest", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{ranks} on 1 node" in done.stdout
    assert done.stdout.count("result") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.ranks
def test_without_mpiexec(told, monkeypatch):
    mpiexec(1)
    monkeypatch.delenv("MPIEXEC")
    monkeypatch.setattr(selftest.shutil, "which", lambda *_, **__: None)
    status, text = told()
    assert status == 0
    assert "no mpiexec is beside this Python or in PATH" in text
    assert told(2)[0] == 1


@pytest.mark.ranks
def test_mpiexec_of_another_mpi(told, monkeypatch, tmp_path_factory):
    mpiexec(1)
    other = tmp_path_factory.mktemp("other") / "mpiexec"
    other.write_text('#!/bin/sh\nshift 2\n"$@" & "$@"\nwait\n')
    other.chmod(0o755)
    monkeypatch.setenv("MPIEXEC", str(other))
    monkeypatch.delenv("MPIEXEC_FLAGS", raising=False)
    status, text = told(2)
    assert status == 1
    assert "each of them is alone" in text
    assert len(lines_with("FAILED", text)) == 1


@pytest.mark.ranks
def test_mpi4py_without_mpi(tmp_path):
    mpiexec(1)
    command = [sys.executable, "-m", "onecast.selftest", tmp_path]
    environment = os.environ | {"MPI4PY_LIBMPI": "/absent/libmpi.so"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "finds no MPI that works" in done.stdout
