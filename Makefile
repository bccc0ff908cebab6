# Thin: the work is done by tools/. Variables:
#   MPI=openmpi|mpich|system|none|PREFIX   which MPI (see tools/env.sh)
#   PRESET=release|dev                     how to build
#   FUZZ_SECONDS=60                        how long `make fuzz` runs in total
#   CTEST_OPTIONS='-R NAME'                more options for ctest
#   RECIPES='conda spack'                  which recipes `make recipes` builds
#   COMMIT=NAME                            what `make bench-guard` compares with (the last tag)
MPI ?= openmpi
PRESET ?= release
FUZZ_SECONDS ?= 60
export MPI PRESET FUZZ_SECONDS

.PHONY: help instructions setup build demo docs install wheel release abi abi-accept debian recipes test test-all test-long test-ranks test-serial lint format tidy asan tsan coverage fuzz events-root bench-guard clean

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20
	@sed -nE 's/^#   /  /p' Makefile

setup:  ## install what the project needs (.venv, libraries)
	@tools/setup.sh test lint

build:  ## build the library, the tests, the benchmarks, the Python module
	@tools/setup.sh
	@tools/build.sh

demo:  ## build what the benchmark of metadata needs, and run it
	@tools/setup.sh
	@tools/build.sh onecast_demo
	@tools/demo.sh

docs:  ## the documentation as a site (build/book/site/index.html)
	@tools/setup.sh docs
	@tools/build.sh _core
	@tools/docs.sh

install:  ## library, headers, CMake package, pkg-config file and command: make install PREFIX=/where
	@tools/setup.sh
	@PREFIX='$(PREFIX)' tools/install.sh

wheel:  ## wheels that need no compiler, and the archive of the sources, in dist/
	@tools/setup.sh
	@tools/wheel.sh

release:  ## the files of a release, with checksums (dist/release)
	@tools/setup.sh test docs release
	@tools/build.sh _core
	@. tools/env.sh && python tools/release.py

abi:  ## compare the binary interface with the one that is kept (packaging/abi)
	@tools/setup.sh test
	@tools/abi.sh check

abi-accept:  ## keep the binary interface of this build
	@tools/setup.sh test
	@tools/abi.sh accept

debian:  ## Debian's packages (build/debian), tried in a clean root
	@tools/setup.sh debian
	@tools/debian.sh build
	@tools/debian.sh try

recipes:  ## run the build steps of the recipes of packaging/ (the images: as root)
	@tools/setup.sh release debian
	@. tools/env.sh && python tests/packaging/build_recipes.py $(RECIPES)

test:  ## build all, and run the quick tests
	@tools/setup.sh test release
	@tools/build.sh
	@tools/test.sh

instructions:  ## count the instructions of small workloads, and compare them with the table
	@tools/setup.sh test
	@tools/build.sh
	@. tools/env.sh && python tools/instructions.py

test-long:  ## random programs, sweeps over numbers of ranks, killed processes
	@tools/setup.sh test suites hdf5
	@tools/build.sh
	@ONECAST_NEW_EXAMPLES=1 tools/test.sh long

test-serial:  ## the quick tests in C++, for another PRESET or MPI=none
	@tools/setup.sh test
	@tools/build.sh
	@tools/ctest.sh -LE long

test-ranks:  ## the quick tests that start ranks, for another MPI
	@tools/setup.sh test
	@tools/build.sh mpi_tests onecast-events _core _cgns _events
	@tools/test.sh ranks

test-all: lint test docs  ## everything, the long parts as well
	@ONECAST_NEW_EXAMPLES=1 tools/long_part.sh all

lint:  ## formats, clang-tidy, ruff, mypy, the layers
	@tools/setup.sh lint
	@tools/lint.sh

format:  ## format all sources
	@tools/setup.sh lint
	@tools/format.sh

tidy:  ## clang-tidy alone
	@tools/setup.sh lint
	@tools/lint.sh configure clang-tidy

asan: export PRESET = asan
asan:  ## the C++ tests under the address and undefined behaviour sanitizers
	@tools/setup.sh test
	@tools/build.sh
	@tools/ctest.sh

tsan: export PRESET = tsan
tsan: export MPI = none
tsan: export TSAN_OPTIONS = suppressions=$(CURDIR)/tools/tsan.supp
tsan:  ## pending calls and the framework for events under the thread sanitizer, without MPI
	@tools/setup.sh test
	@tools/build.sh objects_tests events_tests
	@tools/ctest.sh -R 'objects|events'

coverage: export PRESET = coverage
coverage:  ## which lines the tests run (build/coverage/index.html)
	@tools/setup.sh test lint
	@tools/coverage.sh

fuzz: export PRESET = fuzz
fuzz: export MPI = none
fuzz:  ## feed random files to the readers for FUZZ_SECONDS
	@tools/setup.sh test fuzz
	@tools/build.sh
	@tools/fuzz.sh

events-root:  ## the components of onecast-events for ROOT files; installs ROOT (570 MB) in .venv/root
	@tools/setup.sh root
	@tools/build.sh --configure-only
	@tools/build.sh onecast-events onecast_events_root

bench-guard:  ## times of the benchmarks beside COMMIT, in turns (on a quiet machine)
	@tools/setup.sh test
	@. tools/env.sh && python tools/bench_guard.py $(COMMIT)

clean:  ## remove what was built (not .venv)
	rm -rf build dist
