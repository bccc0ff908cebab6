# Each folder of tests/ becomes one executable, and each executable one test of ctest; tests/support
# is shared. tests/mpi has a main of its own and runs at each number of ranks in ONECAST_TEST_RANKS:
# at those in quick_ranks by `make test`, at the others by `make test-long` (label `long`).
set(quick_ranks 1 3)
find_package(GTest REQUIRED)
get_property(onecast_domains GLOBAL PROPERTY ONECAST_DOMAINS)

set(onecast_tests "${PROJECT_SOURCE_DIR}/tests")
add_library(onecast_test_base INTERFACE)
target_include_directories(onecast_test_base INTERFACE "${onecast_tests}"
                                                       "${PROJECT_SOURCE_DIR}/src"
                                                       "${PROJECT_SOURCE_DIR}/cgns/src"
                                                       "${PROJECT_BINARY_DIR}/cgns/src"
                                                       "${PROJECT_SOURCE_DIR}/events/src")
# Tests do not measure their own speed. Without any optimisation, they run longer than they compile.
target_compile_options(onecast_test_base INTERFACE "$<$<CONFIG:Release>:-O1>")
target_link_libraries(onecast_test_base INTERFACE onecast::onecast ${onecast_domains}
                                                  GTest::gtest onecast_warnings)

file(GLOB onecast_support CONFIGURE_DEPENDS "${onecast_tests}/support/*.cpp")
add_library(onecast_test_support STATIC ${onecast_support})
target_link_libraries(onecast_test_support PUBLIC onecast_test_base)
# Tests do not go into a library: otherwise programs and headers would be compiled with different
# flags.
set_target_properties(onecast_test_support PROPERTIES POSITION_INDEPENDENT_CODE OFF)
# Private headers are not precompiled: the test of one layer need not know the names in others.
onecast_precompile(
  onecast_test_support
  HEADERS <algorithm> <array> <filesystem> <fstream> <map> <random> <thread> <fmt/format.h>
          <gtest/gtest.h> "${PROJECT_SOURCE_DIR}/include/onecast/onecast.hpp")
# Only this source depends on the path of the project; the others compile alike in any clone.
set_source_files_properties(
  "${onecast_tests}/support/corpus.cpp"
  PROPERTIES COMPILE_DEFINITIONS ONECAST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# onecast_under_mpi(TEST RANKS PROGRAM...): reserves cores, since ranks would compete with other
# tests.
function(onecast_under_mpi name ranks)
  add_test(NAME ${name} COMMAND "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_PREFLAGS}
                                ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${ARGN})
  set_tests_properties(
    ${name}
    PROPERTIES PROCESSORS ${ranks} TIMEOUT 1200
               # MPI libraries leave memory allocated on purpose.
               ENVIRONMENT_MODIFICATION "ASAN_OPTIONS=string_append:detect_leaks=0")
endfunction()

# onecast_on_ranks(TARGET VARIABLE): makes a test of the program for each number of ranks in
# ONECAST_TEST_RANKS, and returns their names.
function(onecast_on_ranks target variable)
  set(tests)
  foreach(ranks IN LISTS ONECAST_TEST_RANKS)
    onecast_under_mpi(${target}_${ranks} ${ranks} $<TARGET_FILE:${target}>)
    if(NOT ranks IN_LIST quick_ranks)
      set_property(TEST ${target}_${ranks} PROPERTY LABELS long)
    endif()
    list(APPEND tests ${target}_${ranks})
  endforeach()
  set(${variable} ${tests} PARENT_SCOPE)
endfunction()

# onecast_plain_c(SOURCE...): compiles C sources as C99, like the public C headers.
function(onecast_plain_c)
  list(FILTER ARGN INCLUDE REGEX "\\.c$")
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS
                              "-std=c99;-pedantic-errors;-Wstrict-prototypes")
endfunction()

