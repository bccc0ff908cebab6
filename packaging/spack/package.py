# ruff: noqa: F403, F405, RUF012
from spack.package import *


class Onecast(CMakePackage):
    """Parallel HDF5 whose metadata costs one read, one broadcast, one write: a library for C, C++
    and Fortran, a Python package with the interface of h5py, and the interface of CGNS."""

    # `make release` fills in the checksum.
    pypi = "onecast/onecast-0.1.0.tar.gz"
    maintainers("onecast")
    license("BSD-3-Clause")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("mpi", default=True, description="Link onecast-events to an MPI")
    variant("python", default=True, description="The Python package and the command onecast")
    variant("events", default=True, description="The layer for events of high-energy physics")
    variant("fortran", default=True, description="The Fortran modules")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.11:", type="build")
    depends_on("ninja", type="build")
    generator("ninja")

    depends_on("fmt")
    depends_on("xxhash")
    depends_on("libdeflate")
    depends_on("libaec")
    depends_on("lz4")
    depends_on("zstd")
    depends_on("c-blosc")
    depends_on("bzip2")
    depends_on("tbb", when="+events")
    depends_on("xz", when="+events")
    depends_on("cli11", type="build", when="+events")
    depends_on("nlohmann-json", type="build", when="+events")
    depends_on("mpi", when="+mpi")

    extends("python@3.11:", when="+python")
    depends_on("py-nanobind@3.1:", type="build", when="+python")
    depends_on("py-numpy@1.26:", type=("build", "run"), when="+python")
    depends_on("py-click@8:", type=("build", "run"), when="+python")
    depends_on("py-rich@13:", type=("build", "run"), when="+python")
    depends_on("py-mpi4py@4.1:", type="run", when="+python+mpi")

    build_targets = ["onecast_installed"]

    def cmake_args(self):
        return [
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
            self.define("ONECAST_TESTS", False),
            self.define("ONECAST_BENCH", False),
            self.define("ONECAST_LAB", False),
            self.define("ONECAST_WERROR", False),
            self.define("ONECAST_MPI", "AUTO"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", not self.spec.satisfies("+mpi")),
            self.define_from_variant("ONECAST_PYTHON", "python"),
            self.define_from_variant("ONECAST_EVENTS", "events"),
            self.define_from_variant("ONECAST_FORTRAN", "fortran"),
        ]

    def install(self, spec, prefix):
        with working_dir(self.build_directory):
            for component in ("development", "command"):
                cmake("--install", ".", "--component", component)

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.onecast)
