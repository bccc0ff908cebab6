# The language, the warnings, and the instrumented builds.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# -O3 costs build time and gains nothing here.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

# GCC else takes it that other libraries may replace the functions of a shared one, and inlines none
# of these; other compilers do not.
add_compile_options($<$<COMPILE_LANG_AND_ID:C,GNU>:-fno-semantic-interposition>
                    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)

# From 128 MB on, GCC looks for memory to free again and again, and finds little: that costs a tenth
# of the time of a build.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>)

# Colours stay on when ninja collects the output.
if(CMAKE_GENERATOR STREQUAL "Ninja" AND NOT DEFINED ENV{CI})
  add_compile_options(-fdiagnostics-color=always)
endif()

add_library(onecast_warnings INTERFACE)
target_compile_options(
  onecast_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            # In a batch, a name in one test may shadow a name of another.
            $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>
            -Wconversion
            -Wsign-conversion
            $<$<BOOL:${ONECAST_WERROR}>:-Werror>)

if(ONECAST_SANITIZE)
  add_compile_options(-fsanitize=${ONECAST_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ONECAST_SANITIZE})
  # GCC's sanitizer code hides from GCC that a value is set.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(ONECAST_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