# A driver of devices without a device, with the functions of CUDA's and of HIP's.
foreach(kind cuda hip)
  add_library(
    onecast_fake_${kind} SHARED "${onecast_tests}/device/fake_driver/fake_driver.cpp"
                                "${onecast_tests}/device/fake_driver/device_work.cpp")
  target_link_libraries(onecast_fake_${kind} PRIVATE onecast_warnings)
endforeach()
target_compile_definitions(onecast_fake_hip PRIVATE FAKE_HIP)
# NVIDIA's cuFile on the first of them.
add_library(onecast_fake_cufile SHARED "${onecast_tests}/device/fake_driver/fake_cufile.cpp")
target_link_libraries(onecast_fake_cufile PRIVATE onecast_warnings ${CMAKE_DL_LIBS})
# What the tests call, on a real driver (tools/try_gpu.sh).
add_library(onecast_real_cuda SHARED "${onecast_tests}/device/real_driver/real_driver.cpp")
target_link_libraries(onecast_real_cuda PRIVATE onecast_warnings ${CMAKE_DL_LIBS})

set(seconds 600)
if(ONECAST_SANITIZE)
  set(seconds 3600) # a sanitizer takes up to ten times as long
endif()
# These folders instantiate some tests as `Long`, which get the label `long`.
set(areas_with_long_tests structures)
# These folders compile in half the time in batches: no two of their tests define different things
# by one name.
set(areas_in_batches capi format mpi objects pages structures)
onecast_by_itself("${onecast_tests}/mpi/refuse_memory.cpp")

