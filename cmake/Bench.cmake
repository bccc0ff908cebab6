# The programs of bench/, built into BUILD/bench. Those of stock HDF5 are built against the same
# MPI as ours, and left out where the library or that MPI does not fit.
set(bench "${PROJECT_SOURCE_DIR}/bench/metadata")
set(bench_output "${PROJECT_BINARY_DIR}/bench")

function(onecast_bench_program target)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${bench_output}"
                                             LIBRARY_OUTPUT_DIRECTORY "${bench_output}")
endfunction()

if(ONECAST_MPI AND EXISTS "${bench}/onecast_metadata.cpp")
  add_executable(onecast_metadata "${bench}/onecast_metadata.cpp")
  target_link_libraries(onecast_metadata PRIVATE onecast::onecast onecast_warnings)
  onecast_bench_program(onecast_metadata)
endif()

# Counts the system calls and the MPI calls of a program: LD_PRELOAD=libiocount.so.
if(ONECAST_MPI AND EXISTS "${bench}/iocount.c")
  add_library(iocount SHARED "${bench}/iocount.c")
  target_compile_options(iocount PRIVATE -Wall -Wextra)
  target_link_libraries(iocount PRIVATE MPI::MPI_C ${CMAKE_DL_LIBS})
  onecast_bench_program(iocount)
endif()

# Debian's parallel HDF5, linked against Open MPI (see tools/env.sh): not for another MPI.
if(ONECAST_MPI)
  include(CheckSymbolExists)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  check_symbol_exists(OMPI_MAJOR_VERSION mpi.h ONECAST_OPEN_MPI)
  unset(CMAKE_REQUIRED_LIBRARIES)
  find_path(ONECAST_HDF5_INCLUDE hdf5.h PATHS /usr/include/hdf5/openmpi NO_DEFAULT_PATH)
  find_library(ONECAST_HDF5_LIBRARY NAMES hdf5_openmpi hdf5
               PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/hdf5/openmpi
                     /usr/lib/x86_64-linux-gnu/hdf5/openmpi NO_DEFAULT_PATH)
endif()
if(ONECAST_OPEN_MPI AND ONECAST_HDF5_INCLUDE AND ONECAST_HDF5_LIBRARY
   AND EXISTS "${bench}/stock_metadata.c")
  add_executable(stock_metadata "${bench}/stock_metadata.c")
  target_include_directories(stock_metadata SYSTEM PRIVATE "${ONECAST_HDF5_INCLUDE}")
  target_compile_options(stock_metadata PRIVATE -Wall -Wextra)
  # MPI first, and needed by the program itself: libhdf5 then binds to that one.
  target_link_libraries(stock_metadata PRIVATE MPI::MPI_C "${ONECAST_HDF5_LIBRARY}")
  onecast_bench_program(stock_metadata)
endif()

find_path(ONECAST_CGNS_INCLUDE cgnslib.h)
find_library(ONECAST_CGNS_LIBRARY cgns)
if(ONECAST_CGNS_INCLUDE AND ONECAST_CGNS_LIBRARY AND EXISTS "${bench}/cgns_write.c")
  add_executable(cgns_write "${bench}/cgns_write.c")
  target_include_directories(cgns_write SYSTEM PRIVATE "${ONECAST_CGNS_INCLUDE}")
  target_link_libraries(cgns_write PRIVATE "${ONECAST_CGNS_LIBRARY}" m)
  onecast_bench_program(cgns_write)
endif()
