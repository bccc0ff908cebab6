# The libraries that the core links: fmt, xxHash for src/pages, and the codecs of chunks for
# src/filters.

find_package(fmt REQUIRED)

# cmake/Events.cmake finds the other libraries of the events layer.
find_package(TBB QUIET)
find_package(nlohmann_json QUIET)
set(onecast_events_found OFF)
if(TBB_FOUND AND nlohmann_json_FOUND)
  set(onecast_events_found ON)
endif()
option(ONECAST_EVENTS "Build the events layer, which needs oneTBB and nlohmann_json"
       ${onecast_events_found})

# Archives are linked into wheels (tools/wheel.sh). Their objects must be independent of their
# position, and need no further libraries.
set(ONECAST_STATIC_CODECS "" CACHE STRING "Codecs whose archives are linked, such as zstd;lz4")

# onecast_find_native(HEADER LIBRARY): looks for both.
macro(onecast_find_native header library)
  find_path(onecast_native_${library}_include ${header})
  set(onecast_names ${library})
  if("${library}" IN_LIST ONECAST_STATIC_CODECS)
    set(onecast_names lib${library}.a ${library})
  endif()
  find_library(onecast_native_${library}_library NAMES ${onecast_names})
endmacro()

# onecast_native(HEADER LIBRARY PACKAGE): makes the target onecast_native_LIBRARY.
function(onecast_native header library package)
  set(target onecast_native_${library})
  onecast_find_native(${header} ${library})
  mark_as_advanced(${target}_include ${target}_library)
  if(NOT ${target}_include OR NOT ${target}_library)
    message(FATAL_ERROR "lib${library} is missing (Debian: ${package}); tools/setup.sh installs it")
  endif()
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(
    ${target} PROPERTIES IMPORTED_LOCATION "${${target}_library}"
                         INTERFACE_INCLUDE_DIRECTORIES "${${target}_include}")
endfunction()

# onecast_codec(HEADER LIBRARY PACKAGE): makes that target for a codec, which is optional, and adds
# its library to ONECAST_CODECS and to ONECAST_HAVE_CODECS. Only filters and the compression of
# events use codecs (tools/check_layers.py). Filters whose library is missing are refused by name.
option(ONECAST_ALL_CODECS "Stop if the library of a codec is missing" OFF)
set(ONECAST_WITHOUT_CODECS "" CACHE STRING "Codecs to build without, such as zstd;lz4")
set(ONECAST_CODECS)
set(ONECAST_HAVE_CODECS)
macro(onecast_codec header library package)
  onecast_find_native(${header} ${library})
  if("${library}" IN_LIST ONECAST_WITHOUT_CODECS)
    message(STATUS "Without lib${library}: its filters are refused")
  elseif(ONECAST_ALL_CODECS OR (onecast_native_${library}_include
                                AND onecast_native_${library}_library))
    onecast_native(${header} ${library} ${package})
    list(APPEND ONECAST_CODECS onecast_native_${library})
    string(TOUPPER "ONECAST_HAVE_${library}" onecast_have)
    list(APPEND ONECAST_HAVE_CODECS ${onecast_have})
  else()
    message(WARNING "lib${library} is missing (Debian: ${package}): its filters are refused")
  endif()
endmacro()

# tools/setup.sh lists the same packages, and those of cmake/Events.cmake.
onecast_native(xxhash.h xxhash libxxhash-dev)
onecast_codec(libdeflate.h deflate libdeflate-dev)
onecast_codec(libaec.h aec libaec-dev)
onecast_codec(liblzf/lzf.h lzf liblzf-dev)
onecast_codec(lz4.h lz4 liblz4-dev)
onecast_codec(zstd.h zstd libzstd-dev)
onecast_codec(blosc.h blosc libblosc-dev)
onecast_codec(bzlib.h bz2 libbz2-dev)
