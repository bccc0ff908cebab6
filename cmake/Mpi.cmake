# ONECAST_MPI: OFF leaves MPI out. Otherwise the libraries choose the MPI at run time, and need none to
# be built. Programs that are built here (tests, benchmarks, examples, onecast-events) are linked to
# the MPI that CMake finds: ON needs one, AUTO leaves those programs out if there is none.
# ONECAST_MPI_LINKED: links the libraries to this MPI, too, for one that Onecast does not know.
# Only the C interface is used. `. tools/env.sh` names the compiler wrapper and the launcher in the
# environment, so that a plain `cmake -S . -B DIR` agrees with `make build`.

set(onecast_mpi_default AUTO)
if("$ENV{MPI}" STREQUAL "none")
  set(onecast_mpi_default OFF)
endif()
set(ONECAST_MPI ${onecast_mpi_default} CACHE STRING "Build with MPI: ON, OFF or AUTO")
option(ONECAST_MPI_LINKED "Link the libraries to one MPI, instead of choosing it at run time" OFF)

# TRUE if programs can be linked to an MPI.
set(ONECAST_MPI_PROGRAMS FALSE)
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
  if(ONECAST_MPI STREQUAL "AUTO" AND NOT ONECAST_MPI_LINKED)
    find_package(MPI COMPONENTS C)
  else()
    find_package(MPI REQUIRED COMPONENTS C)
  endif()
  set(ONECAST_MPI ON)
  if(MPI_C_FOUND)
    set(ONECAST_MPI_PROGRAMS TRUE)
  endif()
endif()
if(ONECAST_MPI_PROGRAMS)
  # MPI dropped its C++ bindings in 2012, but some installations still include them.
  set_property(TARGET MPI::MPI_C APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
               OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
endif()
message(STATUS "Onecast with MPI: ${ONECAST_MPI}; programs here with MPI: ${ONECAST_MPI_PROGRAMS}")

# onecast_link_mpi(TARGET): links a library of Onecast to what it needs of MPI.
function(onecast_link_mpi target)
  if(ONECAST_MPI_LINKED)
    target_link_libraries(${target} PRIVATE MPI::MPI_C)
    target_compile_definitions(${target} PRIVATE ONECAST_MPI_LINKED=1)
  elseif(ONECAST_MPI)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  endif()
endfunction()
