# Builds the Fortran modules: cgns, in libonecast_cgns_f.so over libonecast_cgns.so, and onecast.
# ONECAST_FORTRAN: ON needs a Fortran compiler and Python, which writes the sources; OFF leaves the
# modules out; AUTO uses gfortran if it is found.
set(ONECAST_FORTRAN AUTO CACHE STRING "Build the Fortran modules: ON, OFF or AUTO")
# The first version that passes arguments of any rank as Fortran 2018 requires.
set(onecast_first_gfortran 12)

if(NOT ONECAST_SHARED)
  set(ONECAST_FORTRAN OFF)
endif()
if(ONECAST_FORTRAN STREQUAL "AUTO")
  include(CheckLanguage)
  check_language(Fortran)
  find_package(Python 3.11 QUIET COMPONENTS Interpreter)
  set(ONECAST_FORTRAN OFF)
  if(CMAKE_Fortran_COMPILER AND Python_Interpreter_FOUND)
    enable_language(Fortran)
    if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU"
       AND CMAKE_Fortran_COMPILER_VERSION VERSION_GREATER_EQUAL onecast_first_gfortran)
      set(ONECAST_FORTRAN ON)
    endif()
  endif()
elseif(ONECAST_FORTRAN)
  enable_language(Fortran)
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
endif()
message(STATUS "Onecast with Fortran: ${ONECAST_FORTRAN}")
if(NOT ONECAST_FORTRAN)
  return()
endif()

# The header belongs to the Fortran compiler, even if the C compiler is of another maker.
execute_process(COMMAND "${CMAKE_Fortran_COMPILER}" -print-file-name=include
                OUTPUT_VARIABLE onecast_fortran_include OUTPUT_STRIP_TRAILING_WHITESPACE)
set(onecast_modules "${PROJECT_BINARY_DIR}/fortran")
add_library(onecast_fortran_warnings INTERFACE)
set(CMAKE_Fortran_FLAGS_RELEASE "-O2")
# An argument may exist only for its type; values must compare exactly as they were written.
target_compile_options(
  onecast_fortran_warnings
  INTERFACE $<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-std=f2018
            -Wall
            -Wextra
            -Wimplicit-interface
            -Wno-unused-dummy-argument
            -Wno-compare-reals
            $<$<BOOL:${ONECAST_WERROR}>:-Werror>>
            $<$<COMPILE_LANGUAGE:C>:$<TARGET_PROPERTY:onecast_warnings,INTERFACE_COMPILE_OPTIONS>>)

# onecast_fortran_library(NAME MODULE ... PACKAGE ... TARGET ... OVER ... REQUIRES ... SOURCES ...):
# libNAME.so with the module that programs use, over the library OVER. Once installed, it is PACKAGE
# in pkg-config, above REQUIRES, and onecast::TARGET in CMake.
function(onecast_fortran_library name)
  cmake_parse_arguments(PARSE_ARGV 1 fortran "" "MODULE;PACKAGE;TARGET;OVER;REQUIRES" "SOURCES")
  add_library(${name} SHARED ${fortran_SOURCES})
  set(onecast_fortran_libraries ${onecast_fortran_libraries} ${name} PARENT_SCOPE)
  # Programs also call the C functions directly.
  target_link_libraries(${name} PUBLIC ${fortran_OVER} PRIVATE onecast_fortran_warnings)
  target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${onecast_modules}>"
                                               "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set_target_properties(
    ${name}
    PROPERTIES EXPORT_NAME ${fortran_TARGET} LINKER_LANGUAGE Fortran
               SOVERSION ${ONECAST_ABI}
               Fortran_MODULE_DIRECTORY "${onecast_modules}" INSTALL_RPATH "$ORIGIN"
               INSTALL_RPATH_USE_LINK_PATH ON)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/fortran.pc.in"
                 "${generated}/${fortran_PACKAGE}.pc" @ONLY)
  install(TARGETS ${name} EXPORT OnecastTargets ${onecast_component})
  install(FILES "${generated}/${fortran_PACKAGE}.pc" DESTINATION "${onecast_pkgconfig}"
          ${onecast_component})
  # The module file includes all that gfortran needs of the modules below.
  install(FILES "${onecast_modules}/${fortran_MODULE}.mod"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${onecast_component})
