# Builds the CGNS layer: its rooms, cgnsconfig.h, which says how it was built, and
# libonecast_cgns.so.

# The rooms of a domain, from the bottom up: a room may use those before it.
onecast_domain(cgns ROOMS grammar nodes tree session transfer api zones elements boundaries solutions
  particles families physics at_position files rules cgio parallel fortran)
option(ONECAST_CGNS_32BIT "cgsize_t has 32 bits, as in older builds of libcgns" OFF)
option(ONECAST_CGNS_ABI "Build libcgns.so too, in place of the CGNS library" OFF)
set(ONECAST_CGNS_ABI_VERSION "4.5" CACHE STRING "The version in the soname of that libcgns.so")

if(NOT TARGET onecast_cgns)
  return()
endif()

set(cgns "${ONECAST_SOURCES}/cgns")

# Sources and private headers that follow from the tables alone. They are made before the build, so
# that checks find them without one.
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
set(cgns_made "${PROJECT_BINARY_DIR}/cgns/src")
set(cgns_tools "${ONECAST_SOURCES}/tools")
set_property(
  DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${cgns_tools}/cgns_plain_fortran.py" "${cgns_tools}/cgns_fortran.py"
  "${cgns_tools}/cgns_tables.py" "${cgns_tools}/fortran_source.py" "${cgns_tools}/made_files.py"
  "${cgns}/functions.toml" "${cgns}/labels.toml" "${cgns}/enums.toml"
  "${cgns}/fortran/differences.toml")
execute_process(
  COMMAND "${Python_EXECUTABLE}" "${cgns_tools}/cgns_tables.py" --built "${cgns_made}"
  COMMAND_ERROR_IS_FATAL ANY)
set(cgns_sources enum_names.cpp subroutines.cpp subroutines_mpi.cpp)
list(TRANSFORM cgns_sources PREPEND "${cgns_made}/")
if(NOT ONECAST_MPI)
  list(FILTER cgns_sources EXCLUDE REGEX "_mpi\\.cpp$")
endif()
onecast_by_itself(${cgns_sources})
target_sources(onecast_cgns PRIVATE ${cgns_sources})

set(cgns_generated "${PROJECT_BINARY_DIR}/cgns/include")
set(ONECAST_CGNS_IS_64BIT 1)
if(ONECAST_CGNS_32BIT)
  set(ONECAST_CGNS_IS_64BIT 0)
endif()
set(ONECAST_CGNS_IS_PARALLEL 0)
if(ONECAST_MPI)
  set(ONECAST_CGNS_IS_PARALLEL 1)
endif()
configure_file("${cgns}/include/cgnsconfig.h.in" "${cgns_generated}/cgnsconfig.h" @ONLY)
# A system include directory, so that programs compile the headers without our warnings.
target_include_directories(onecast_cgns PUBLIC "${cgns_generated}")
target_include_directories(onecast_cgns PRIVATE "${cgns}/src" "${cgns_made}")
if(NOT TARGET onecast::cgns) # an installed Onecast may have one
  add_library(onecast::cgns ALIAS onecast_cgns)
endif()
# The library serves every MPI, so it is compiled without mpi.h.
target_compile_definitions(onecast_cgns PRIVATE ONECAST_CGNS_ANY_MPI=1)

if(NOT ONECAST_SHARED)
  return()
endif()

