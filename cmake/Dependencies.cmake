# Libraries that the core links: fmt, and libdeflate for the filter of that name.

find_package(fmt REQUIRED)

find_path(ONECAST_DEFLATE_INCLUDE libdeflate.h)
find_library(ONECAST_DEFLATE_LIBRARY deflate)
if(NOT ONECAST_DEFLATE_INCLUDE OR NOT ONECAST_DEFLATE_LIBRARY)
  message(FATAL_ERROR "libdeflate is missing (Debian: libdeflate-dev); tools/setup.sh installs it")
endif()
add_library(onecast_deflate UNKNOWN IMPORTED)
set_target_properties(
  onecast_deflate PROPERTIES IMPORTED_LOCATION "${ONECAST_DEFLATE_LIBRARY}"
                             INTERFACE_INCLUDE_DIRECTORIES "${ONECAST_DEFLATE_INCLUDE}")
set(ONECAST_DEFLATE onecast_deflate)
