# The programs of bench/, built into BUILD/bench. Those of stock HDF5 are built against the same
# MPI as ours, and left out where the library or that MPI does not fit.
set(bench "${PROJECT_SOURCE_DIR}/bench/metadata")
set(bench_write "${PROJECT_SOURCE_DIR}/bench/write")
set(bench_independent "${PROJECT_SOURCE_DIR}/bench/independent")
set(bench_mpiio "${PROJECT_SOURCE_DIR}/bench/mpiio")
set(bench_interleave "${PROJECT_SOURCE_DIR}/bench/interleave")
set(bench_arrays "${PROJECT_SOURCE_DIR}/bench/arrays")
set(bench_cgns "${PROJECT_SOURCE_DIR}/bench/cgns")
set(bench_output "${PROJECT_BINARY_DIR}/bench")

function(onecast_bench_program target)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${bench_output}"
                                             LIBRARY_OUTPUT_DIRECTORY "${bench_output}")
endfunction()

# The programs over Onecast and over stock HDF5.
function(onecast_bench_ours target source)
  add_executable(${target} "${source}")
  target_link_libraries(${target} PRIVATE onecast::onecast onecast_warnings)
  onecast_bench_program(${target})
endfunction()

# The C code that all programs share, over MPI alone; nothing of ours is linked.
function(onecast_bench_plain target source)
  add_executable(${target} "${source}")
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_link_libraries(${target} PRIVATE MPI::MPI_C ${CMAKE_DL_LIBS})
  onecast_bench_program(${target})
endfunction()

# A program in C over our CGNS library.
function(onecast_bench_cgns target source)
  add_executable(${target} "${source}")
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_link_libraries(${target} PRIVATE onecast::cgns)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  onecast_bench_program(${target})
endfunction()

function(onecast_bench_stock target source)
  add_executable(${target} "${source}")
  target_include_directories(${target} SYSTEM PRIVATE "${ONECAST_HDF5_INCLUDE}")
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  # MPI first, and needed by the program itself: libhdf5 then binds to that one.
  target_link_libraries(${target} PRIVATE MPI::MPI_C "${ONECAST_HDF5_LIBRARY}")
  onecast_bench_program(${target})
endfunction()

if(ONECAST_MPI)
  onecast_bench_ours(onecast_metadata "${bench}/onecast_metadata.cpp")
  onecast_bench_ours(onecast_write "${bench_write}/onecast_write.cpp")
  onecast_bench_ours(onecast_independent "${bench_independent}/onecast_independent.cpp")
  onecast_bench_ours(onecast_mpiio "${bench_mpiio}/onecast_mpiio.cpp")
  onecast_bench_ours(onecast_interleave "${bench_interleave}/onecast_interleave.cpp")
  onecast_bench_ours(onecast_arrays "${bench_arrays}/onecast_arrays.cpp")
  onecast_bench_cgns(onecast_cgns_tree "${bench_cgns}/cgns_tree.c")
  onecast_bench_cgns(onecast_cgns_mesh "${bench_cgns}/cgns_mesh.c")
  onecast_bench_plain(plain_mpiio "${bench_mpiio}/plain_mpiio.c")
  onecast_bench_plain(plain_interleave "${bench_interleave}/plain_interleave.c")
  onecast_bench_plain(plain_arrays "${bench_arrays}/plain_arrays.c")
  onecast_bench_plain(mpi_arrays "${bench_arrays}/mpi_arrays.c")
endif()

if(TARGET onecast_events)
  add_executable(random_events "${PROJECT_SOURCE_DIR}/bench/events/random_events.cpp")
  target_link_libraries(random_events PRIVATE onecast::events onecast_warnings)
  onecast_bench_program(random_events)
  add_executable(plain_reads "${PROJECT_SOURCE_DIR}/bench/events/plain_reads.cpp")
  target_link_libraries(plain_reads PRIVATE fmt::fmt onecast_warnings)
  onecast_bench_program(plain_reads)
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
if(ONECAST_OPEN_MPI AND ONECAST_HDF5_INCLUDE AND ONECAST_HDF5_LIBRARY)
  onecast_bench_stock(stock_metadata "${bench}/stock_metadata.c")
  onecast_bench_stock(stock_write "${bench_write}/stock_write.c")
  onecast_bench_stock(stock_independent "${bench_independent}/stock_independent.c")
  onecast_bench_stock(stock_mpiio "${bench_mpiio}/stock_mpiio.c")
  onecast_bench_stock(stock_interleave "${bench_interleave}/stock_interleave.c")
  onecast_bench_stock(stock_arrays "${bench_arrays}/stock_arrays.c")
  onecast_bench_stock(lab_checkpoint "${bench_interleave}/lab_checkpoint.c")
endif()

# The CGNS library, which one process uses.
find_path(ONECAST_CGNS_INCLUDE cgnslib.h)
find_library(ONECAST_CGNS_LIBRARY cgns)
if(ONECAST_MPI AND ONECAST_CGNS_INCLUDE AND ONECAST_CGNS_LIBRARY)
  onecast_bench_plain(libcgns_tree "${bench_cgns}/cgns_tree.c")
  target_include_directories(libcgns_tree SYSTEM PRIVATE "${ONECAST_CGNS_INCLUDE}")
  target_compile_definitions(libcgns_tree PRIVATE BENCH_SERIAL_CGNS)
  target_link_libraries(libcgns_tree PRIVATE "${ONECAST_CGNS_LIBRARY}" m)
endif()
