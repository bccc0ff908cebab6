"""Says what failed in the last run of ctest: the tests within each program, the first check that
failed, and how the output ends.

    python tools/failed_tests.py BUILD_DIR

ctest prints the whole output of a program among that of all others.
"""

import re
import sys
from pathlib import Path

MESSAGE_LINES = 10
LAST_LINES = 15
COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
PROGRAM = re.compile(r"^\d+/\d+ Testing: (.*)\n(?:.*\n)*?Output:\n-+\n", re.MULTILINE)
FAILED = re.compile(r"\[  FAILED  \] ([^\s.]+\.[^\s,]+)")
CHECK = re.compile(r"^.+:\d+: Failure$", re.MULTILINE)


def outputs(log: str) -> dict[str, str]:
    """The output of each program, by the name of its test."""
    parts = PROGRAM.split(COLOUR.sub("", log))
    named = zip(parts[1::2], parts[2::2], strict=True)
    return {name: text.partition("<end of output>")[0] for name, text in named}


def told(output: str) -> list[str]:
    """The lines of `output` that say why its program failed."""
    tests = [f"[  FAILED  ] {test}" for test in dict.fromkeys(FAILED.findall(output))]
    check = CHECK.search(output)
    message = output[check.start() :].splitlines()[:MESSAGE_LINES] if check else []
    return [*tests, *message, "The output ends:", *output.splitlines()[-LAST_LINES:]]


def summary(folder: Path) -> str:
    """What `folder`, where ctest keeps its logs, says about tests that failed."""
    known = outputs((folder / "LastTest.log").read_text(errors="replace"))
    lines = []
    for line in (folder / "LastTestsFailed.log").read_text().splitlines():
        name = line.partition(":")[2]
        lines += [f"== {name} failed", *told(known.get(name, ""))]
    return "\n".join(lines)


if __name__ == "__main__":
    print(summary(Path(sys.argv[1]) / "Testing" / "Temporary"))
