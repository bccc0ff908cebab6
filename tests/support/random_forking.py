"""Random programs of several processes that create, change and remove a few files at the same time,
with threads inside calls, forked processes, and creates that must fail. Everything that a flush or
a close has acknowledged is in the file in the end, unless somebody replaced or removed it later.

As a program: `random_forking.py FOLDER SEED` raises if something was lost.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import signal
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import h5py
import numpy as np

import onecast

PATIENCE = 90  # seconds for a program
LONG_NAME = "n" * 250  # too long for the name of a journal
FILES = ("a.h5", "b.h5", LONG_NAME)


class Ledger:
    """The acts of one process, a line for each act with the times around it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.path = folder / f"{name}.ledger"

    def note(self, began: float, **act: object) -> None:
        line = json.dumps({"began": began, "ended": time.monotonic(), **act})
        with open(self.path, "a") as file:
            file.write(line + "\n")


@contextmanager
def few_descriptors():
    """Leaves so few descriptors free that nothing can be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Busy:
    """Runs threads that are inside calls until it ends."""

    def __init__(self, folder: Path, name: str, count: int) -> None:
        self.ends = threading.Event()
        self.folder, self.name = folder, name
        works = [self.in_memory, self.of_its_own, self.reads]
        self.threads = [
            threading.Thread(target=self.repeat, args=(works[n % 3],), daemon=True)
            for n in range(count)
        ]
        for thread in self.threads:
            thread.start()

    def repeat(self, work) -> None:
        while not self.ends.is_set():
            with suppress(Exception):  # no free descriptor, or changes during a read
                work()
            time.sleep(0.001)

    def in_memory(self) -> None:
        with onecast.File(io.BytesIO(), "w") as f:
            f["x"] = np.arange(2000)

    def of_its_own(self) -> None:
        with onecast.File(self.folder / f"{self.name}.own", "w") as f:
            f.create_dataset("x", data=np.arange(20_000), chunks=(1000,), compression=1)

    def reads(self) -> None:
        with onecast.File(self.folder / FILES[0], locking=False) as f:
            for name in f:
                f[name][()]

    def end(self) -> None:
        self.ends.set()
        for thread in self.threads:
            thread.join(PATIENCE)


class Process:
    """One process of a program."""

    def __init__(self, folder: Path, seed: int, name: str, depth: int = 0) -> None:
        self.folder, self.seed, self.name, self.depth = folder, seed, name, depth
        self.draw = random.Random(f"{seed} {name}")
        self.ledger = Ledger(folder, name)
        self.written = 0
        self.children: list[int] = []

    def run(self) -> None:
        busy = Busy(self.folder, self.name, self.draw.choice([0, 0, 1, 3]))
        for _ in range(self.draw.randint(2, 6)):
            step = self.draw.choices(
                [self.session, self.fails, self.removes, self.forks], [8, 3, 1, 2]
            )[0]
            step()
            time.sleep(self.draw.choice([0, 0, 0.002]))
        busy.end()
        await_all(self.children)

    # --- steps
    def session(self) -> None:
        name = self.draw.choice(FILES)
        mode = self.draw.choice(["w", "w", "x", "a", "r+"])
        options = {"journal": False} if name == LONG_NAME else {}
        flushes = self.draw.randint(0, 2)
        hold = self.draw.choice([0, 0, 0.001, 0.03])
        forks = self.draw.random() < 0.15
        began = time.monotonic()
        try:
            f = onecast.File(self.folder / name, mode, **options)
        except OSError:
            return
        makes = mode in ("w", "x") or (mode == "a" and len(f) == 0)
        self.ledger.note(began, act="made" if makes else "opened", file=name, mode=mode)
        try:
            waiting = []
            for _ in range(flushes):
                waiting.append(self.write(f))
                began = time.monotonic()
                f.flush()
                self.acknowledge(began, name, waiting)
            waiting.append(self.write(f))
            time.sleep(hold)
            if forks:
                self.forks()
            began = time.monotonic()
            f.close()
            self.acknowledge(began, name, waiting)
        except OSError as error:
            # Another process has removed it.
            assert error.errno in (2, 116), error
            with suppress(OSError):
                f.close()

    def write(self, f: onecast.File) -> tuple[str, int]:
        self.written += 1
        name, value = f"{self.name}-{self.written}", self.draw.randrange(1 << 30)
        f[name] = value
        if self.draw.random() < 0.3:
            f.create_dataset(f"{name}-large", data=np.full(5000, value), compression=1)
        return name, value

    def acknowledge(self, began: float, file: str, waiting: list) -> None:
        self.ledger.note(began, act="wrote", file=file, what=list(waiting))
        waiting.clear()

    def fails(self) -> None:
        """Makes creates that must fail."""
        way = self.draw.choice(["long name", "option", "descriptors"])
        file = LONG_NAME if way == "long name" else self.draw.choice(FILES)
        try:
            if way == "long name":
                onecast.File(self.folder / file, self.draw.choice(["w", "a", "x"]))
            elif way == "option":
                onecast.File(self.folder / file, "w", page_size=3)
            else:
                with few_descriptors():
                    onecast.File(self.folder / file, "w", journal=False)
        except (OSError, ValueError):
            return
        raise AssertionError(f"a create did not fail: {way}")

    def removes(self) -> None:
        file = self.draw.choice(FILES)
        began = time.monotonic()
        with suppress(FileNotFoundError):
            os.remove(self.folder / file)
            self.ledger.note(began, act="removed", file=file)

    def forks(self) -> None:
        if self.depth == 2:
            return
        child = Process(self.folder, self.seed, f"{self.name}.{len(self.children)}", self.depth + 1)
        self.children.append(start(child))


def start(process: Process) -> int:
    """Starts a process of its own, which is killed if it hangs."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            signal.alarm(PATIENCE)
            process.run()
            status = 0
        except BaseException as error:
            os.write(2, f"{process.name}: {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(status)
    return pid


def await_all(children: list[int]) -> None:
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert not any(ends), f"processes ended with {ends} ({-signal.SIGALRM}: it hung)"


class Program:
    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed

    def run(self) -> None:
        draw = random.Random(f"program {self.seed}")
        if draw.random() < 0.5:
            with h5py.File(self.folder / FILES[0], "w") as f:
                f["old"] = 1
        names = [f"p{n}" for n in range(draw.randint(2, 4))]
        await_all([start(Process(self.folder, self.seed, name)) for name in names])

    def judge(self) -> None:
        acts = [
            json.loads(line)
            for ledger in self.folder.glob("*.ledger")
            for line in ledger.read_text().splitlines()
        ]
        for file in FILES:
            self.judge_file(file, [act for act in acts if act["file"] == file])
        left = {p.name for p in self.folder.iterdir() if p.suffix not in (".ledger", ".own")}
        assert left <= set(FILES), f"seed {self.seed}: left behind: {left}"

    def judge_file(self, file: str, acts: list[dict]) -> None:
        """Judges a file. An act that replaced or removed it after a write may have lost that
        write."""
        gone = [
            act["ended"]
            for act in acts
            if act["act"] == "removed" or (act["act"] == "made" and act["mode"] == "w")
        ]
        path = self.folder / file
        there: dict[str, object] = {}
        if path.exists() and path.stat().st_size != 0:
            with h5py.File(path) as f:
                there = {name: int(f[name][()]) for name in f if f[name].shape == ()}
            damage = onecast.check(path, data=True)["findings"]
            assert not [d for d in damage if d["kind"] in ("damage", "overlap")], damage
        for act in acts:
            if act["act"] != "wrote" or any(when > act["began"] for when in gone):
                continue
            for name, value in act["what"]:
                assert there.get(name) == value, (
                    f"seed {self.seed}: {file}: {name} is lost; there: {sorted(there)}; {acts}"
                )


def main() -> None:
    program = Program(Path(sys.argv[1]), int(sys.argv[2]))
    program.run()
    program.judge()


if __name__ == "__main__":
    main()