# onecast_cgns_library(TARGET OBJECTS NAME VERSION SYMBOLS): a shared library NAME from the objects
# of a target, over libonecast.so.
function(onecast_cgns_library target objects name version symbols)
  add_library(${target} SHARED $<TARGET_OBJECTS:${objects}>)
  target_link_libraries(${target} PRIVATE onecast_shared)
  # The library's functions call each other, even if another CGNS library was loaded first.
  target_link_options(${target} PRIVATE "LINKER:--version-script=${symbols}"
                      "LINKER:-Bsymbolic")
  set_target_properties(
    ${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME cgns SOVERSION ${version}
                         LINKER_LANGUAGE CXX LINK_DEPENDS "${symbols}"
                         INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()

# onecast_cgns_in_place(TARGET OBJECTS HEADERS VERSION): libcgns.so, with the symbols that programs
# built for versions before 4.1 need. HEADERS: the folder of the cgnsconfig.h of the objects.
function(onecast_cgns_in_place target objects headers version)
  set(symbols "${PROJECT_BINARY_DIR}/cgns/symbols_abi.map")
  file(READ "${cgns}/symbols.map" map)
  string(REPLACE "  global:\n" "  global:\n    cgio_read_all_data;\n    cgio_read_block_data;\n\
    cgio_read_data;\n    cgio_read_all_data_f_;\n    cgio_read_block_data_f_;\n\
    cgio_read_data_f_;\n" map "${map}")
  file(CONFIGURE OUTPUT "${symbols}" CONTENT "${map}" @ONLY)
  onecast_cgns_library(${target} ${objects} cgns ${version} "${symbols}")
  target_sources(${target} PRIVATE "${cgns}/abi/before_4_1.c")
  target_include_directories(${target} PRIVATE "${cgns}/include" "${headers}")
endfunction()

onecast_cgns_library(
  onecast_cgns_shared onecast_cgns onecast_cgns ${ONECAST_ABI} "${cgns}/symbols.map")
install(TARGETS onecast_cgns_shared EXPORT OnecastTargets ${onecast_component})
target_include_directories(onecast_cgns_shared
                           INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(ONECAST_CGNS_ABI)
  onecast_cgns_in_place(onecast_cgns_abi onecast_cgns "${cgns_generated}"
                        ${ONECAST_CGNS_ABI_VERSION})
  install(TARGETS onecast_cgns_abi ${onecast_component})
endif()
# This library replaces Debian's in tests/cgns/test_abi.py, which builds it.
if(ONECAST_TESTS)
  set(debian "${PROJECT_BINARY_DIR}/debian")
  # The Fortran modules keep the width of the library.
  function(onecast_cgns_config_of_32_bits folder)
    set(ONECAST_CGNS_IS_64BIT 0)
    configure_file("${cgns}/include/cgnsconfig.h.in" "${folder}/cgnsconfig.h" @ONLY)
  endfunction()
  onecast_cgns_config_of_32_bits("${debian}")
  get_target_property(sources onecast_cgns SOURCES)
  add_library(onecast_cgns_32 OBJECT EXCLUDE_FROM_ALL ${sources})
  # Checks examine each source once.
  set_target_properties(onecast_cgns_32 PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
  target_include_directories(onecast_cgns_32 PRIVATE "${debian}" "${cgns}/include" "${cgns}/src"
                             "${cgns_made}")
  target_link_libraries(onecast_cgns_32 PRIVATE onecast::onecast onecast_warnings)
  target_compile_definitions(onecast_cgns_32 PRIVATE ONECAST_CGNS_ANY_MPI=1)
  onecast_precompiled_in(onecast_capi onecast_cgns_32)
  onecast_in_batches(onecast_cgns_32)
  onecast_cgns_in_place(onecast_cgns_debian onecast_cgns_32 "${debian}" 3.4)
  set_target_properties(onecast_cgns_debian PROPERTIES EXCLUDE_FROM_ALL ON
                                                       LIBRARY_OUTPUT_DIRECTORY "${debian}")
endif()

configure_file("${ONECAST_SOURCES}/cmake/onecast-cgns.pc.in" "${generated}/onecast-cgns.pc" @ONLY)
install(FILES "${generated}/onecast-cgns.pc" DESTINATION "${onecast_pkgconfig}"
        ${onecast_component})
set(onecast_cgns_headers cgnslib.h cgns_io.h cgnstypes.h)
if(ONECAST_MPI)
  list(APPEND onecast_cgns_headers pcgnslib.h)
endif()
list(TRANSFORM onecast_cgns_headers PREPEND "${cgns}/include/")
install(FILES ${onecast_cgns_headers} "${cgns_generated}/cgnsconfig.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${onecast_component})
