# Most of the time of a build goes into headers that many sources include, and into templates that
# many instantiate. So headers are compiled once, and several sources form one unit for the
# compiler. The preset `dev` compiles each source by itself: a source that lacks an #include fails
# there.
option(ONECAST_BATCHES "Compile several sources at once" ON)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile ON)
else()
  set(precompile OFF)
endif()
option(ONECAST_PRECOMPILE "Compile headers of many units once" ${precompile})
if(ONECAST_PRECOMPILE)
  # MPI sets this flag in some layers, and a precompiled header requires equal flags everywhere.
  add_compile_options(-pthread)
  # ccache needs to see which precompiled header a unit uses.
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    # A header that came from the cache and does not fit is ignored.
    set(CMAKE_PCH_WARN_INVALID OFF)
  endif()
endif()

# onecast_precompiled_in(TARGET USER): compiles USER with equal flags and the headers of TARGET.
function(onecast_precompiled_in target user)
  if(ONECAST_PRECOMPILE AND TARGET ${target})
    target_precompile_headers(${user} REUSE_FROM ${target})
  endif()
endfunction()

# onecast_in_batches(TARGET): compiles sources in batches; no two of them may define different
# things by one name.
function(onecast_in_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ONECAST_BATCHES} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# onecast_by_itself(SOURCE...): keeps a source out of batches.
function(onecast_by_itself)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# onecast_precompile(TARGET HEADERS HEADER... ALSO LAYER...): precompiles headers for the sources of
# TARGET and of these layers, which have equal flags. Layers without sources are ignored.
# Headers of the project are named by their whole paths, which tell ccache one clone from another
# (tools/ccache.sh).
function(onecast_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 these "" "" "HEADERS;ALSO")
  if(NOT ONECAST_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${these_HEADERS})
  foreach(layer IN LISTS these_ALSO)
    string(REPLACE "/" "_" layer "onecast_${layer}")
    get_target_property(type ${layer} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      onecast_precompiled_in(${target} ${layer})
    endif()
  endforeach()
endfunction()
