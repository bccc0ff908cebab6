# The programs of bench/ are built into BUILD/bench. The programs of stock HDF5 are built against
# the same MPI as Onecast, and left out if the library or that MPI does not fit.
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

# Adds a program over Onecast or over stock HDF5.
function(onecast_bench_ours target source)
  add_executable(${target} "${source}")
  target_link_libraries(${target} PRIVATE onecast::mpi onecast_warnings)
  onecast_bench_program(${target})
endfunction()

# Adds a library of the C code that all programs share, which uses MPI alone.
function(onecast_bench_plain target source)
  add_executable(${target} "${source}")
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_link_libraries(${target} PRIVATE MPI::MPI_C ${CMAKE_DL_LIBS})
  onecast_bench_program(${target})
endfunction()

# Adds a program in C over Onecast's CGNS library.
function(onecast_bench_cgns target source)
  add_executable(${target} "${source}")
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_link_libraries(${target} PRIVATE onecast::cgns onecast::mpi)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  onecast_bench_program(${target})
endfunction()

function(onecast_bench_stock target source)
  add_executable(${target} "${source}")
  target_include_directories(${target} SYSTEM PRIVATE "${ONECAST_HDF5_INCLUDE}")
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  # MPI comes first, and the program itself needs it: libhdf5 then binds to that MPI.
  target_link_libraries(${target} PRIVATE MPI::MPI_C "${ONECAST_HDF5_LIBRARY}")
  onecast_bench_program(${target})
endfunction()

if(ONECAST_MPI_PROGRAMS)
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

# Ranks of this program are threads, so it needs no MPI.
file(GLOB bench_scale CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/scale/*.cpp")
add_executable(onecast_scale ${bench_scale})
target_link_libraries(onecast_scale PRIVATE onecast::onecast onecast_warnings)
onecast_bench_program(onecast_scale)

if(TARGET onecast_events)
  add_executable(random_events "${PROJECT_SOURCE_DIR}/bench/events/random_events.cpp")
  target_link_libraries(random_events PRIVATE onecast::events onecast_warnings)
  onecast_bench_program(random_events)
  add_executable(plain_reads "${PROJECT_SOURCE_DIR}/bench/events/plain_reads.cpp")
  target_link_libraries(plain_reads PRIVATE fmt::fmt onecast_warnings)
  onecast_bench_program(plain_reads)
endif()

# tools/instructions.py counts the instructions of these programs.
set(bench_instructions "${PROJECT_SOURCE_DIR}/bench/instructions")
function(onecast_bench_instructions target library)
  add_executable(${target} "${bench_instructions}/${target}.cpp" "${bench_instructions}/marks.c")
  target_link_libraries(${target} PRIVATE ${library} onecast_warnings)
  onecast_bench_program(${target})
endfunction()
onecast_bench_instructions(core_instructions onecast::onecast)
if(TARGET onecast::cgns)
  onecast_bench_instructions(cgns_instructions onecast::cgns)
endif()
if(TARGET onecast::events)
  onecast_bench_instructions(events_instructions onecast::events)
endif()

# Counts the system calls and the MPI calls of a program: LD_PRELOAD=libiocount.so.
if(ONECAST_MPI_PROGRAMS AND EXISTS "${bench}/iocount.c")
  add_library(iocount SHARED "${bench}/iocount.c")
  target_compile_options(iocount PRIVATE -Wall -Wextra)
  target_link_libraries(iocount PRIVATE MPI::MPI_C ${CMAKE_DL_LIBS})
  onecast_bench_program(iocount)
endif()

# Debian's parallel HDF5 is linked against Open MPI (see tools/env.sh), so it fits no other MPI.
if(ONECAST_MPI_PROGRAMS)
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
if(ONECAST_MPI_PROGRAMS AND ONECAST_CGNS_INCLUDE AND ONECAST_CGNS_LIBRARY)
  onecast_bench_plain(libcgns_tree "${bench_cgns}/cgns_tree.c")
  target_include_directories(libcgns_tree SYSTEM PRIVATE "${ONECAST_CGNS_INCLUDE}")
  target_compile_definitions(libcgns_tree PRIVATE BENCH_SERIAL_CGNS)
  target_link_libraries(libcgns_tree PRIVATE "${ONECAST_CGNS_LIBRARY}" m)
endif()
