# ONECAST_MPI: ON needs MPI, OFF leaves it out, AUTO uses it if it is found.
# Only the C interface is used. `. tools/env.sh` names the compiler wrapper and the launcher in the
# environment, so that a plain `cmake -S . -B DIR` agrees with `make build`.

set(onecast_mpi_default AUTO)
if("$ENV{MPI}" STREQUAL "none")
  set(onecast_mpi_default OFF)
endif()
set(ONECAST_MPI ${onecast_mpi_default} CACHE STRING "Build with MPI: ON, OFF or AUTO")

if(ONECAST_MPI)
  if(NOT MPI_C_COMPILER AND DEFINED ENV{MPICC})
    set(MPI_C_COMPILER "$ENV{MPICC}" CACHE FILEPATH "MPI compiler wrapper")
  endif()
  if(NOT MPIEXEC_EXECUTABLE AND DEFINED ENV{MPIEXEC})
    set(MPIEXEC_EXECUTABLE "$ENV{MPIEXEC}" CACHE FILEPATH "MPI launcher")
  endif()
  if(NOT MPIEXEC_PREFLAGS AND DEFINED ENV{MPIEXEC_FLAGS})
    separate_arguments(onecast_flags UNIX_COMMAND "$ENV{MPIEXEC_FLAGS}")
    set(MPIEXEC_PREFLAGS "${onecast_flags}" CACHE STRING "Flags of the MPI launcher")
  endif()
  if(ONECAST_MPI STREQUAL "AUTO")
    find_package(MPI COMPONENTS C)
    set(ONECAST_MPI ${MPI_C_FOUND})
  else()
    find_package(MPI REQUIRED COMPONENTS C)
  endif()
endif()
if(ONECAST_MPI)
  # MPI dropped its C++ bindings in 2012, but some installations still include them.
  set_property(TARGET MPI::MPI_C APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
               OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
endif()
message(STATUS "Onecast with MPI: ${ONECAST_MPI}")
