import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The libraries that have to come first in a process with a sanitizer.
SANITIZERS = {"asan": ["libasan.so", "libstdc++.so"], "tsan": ["libtsan.so", "libstdc++.so"]}


class DropIn:
    """Runs Python programs with the plug-in, or without."""

    def __init__(self, variables, folder):
        self.variables = variables
        self.folder = folder  # the current folder of the programs

    def run(self, program, *arguments, **settings):
        """Returns the finished process of a program: a file, or a text with several lines.

        `settings` are those of run_program().
        """
        first = ["-c", program] if "\n" in str(program) else [str(program)]
        return self.run_program([sys.executable, *first, *map(str, arguments)], **settings)

    def run_program(self, command, plugin=True, trace=False, check=True, timeout=540, more=None):
        """Returns the finished process of a command.

        `more` has further variables of its environment.
        """
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HDF5_")}
        if plugin:
            environment |= self.variables | ({"ONECAST_TRACE": "1"} if trace else {})
        environment |= more or {}
        done = subprocess.run(
            command,
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    def describe(self, library, *paths, plugin=True):
        """Returns what a library reads in files, a line for each; None if the process dies."""
        found = self.of_each_file(["describe.py", library], paths, plugin=plugin)
        return [line for line, _ in found]

    def of_each_file(self, program, paths, plugin=True, more=None):
        """Runs a program of this folder that prints a line for each file. Returns pairs: the line
        and "", or None and what the process said when it died of that file."""
        found = []
        settings = {"plugin": plugin, "check": False, "more": more, "timeout": None}
        while len(found) < len(paths):
            name, *first = program
            done = self.run(HERE / name, *first, *paths[len(found) :], **settings)
            found += [(line, "") for line in done.stdout.splitlines()]
            if done.returncode != 0:
                found.append((None, f"{done.returncode}: {done.stderr[-20000:]}"))
        return found

    def sanitized(self, preset):
        """Returns the variables of a program that runs on the plug-in of another build, with a
        sanitizer. `PRESET=asan tools/build.sh onecast_hdf5_plugin` makes it; without it, tests are
        skipped."""
        built = list(ROOT.glob(f"build/{preset}-*/python/onecast/hdf5_plugin/libonecast_hdf5.so"))
        if not built:
            pytest.skip(f"there is no plug-in of PRESET={preset}")
        first = [
            subprocess.check_output(["g++", f"-print-file-name={name}"], text=True).strip()
            for name in SANITIZERS[preset]
        ]
        return {
            "HDF5_PLUGIN_PATH": str(built[0].parent),
            "LD_PRELOAD": ":".join(first),
            # Python frees little at its end. Too much memory is refused, as without a sanitizer.
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "TSAN_OPTIONS": f"suppressions={ROOT}/tools/tsan.supp:exitcode=66",
        }


@pytest.fixture(scope="session")
def dropin(tmp_path_factory):
    """Skips tests if this build has no plug-in."""
    from onecast_cli import dropin as command

    try:
        variables = command.environment()
    except Exception as error:
        pytest.skip(str(error))
    return DropIn(variables, tmp_path_factory.mktemp("current"))
