# Each fuzz/*_fuzz.cpp is one libFuzzer program; `make fuzz` runs them.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "fuzzing needs clang: make fuzz")
endif()

file(GLOB onecast_fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*_fuzz.cpp")
foreach(source IN LISTS onecast_fuzzers)
  cmake_path(GET source STEM target)
  add_executable(${target} "${source}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src"
                                               "${PROJECT_SOURCE_DIR}/tests"
                                               "${PROJECT_SOURCE_DIR}/events/src")
  target_compile_options(${target} PRIVATE -fsanitize=fuzzer -DONECAST_IGNORE_CHECKSUMS)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${target} PRIVATE onecast::onecast onecast::cgns onecast::events
                                          onecast_warnings)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
endforeach()
# The core is instrumented, too, for the coverage that guides libFuzzer. No fuzzer finds a matching
# checksum.
foreach(layer IN ITEMS base comm transport format structures types filters space collective pages objects
                       capi cgns events)
  onecast_compile_private(onecast_${layer} -fsanitize=fuzzer-no-link -DONECAST_IGNORE_CHECKSUMS)
endforeach()
