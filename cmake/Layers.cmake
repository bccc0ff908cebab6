# The folder of the whole project, also for a domain that is built by itself (Alone.cmake).
get_filename_component(ONECAST_SOURCES "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)

# onecast_layer(NAME USES LAYER...): the library onecast_NAME of src/NAME/**.cpp.
# Files named *_mpi.cpp are compiled only in a build with MPI.
# A folder without sources yet is a library of headers.
function(onecast_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" USES)
  string(REPLACE "/" "_" target "onecast_${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${ONECAST_SOURCES}/src/${name}/*.cpp")
  set(mpi_sources ${sources})
  list(FILTER mpi_sources INCLUDE REGEX "_mpi\\.cpp$")
  if(NOT ONECAST_MPI)
    list(FILTER sources EXCLUDE REGEX "_mpi\\.cpp$")
  endif()

  if(sources)
    add_library(${target} STATIC ${sources})
    set_property(GLOBAL APPEND PROPERTY ONECAST_LAYERS ${target})
    set(public PUBLIC)
    target_include_directories(${target} PRIVATE "${ONECAST_SOURCES}/src")
    target_link_libraries(${target} PRIVATE onecast_warnings)
    onecast_in_batches(${target})
    if(mpi_sources)
      onecast_link_mpi(${target})
    endif()
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
  endif()
  target_include_directories(${target} ${public} "${ONECAST_SOURCES}/include")
  target_compile_definitions(${target} ${public} ONECAST_VERSION="${PROJECT_VERSION}"
                                       $<$<BOOL:${ONECAST_MPI}>:ONECAST_HAVE_MPI=1>)
  list(TRANSFORM layer_USES PREPEND onecast_)
  list(TRANSFORM layer_USES REPLACE "/" "_")
  target_link_libraries(${target} ${public} ${layer_USES})
endfunction()

# onecast_headers(NAME USES LAYER...): the public headers of a layer that has only rooms, NAME/ROOM.
function(onecast_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" USES)
  add_library(onecast_${name} INTERFACE)
  list(TRANSFORM layer_USES PREPEND onecast_)
  target_link_libraries(onecast_${name} INTERFACE ${layer_USES})
endfunction()

# onecast_link_private(TARGET LIBRARY...): links libraries to the sources of a layer, if it has any.
function(onecast_link_private target)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# onecast_domain(NAME [ROOMS ROOM...]): the library onecast_NAME of the folder NAME, which uses
# public headers only. Its own public headers are in NAME/include if that exists, else in NAME. Its
# sources are in NAME, NAME/src and the rooms, which are folders of NAME/src; tools/check_layers.py
# reads the order of the rooms. ONECAST_EVENTS=OFF, for example, leaves a domain out.
function(onecast_domain name)
  string(TOUPPER "ONECAST_${name}" wanted)
  if(DEFINED ${wanted} AND NOT ${wanted})
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 domain "" "" ROOMS)
  set(folder "${ONECAST_SOURCES}/${name}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/src/*.cpp")
  foreach(room IN LISTS domain_ROOMS)
    file(GLOB in_room CONFIGURE_DEPENDS "${folder}/src/${room}/*.cpp")
    list(APPEND sources ${in_room})
  endforeach()
  if(NOT ONECAST_MPI)
    list(FILTER sources EXCLUDE REGEX "_mpi\\.cpp$")
  endif()
  if(NOT sources)
    return()
  endif()
  set(headers "${folder}")
  if(EXISTS "${folder}/include")
    set(headers "${folder}/include")
  endif()
  add_library(onecast_${name} STATIC ${sources})
  target_include_directories(onecast_${name} PUBLIC "${headers}")
  target_link_libraries(onecast_${name} PUBLIC onecast::onecast PRIVATE fmt::fmt onecast_warnings)
  onecast_precompiled_in(onecast_capi onecast_${name})
  onecast_in_batches(onecast_${name})
  set_property(GLOBAL APPEND PROPERTY ONECAST_DOMAINS onecast_${name})
endfunction()

# onecast_compile_private(TARGET OPTION...): compiles the sources of a layer with options, if it has
# any.
function(onecast_compile_private target)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_compile_options(${target} PRIVATE ${ARGN})
  endif()
endfunction()
