"""Tests inherit nothing that decides how they end: a shell may have ignored signals, closed a
standard stream, chosen a mask for new files or a language.

`python clean_start.py COMMAND...` runs a command so.
"""

import os
import signal
import sys

# A script that starts its commands in the background, or nohup, has these ignored.
SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM)


def inherit_nothing():
    for number in SIGNALS:
        if signal.getsignal(number) == signal.SIG_IGN:
            interrupts = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if interrupts else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    os.umask(0o022)
    for stream in (0, 1, 2):
        # A closed one would be the next file that is opened.
        try:
            os.fstat(stream)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    # Unbuffered, lines of several ranks would be mixed.
    inherited = [name for name in os.environ if name.startswith("LC_")]
    for name in [*inherited, "LANGUAGE", "PYTHONUNBUFFERED"]:
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"


if __name__ == "__main__":
    inherit_nothing()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
