"""Tests begin alike, whatever they inherit from the shell."""

import json
import os
import signal
import subprocess
import sys

import clean_start

SHOW = """
import json, os, signal, sys
mask = os.umask(0o022)
print(json.dumps({
    "signals": [str(signal.getsignal(s)) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)],
    "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "mask": mask,
    "first file": os.open("/dev/null", os.O_RDONLY),
    "language": os.environ.get("LC_ALL"),
}))
"""


def spoil():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    os.umask(0o077)
    os.close(0)


def shown(*command, **how):
    command = [*command, sys.executable, "-c", SHOW]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **how)
    return json.loads(done.stdout)


def test_nothing_is_inherited():
    plain = shown(env={**os.environ} | {"LANG": "C.UTF-8"}, stdin=subprocess.DEVNULL)
    assert plain["mask"] == 0o022
    spoilt = {"env": os.environ | {"LC_ALL": "C"}, "preexec_fn": spoil}
    assert shown(**spoilt) != plain
    assert shown(sys.executable, clean_start.__file__, **spoilt) == plain
