# Builds the plug-in for stock HDF5 (plugins/hdf5): one file with all of Onecast in it, which shows
# only the two functions that HDF5 looks for, and is linked to no HDF5.
option(ONECAST_HDF5_PLUGIN "Build the plug-in for stock HDF5" ON)
# Clang links a library to no sanitizer, and no fuzz program needs the plug-in.
if(NOT ONECAST_HDF5_PLUGIN OR ONECAST_FUZZ)
  return()
endif()

set(hdf5_plugin "${PROJECT_SOURCE_DIR}/plugins/hdf5")
set(hdf5_plugin_symbols "${PROJECT_SOURCE_DIR}/cmake/hdf5_plugin.map")
file(GLOB hdf5_plugin_sources CONFIGURE_DEPENDS "${hdf5_plugin}/src/*/*.cpp")
add_library(onecast_hdf5_plugin MODULE ${hdf5_plugin_sources})
target_include_directories(onecast_hdf5_plugin PRIVATE "${hdf5_plugin}" "${hdf5_plugin}/src")
target_link_libraries(onecast_hdf5_plugin PRIVATE onecast::onecast onecast_warnings)
target_compile_definitions(onecast_hdf5_plugin PRIVATE $<$<BOOL:${ONECAST_MPI}>:ONECAST_HAVE_MPI=1>)
onecast_precompiled_in(onecast_capi onecast_hdf5_plugin)
# Its threads outlive the call with which a libhdf5 closes it.
target_link_options(onecast_hdf5_plugin PRIVATE "LINKER:--version-script=${hdf5_plugin_symbols}"
                    "LINKER:-z,nodelete" "LINKER:-z,defs")
# It lies beside the compiled Python modules; `onecast drop-in` finds it there.
set_target_properties(
  onecast_hdf5_plugin
  PROPERTIES PREFIX "lib" OUTPUT_NAME onecast_hdf5
             LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/onecast/hdf5_plugin"
             LINK_DEPENDS "${hdf5_plugin_symbols}")
install(TARGETS onecast_hdf5_plugin LIBRARY DESTINATION onecast/hdf5_plugin COMPONENT python
        EXCLUDE_FROM_ALL OPTIONAL)
