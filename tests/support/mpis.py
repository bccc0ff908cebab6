"""The MPIs that are installed here, and programs that are compiled for them over one build."""

import os
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
VENV = ROOT / ".venv"
INCLUDE = [ROOT / "include", ROOT / "cgns/include", BUILD / "cgns/include"]


@dataclass
class Mpi:
    wrapper: Path
    mpiexec: Path
    library: Path
    flags: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)

    def is_here(self) -> bool:
        return self.wrapper.exists() and self.library.exists()

    def require(self) -> None:
        if not self.is_here():
            pytest.skip(f"no {self.library}: MPI=mpich or MPI=impi tools/setup.sh installs it")

    def compile(self, source: Path, program: Path, *flags: str | Path) -> Path:
        """Compiles a program that uses Onecast with the mpi.h of this MPI."""
        library("libonecast.so")
        shown = shlex.split(run(self.wrapper, "-show"))[1:]
        language = ["c++", "-std=c++20"] if source.suffix == ".cpp" else ["cc", "-std=c99"]
        include = [f"-I{folder}" for folder in INCLUDE]
        libraries = [f"-L{BUILD}", f"-Wl,-rpath,{BUILD}", *flags, "-lonecast"]
        run(*language, *include, source, "-o", program, *libraries, *shown)
        return program

    def run(self, ranks: int, *command: str | Path, cwd: Path) -> str:
        return run(self.mpiexec, *self.flags, "-n", str(ranks), *command, cwd=cwd, **self.variables)


OPEN_MPI = Mpi(
    VENV / "bin/mpicc",
    ROOT / "tools/mpiexec.sh",
    VENV / "lib/libmpi.so.40",
    ["--oversubscribe", "--bind-to", "none"] + ["--allow-run-as-root"] * (os.getuid() == 0),
    {"OMPI_MCA_btl": "^ofi", "OMPI_MCA_mtl": "^ofi", "OMPI_MCA_osc": "^ucx"},
)
MPICH = VENV / "mpich"
IMPI = VENV / "impi"
OF_IMPI = {"LD_LIBRARY_PATH": str(IMPI / "lib"), "I_MPI_ROOT": str(IMPI)}


def _mpich(wrapper: str, library: str) -> Mpi:
    return Mpi(MPICH / "bin" / wrapper, MPICH / "bin/mpiexec", MPICH / "lib" / library)


def _impi(wrapper: str, library: str) -> Mpi:
    """What is compiled for MPICH runs with Intel MPI, whose package has no headers."""
    path = IMPI / "lib" / library
    return Mpi(MPICH / "bin" / wrapper, IMPI / "bin/mpiexec", path, [], OF_IMPI)


MPIS = {
    "openmpi": OPEN_MPI,
    "mpich": _mpich("mpicc", "libmpi.so.12"),
    "standard": _mpich("mpicc_abi", "libmpi_abi.so.1"),
    "impi": _impi("mpicc", "libmpi.so.12"),
    "impi_standard": _impi("mpicc_abi", "libmpi_abi.so.1"),
}


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=cwd,
        env=environment | variables,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def library(name: str) -> Path:
    path = BUILD / name
    if not path.exists():
        pytest.skip(f"no {path}")
    return path