endfunction()

# Marks C sources that inspect arguments from Fortran.
function(onecast_describes_arguments)
  set_source_files_properties(${ARGV} PROPERTIES INCLUDE_DIRECTORIES "${onecast_fortran_include}")
endfunction()

set(onecast_fortran_made "${PROJECT_BINARY_DIR}/fortran_made")
file(GLOB onecast_c_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/onecast/capi/*.h")
add_custom_command(
  OUTPUT "${onecast_fortran_made}/interfaces.f90"
  COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/onecast_fortran.py"
          "${onecast_fortran_made}" $<$<BOOL:${ONECAST_MPI}>:--mpi>
  DEPENDS ${onecast_c_headers}
          "${PROJECT_SOURCE_DIR}/tools/onecast_fortran.py"
          "${PROJECT_SOURCE_DIR}/tools/fortran_source.py"
  COMMAND_EXPAND_LISTS VERBATIM)
set(onecast_fortran "${PROJECT_SOURCE_DIR}/fortran")
onecast_describes_arguments("${onecast_fortran}/size_of.c")
onecast_fortran_library(
  onecast_f
  MODULE onecast PACKAGE onecast-fortran TARGET fortran OVER onecast_shared REQUIRES onecast
  SOURCES "${onecast_fortran_made}/interfaces.f90"
          "${onecast_fortran}/$<IF:$<BOOL:${ONECAST_MPI}>,communicators,no_communicators>.f90"
          "${onecast_fortran}/helpers.f90" "${onecast_fortran}/onecast.f90"
          "${onecast_fortran}/size_of.c")

if(TARGET onecast_cgns_shared)
  set(cgns_fortran "${PROJECT_SOURCE_DIR}/cgns/fortran")
  set(cgns_fortran_made "${PROJECT_BINARY_DIR}/cgns/fortran")
  set(cgns_fortran_sources constants c by_hand subroutines cgns)
  list(TRANSFORM cgns_fortran_sources REPLACE "(.+)" "${cgns_fortran_made}/\\1.f90")
  set(onecast_size 32)
  if(ONECAST_CGNS_IS_64BIT)
    set(onecast_size 64)
  endif()
  add_custom_command(
    OUTPUT ${cgns_fortran_sources}
    COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/cgns_fortran.py"
            "${cgns_fortran_made}" --size ${onecast_size} $<$<BOOL:${ONECAST_MPI}>:--mpi>
    DEPENDS "${PROJECT_SOURCE_DIR}/tools/cgns_fortran.py"
            "${PROJECT_SOURCE_DIR}/tools/cgns_tables.py"
            "${PROJECT_SOURCE_DIR}/tools/fortran_source.py" "${cgns}/functions.toml"
            "${cgns}/enums.toml" "${cgns_fortran}/differences.toml" "${cgns_fortran}/by_hand.f90"
    COMMAND_EXPAND_LISTS VERBATIM)
  onecast_fortran_library(
    onecast_cgns_f
    MODULE cgns PACKAGE onecast-cgns-fortran TARGET cgns_fortran OVER onecast_cgns_shared
    REQUIRES onecast-cgns
    SOURCES ${cgns_fortran_sources} "${cgns_fortran}/texts.f90" "${cgns_fortran}/from_fortran.c")
  target_include_directories(onecast_cgns_f PRIVATE "${cgns}/include" "${cgns_generated}")
  onecast_describes_arguments("${cgns_fortran}/from_fortran.c")
  if(ONECAST_MPI)
    target_compile_definitions(onecast_cgns_f PRIVATE ONECAST_HAVE_MPI=1)
  endif()
  foreach(header cgnstypes_f.h cgnstypes_f03.h)
    configure_file("${cgns_fortran}/${header}.in" "${onecast_modules}/${header}" @ONLY)
    install(FILES "${onecast_modules}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
            ${onecast_component})
  endforeach()
endif()
