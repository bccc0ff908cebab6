# Headers that many units include are compiled once: most of the time goes into them. clang-tidy reads
# each unit as it stands, so that none lacks an #include.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile ON)
else()
  set(precompile OFF)
endif()
option(ONECAST_PRECOMPILE "Compile headers of many units once" ${precompile})
if(ONECAST_PRECOMPILE)
  # MPI asks for it in some layers, and what is compiled once must be compiled alike.
  add_compile_options(-pthread)
  # ccache needs to see which precompiled header a unit uses.
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

# onecast_precompiled_in(TARGET USER): it is compiled alike, with the headers of TARGET.
function(onecast_precompiled_in target user)
  if(ONECAST_PRECOMPILE)
    target_precompile_headers(${user} REUSE_FROM ${target})
  endif()
endfunction()

# onecast_in_batches(TARGET): several sources are one unit for the compiler, which instantiates
# templates once for all of them. Not with a sanitizer, which makes them large enough.
function(onecast_in_batches target)
  if(ONECAST_PRECOMPILE AND NOT ONECAST_SANITIZE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()

# onecast_precompile(TARGET HEADERS HEADER... ALSO LAYER...): for the sources of TARGET and of those
# layers, which are compiled alike. Those that have none are left out.
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