file(GLOB onecast_areas CONFIGURE_DEPENDS LIST_DIRECTORIES true "${onecast_tests}/*")
foreach(folder IN LISTS onecast_areas)
  file(GLOB found CONFIGURE_DEPENDS "${folder}/*_test.cpp")
  if(NOT found)
    continue()
  endif()
  cmake_path(GET folder FILENAME area)
  if((area STREQUAL "mpi" AND NOT ONECAST_MPI_PROGRAMS) OR (area STREQUAL "events"
                                                   AND NOT TARGET onecast_events))
    continue()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.c")
  onecast_plain_c(${sources})
  set(target ${area}_tests)
  # C sources get their own target, since CMake would want the precompiled headers for them, too.
  set(in_c ${sources})
  list(FILTER in_c INCLUDE REGEX "\\.c$")
  list(FILTER sources EXCLUDE REGEX "\\.c$")
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE onecast_test_support)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  onecast_precompiled_in(onecast_test_support ${target})
  if(area IN_LIST areas_in_batches)
    onecast_in_batches(${target})
  endif()
  if(area STREQUAL "without_codecs")
    file(GLOB filters CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/filters/*.cpp")
    target_sources(${target} PRIVATE ${filters})
  endif()
  if(area STREQUAL "device")
    add_dependencies(${target} onecast_fake_cuda onecast_fake_hip onecast_fake_cufile)
    target_compile_definitions(${target}
                               PRIVATE ONECAST_FAKE_DRIVER="$<TARGET_FILE:onecast_fake_cuda>"
                                       ONECAST_FAKE_CUFILE="$<TARGET_FILE:onecast_fake_cufile>")
    add_test(NAME ${target}_hip COMMAND ${target})
    set_tests_properties(
      ${target}_hip
      PROPERTIES TIMEOUT ${seconds}
                 ENVIRONMENT "ONECAST_DEVICE_DRIVER=$<TARGET_FILE:onecast_fake_hip>")
  endif()
  if(in_c)
    add_library(${target}_in_c OBJECT ${in_c})
    target_link_libraries(${target}_in_c PRIVATE onecast_test_base)
    target_link_libraries(${target} PRIVATE ${target}_in_c)
  endif()
  if(area STREQUAL "mpi")
    target_link_libraries(${target} PRIVATE onecast::mpi)
    onecast_tests_with_other_mpis(${sources})
    foreach(ranks IN LISTS ONECAST_TEST_RANKS)
      onecast_under_mpi(${target}_${ranks} ${ranks} $<TARGET_FILE:${target}>)
      if(NOT ranks IN_LIST quick_ranks)
        set_property(TEST ${target}_${ranks} PROPERTY LABELS long)
      endif()
    endforeach()
    # Some of these tests run on a communicator of functions instead of MPI's.
    onecast_under_mpi(${target}_of_functions 3 $<TARGET_FILE:${target}>
                      "--gtest_filter=Async*:Chunk*:Collective*:Different*:Independent*:\
Leaving*:Multi*:OneFails*:Random*:RawData*:SameBytes*:Sharing*:Variable*")
    set_property(TEST ${target}_of_functions APPEND
                 PROPERTY ENVIRONMENT ONECAST_TEST_COMMUNICATOR=functions)
    set_property(TEST ${target}_of_functions PROPERTY LABELS long)
  else()
    if(NOT EXISTS "${folder}/main.cpp")
      target_link_libraries(${target} PRIVATE GTest::gtest_main)
    endif()
    add_test(NAME ${target} COMMAND ${target} --gtest_filter=-Long/*)
    set_tests_properties(${target} PROPERTIES TIMEOUT ${seconds})
    if(area IN_LIST areas_with_long_tests)
      add_test(NAME ${target}_long COMMAND ${target} --gtest_filter=Long/*)
      set_tests_properties(${target}_long PROPERTIES TIMEOUT 3600 LABELS long)
    endif()
  endif()
endforeach()

# onecast_example_name(SOURCE VARIABLE): examples/cgns/units.c becomes cgns_units.
function(onecast_example_name source variable)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/examples" OUTPUT_VARIABLE name)
  cmake_path(REMOVE_EXTENSION name)
  string(REPLACE "/" "_" name "${name}")
  set(${variable} "${name}" PARENT_SCOPE)
endfunction()

# Examples are tests: each is run in a directory of its own, *_mpi on three ranks (those of CGNS on
# each number of ranks). Examples of a domain lie in a folder with its name. The parallel examples
# of CGNS that are not in Fortran are also long tests.
file(GLOB onecast_examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp"
     "${PROJECT_SOURCE_DIR}/examples/*.c")
foreach(domain IN ITEMS cgns)
  file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/${domain}/*.c")
  if(TARGET onecast_${domain})
    list(APPEND onecast_examples ${found})
  endif()
endforeach()
foreach(source IN LISTS onecast_examples)
  onecast_example_name("${source}" name)
  if(name MATCHES "_mpi$" AND NOT ONECAST_MPI_PROGRAMS)
    continue()
  endif()
  onecast_plain_c("${source}")
  set(target example_${name})
  add_executable(${target} "${source}")
  # The core is C++, so a C example needs the C++ linker.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE onecast::mpi ${onecast_domains} onecast_warnings)
  set(tests ${target})
  if(name MATCHES "^cgns_.*_mpi$")
    onecast_on_ranks(${target} tests)
    string(REGEX REPLACE "\\.c$" ".f90" in_fortran "${source}")
    if(NOT EXISTS "${in_fortran}")
      set_property(TEST ${tests} PROPERTY LABELS long)
    endif()
  elseif(name MATCHES "_mpi$")
    onecast_under_mpi(${target} 3 $<TARGET_FILE:${target}>)
  else()
    add_test(NAME ${target} COMMAND ${target})
  endif()
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/examples/${name}")
  set_tests_properties(${tests} PROPERTIES WORKING_DIRECTORY
                                            "${PROJECT_BINARY_DIR}/examples/${name}"
                                            FAIL_REGULAR_EXPRESSION "onecast: warning")
endforeach()
if(ONECAST_FORTRAN)
  include(FortranTests)
endif()

# These shared libraries with a user's components are loaded by tests/events.
if(TARGET onecast_events)
  foreach(name IN ITEMS counting histogram)
    add_library(example_${name} MODULE "${PROJECT_SOURCE_DIR}/examples/events/${name}.cpp")
    target_link_libraries(example_${name} PRIVATE onecast_warnings)
    target_include_directories(example_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include"
                                                       "${PROJECT_SOURCE_DIR}/events/include")
  endforeach()
endif()
