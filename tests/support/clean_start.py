"""Tests inherit nothing that affects them: a shell may have ignored signals, closed a standard
stream, or chosen a mask for new files or a language.

`python clean_start.py COMMAND...` runs a command in this way.
"""

import os
import signal
import sys

# A script that starts its commands in the background, or nohup, ignores these signals.
SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM)


def inherit_nothing():
    for number in SIGNALS:
        if signal.getsignal(number) == signal.SIG_IGN:
            interrupts = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if interrupts else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    os.umask(0o022)
    for stream in (0, 1, 2):
        # The next opened file would get the number of a closed stream.
        try:
            os.fstat(stream)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    # Otherwise lines of several ranks would be mixed, and the tests of other packages would get the
    # options of this run.
    inherited = [name for name in os.environ if name.startswith("LC_")]
    for name in [*inherited, "LANGUAGE", "PYTHONUNBUFFERED", "PYTEST_ADDOPTS"]:
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"


if __name__ == "__main__":
    inherit_nothing()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
