#!/usr/bin/env python3
"""Runs a program on several emulated nodes that share an emulated striped file system.

    lab/run.py --nodes 8 --osts 4 -- PROGRAM {lab}/file ...

Rank i runs on node i modulo the number of nodes. {lab} in the program's arguments, and $ONECAST_LAB
in its environment, is the path of the file system. The counters come at the end, on stderr.
Options that are not listed below go to onecast_lab: see onecast_lab --help.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import report
import sandbox

HERE = Path(__file__).resolve().parent
# The path is the same for every run: each has its own mounts, and sees its own.
BASE = Path(os.environ.get("ONECAST_LAB_BASE", "/tmp/onecast-lab"))
NODES, COMMON, TEMPORARY = BASE / "nodes", BASE / "fs", BASE / "tmp"
STOP_SECONDS = 2


class LabError(Exception):
    """The run cannot go on; the text says why."""


class Stopped(Exception):
    """A signal asked the run to end."""


def find_server() -> Path | None:
    builds = [Path(chosen)] if (chosen := os.environ.get("ONECAST_BUILD_DIR")) else []
    builds += sorted(HERE.parent.glob("build/*"), key=lambda path: -path.stat().st_mtime)
    found = (build / "lab" / "onecast_lab" for build in builds)
    return next((path for path in found if path.is_file()), None)


def obstacle() -> str | None:
    """Returns why no lab can be run here; None if it can."""
    if find_server() is None:
        return "onecast_lab is not built; it needs libfuse3-dev (apt), then `make build`"
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
    except OSError as error:
        return f"/dev/fuse: {error.strerror}"
    return sandbox.possible()


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="lab/run.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=8, help="client nodes (8)")
    parser.add_argument("--ranks", type=int, help="ranks (as many as nodes)")
    parser.add_argument(
        "--once",
        action="store_true",
        help="no mpiexec: the program runs once, the mounts of all nodes are in\n"
        "$ONECAST_LAB_NODES/0.., and lab/on_node NUMBER COMMAND runs on one of them",
    )
    parser.add_argument(
        "--put",
        action="append",
        default=[],
        metavar="FILE",
        help="is copied into the file system, by the last node, before the program starts;\n"
        "also more than one",
    )
    parser.add_argument("--json", metavar="FILE", help="the counters go there, as JSON")
    parser.add_argument("--quiet", action="store_true", help="no table at the end")
    parser.add_argument("--check", action="store_true", help="only tell whether it works here")
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options, options.model = parser.parse_known_args(arguments[:split])
    options.program = arguments[split + 1 :]
    options.ranks = options.ranks or options.nodes
    if not options.check and not options.program:
        parser.error("no program: ... -- PROGRAM ARGUMENTS")
    if options.nodes < 1 or options.ranks < 1:
        parser.error("--nodes and --ranks are at least 1")
    return options


def mpi_command(options: argparse.Namespace, environment: dict[str, str]) -> list[str]:
    """Returns the command of mpiexec with on_node in place of ssh; sets its variables in
    `environment`."""
    mpiexec = environment.get("MPIEXEC") or shutil.which("mpiexec")
    if not mpiexec:
        raise LabError("no mpiexec: set MPIEXEC, or use --once")
    version = subprocess.run([mpiexec, "--version"], capture_output=True, text=True).stdout
    agent = str(HERE / "on_node")
    hosts = [f"node{number}" for number in range(options.nodes)]
    environment["ONECAST_LAB_AGENT"] = "1"
    if "HYDRA" in version or "mpich" in version.lower():
        start = ["-launcher", "ssh", "-launcher-exec", agent, "-iface", "lo"]
        start += ["-hosts", ",".join(hosts), "-ppn", "1"]
    elif "Open MPI" in version or "OpenRTE" in version:
        # All addresses of this machine are the same "node" to the launcher, so the names of our
        # nodes must have none. Messages between nodes go over the loopback interface.
        environment["PRTE_MCA_plm_ssh_agent"] = environment["OMPI_MCA_plm_rsh_agent"] = agent
        environment["PRTE_MCA_plm_ssh_no_tree_spawn"] = "1"
        environment["OMPI_MCA_plm_rsh_no_tree_spawn"] = "1"
        environment["OMPI_MCA_btl_tcp_if_include"] = "lo"
        environment["OMPI_MCA_btl_sm_backing_directory"] = "/dev/shm"  # each node has its own
        # MPI assumes that every node has its own processors.
        environment["OMPI_MCA_mpi_yield_when_idle"] = "1"
        slots = -(-options.ranks // options.nodes)
        start = ["--allow-run-as-root", "--bind-to", "none", "--map-by", "node:OVERSUBSCRIBE"]
        start += ["--host", ",".join(f"{host}:{slots}" for host in hosts)]
    else:
        raise LabError(f"{mpiexec}: neither Open MPI nor MPICH")
    return [mpiexec, *start, "-n", str(options.ranks)]


def start_server(options: argparse.Namespace) -> subprocess.Popen:
    BASE.mkdir(parents=True, exist_ok=True)
    sandbox.mount("lab", str(BASE), "tmpfs", 0, "mode=755")
    mounts = [NODES / str(number) for number in range(options.nodes)]
    for folder in (COMMON, TEMPORARY, *mounts):
        folder.mkdir(parents=True)
    TEMPORARY.chmod(0o1777)
    server = subprocess.Popen(
        [str(find_server()), *options.model, *map(str, mounts)],
        stdout=subprocess.PIPE,
        preexec_fn=sandbox.die_with_parent,
    )
    if server.stdout.readline() != b"ready\n":
        raise LabError("onecast_lab did not start")
    sandbox.bind(str(mounts[0]), str(COMMON))
    return server


def put_files(options: argparse.Namespace) -> None:
    """Copies files from the last node, so that the first, which often reads for all, has no
    copy."""
    try:
        for file in options.put:
            shutil.copy(file, NODES / str(options.nodes - 1))
    except OSError as error:
        raise LabError(f"--put: {error}") from None


def start_program(options: argparse.Namespace) -> subprocess.Popen:
    environment = dict(os.environ)
    environment["ONECAST_LAB"] = str(COMMON)
    environment["ONECAST_LAB_NODES"] = str(NODES)
    environment["TMPDIR"] = str(TEMPORARY)
    command = [] if options.once else mpi_command(options, environment)
    command += [word.replace("{lab}", str(COMMON)) for word in options.program]
    try:
        return subprocess.Popen(command, env=environment, preexec_fn=sandbox.die_with_parent)
    except OSError as error:
        raise LabError(f"{command[0]}: {error.strerror}") from None


def wait(program: subprocess.Popen, server: subprocess.Popen) -> int:
    """Returns the program's exit status. If the server ends first, ends the program."""
    while program.poll() is None:
        if server.poll() is not None:
            raise LabError(f"onecast_lab ended with status {server.returncode}")
        try:
            program.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    return program.returncode


def stop(process: subprocess.Popen | None) -> None:
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def tell(options: argparse.Namespace) -> None:
    text = (NODES / "0" / ".lab" / "counters").read_text()
    if options.json:
        Path(options.json).write_text(text)
    if not options.quiet:
        print(report.table(json.loads(text)), file=sys.stderr, flush=True)


def inside(options: argparse.Namespace) -> int:
    """Does the whole run, as the first process of its sandbox."""

    def asked(number, _frame):
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, asked)
    server = program = None
    try:
        server = start_server(options)
        put_files(options)
        program = start_program(options)
        status = wait(program, server)
        tell(options)
        return status if status >= 0 else 128 - status
    except Stopped as stopped:
        return 128 + stopped.args[0]
    except (LabError, sandbox.SandboxError) as error:
        print(f"lab: {error}", file=sys.stderr, flush=True)
        return 1
    finally:
        stop(program)
        stop(server)
        sys.stdout.flush()


def main() -> int:
    options = parse(sys.argv[1:])
    reason = obstacle()
    if reason or options.check:
        print(f"lab: {reason}" if reason else "lab: all is there", file=sys.stderr)
        return 1 if reason else 0
    try:
        return sandbox.run_inside(lambda: inside(options))
    except sandbox.SandboxError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
