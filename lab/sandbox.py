"""A place whose processes and mounts end with it: Linux namespaces, entered without helpers."""

import ctypes
import os
import signal

CLONE_NEWNS, CLONE_NEWUTS = 0x00020000, 0x04000000
CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
MS_REC, MS_PRIVATE, MS_BIND = 0x4000, 0x40000, 0x1000
PR_SET_PDEATHSIG = 1
HOW_TO_ALLOW = (
    "it needs root, or a system that lets users make name spaces "
    "(sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone)"
)

libc = ctypes.CDLL(None, use_errno=True)


class SandboxError(Exception):
    """The system does not allow a sandbox; the text says what would help."""


def must(result: int, what: str) -> None:
    if result != 0:
        raise SandboxError(f"{what}: {os.strerror(ctypes.get_errno())}; {HOW_TO_ALLOW}")


def mount(source: str, target: str, kind: str | None, flags: int = 0, options: str = "") -> None:
    encoded = [None if text is None else text.encode() for text in (source, target, kind)]
    result = libc.mount(*encoded, ctypes.c_ulong(flags), options.encode())
    must(result, f"mounting on {target}")


def bind(source: str, target: str) -> None:
    mount(source, target, None, MS_BIND)


def make_private() -> None:
    """Keeps later mounts inside the sandbox."""
    mount("none", "/", None, MS_REC | MS_PRIVATE)


def set_host_name(name: str) -> None:
    must(libc.sethostname(name.encode(), len(name)), "setting the host name")


def die_with_parent(how: signal.Signals = signal.SIGKILL) -> None:
    libc.prctl(PR_SET_PDEATHSIG, int(how), 0, 0, 0)


def unshare(flags: int) -> None:
    """Enters new namespaces of these kinds; a user becomes root within them."""
    user, group = os.getuid(), os.getgid()
    must(libc.unshare(flags | (CLONE_NEWUSER if user != 0 else 0)), "making name spaces")
    if user != 0:
        for file, line in (
            ("setgroups", "deny"),
            ("uid_map", f"0 {user} 1"),
            ("gid_map", f"0 {group} 1"),
        ):
            with open(f"/proc/self/{file}", "w") as out:
                out.write(line)


def run_inside(body) -> int:
    """Runs `body` as the first process of a sandbox; returns its exit status.

    Whatever it has started and mounted is gone when it ends, be it killed, and it ends when this
    process does. SIGTERM, SIGINT and SIGHUP are passed on to it as SIGTERM.
    """
    unshare(CLONE_NEWNS | CLONE_NEWPID)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            die_with_parent()
            make_private()
            mount("proc", "/proc", "proc")
            status = body()
        except SandboxError as error:
            os.write(2, f"lab: {error}\n".encode())
        finally:
            os._exit(status)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: os.kill(child, signal.SIGTERM))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def possible() -> str | None:
    """Returns why no sandbox is possible here; None if it is."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            unshare(CLONE_NEWNS | CLONE_NEWPID)
            status = 0
        except SandboxError as error:
            os.write(1, f"{error}\n".encode())
        finally:
            os._exit(status)
    return None if os.waitpid(child, 0)[1] == 0 else HOW_TO_ALLOW
