"""Usage, errors, exit codes"""

import sys

import h5py
import pytest


def test_version(onecast):
    result = onecast("--version")
    assert result.code == 0
    assert result.out.startswith("onecast ")


def test_help(onecast):
    result = onecast("--help")
    assert result.code == 0
    for command in ("ls", "dump", "diff", "check", "stat", "explain"):
        assert command in result.out


@pytest.mark.parametrize(
    "arguments", [["frobnicate"], ["ls"], ["ls", "--what", "x"], ["stat", "a", "b"]], ids=str
)
def test_wrong_usage(onecast, arguments):
    result = onecast(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert "Usage:" in result.err


@pytest.mark.parametrize("command", ["ls", "dump", "stat"])
def test_errors_are_one_line(onecast, tmp_path, path, command):
    for name, content in (("missing.h5", None), ("broken.h5", b"no HDF5" * 100), ("empty.h5", b"")):
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        result = onecast(command, file)
        assert result.code == 1
        assert result.out == ""
        assert result.err.startswith(f"onecast: {file}: ")
        assert result.err.count("\n") == 1
        assert result.err.count(str(file)) == 1


def test_directory(onecast, tmp_path):
    result = onecast("ls", tmp_path)
    assert result.code == 1
    assert result.err.startswith(f"onecast: {tmp_path}: ")


def test_missing_object(onecast, path):
    h5py.File(path, "w").close()
    for arguments in (["ls", f"{path}/no/such"], ["dump", path, "/no/such"]):
        result = onecast(*arguments)
        assert result.code == 1
        assert "no" in result.err
        assert result.err.count("\n") == 1


def test_exit_codes_reach_the_shell(onecast_process, path):
    assert onecast_process("ls", path).code == 1
    assert onecast_process("ls").code == 2
    h5py.File(path, "w").close()
    assert onecast_process("ls", path).code == 0


def test_ls_starts_without_what_it_does_not_need(onecast_process, path):
    h5py.File(path, "w").close()
    import subprocess

    program = (
        "import sys; from onecast_cli.main import main; main(); "
        "print([m for m in ('rich', 'matplotlib', 'mpi4py', 'onecast_bench') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "ls", path], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_recover(onecast, path):
    with h5py.File(path, "w") as f:
        f["x"] = 1
    result = onecast("recover", path)
    assert result.code == 0
    assert result.out == f"{path}: nothing to do: no flush was under way\n"
    result = onecast("recover", path.with_name("missing.h5"), path)
    assert result.code == 1
    assert "missing.h5" in result.err
    with h5py.File(path, "r+"):
        locked = onecast("recover", path)
    assert locked.code == 1
    assert "open elsewhere, for writing" in locked.err


@pytest.mark.leaves_damage
def test_recover_without_a_journal(onecast, path):
    with h5py.File(path, "w", libver="latest"):
        pass
    content = bytearray(path.read_bytes())
    content[8] = 255
    path.write_bytes(content)
    result = onecast("recover", path)
    assert result.code == 1
    assert "a flush was under way" in result.err
    assert path.read_bytes() == content
