# onecast_abi: libonecast.so as `make abi` describes it. Its C functions are compiled with debug
# information, which has their parameters and the structs and classes of the public headers.
get_target_property(capi_sources onecast_capi SOURCES)
set(other_layers ${onecast_layers})
list(REMOVE_ITEM other_layers onecast_capi)
list(TRANSFORM other_layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE other_objects)
add_library(onecast_abi SHARED EXCLUDE_FROM_ALL ${capi_sources} ${other_objects})
# Checks examine each source once.
set_target_properties(
  onecast_abi PROPERTIES OUTPUT_NAME onecast SOVERSION ${ONECAST_ABI}
                         EXPORT_COMPILE_COMMANDS OFF LINKER_LANGUAGE CXX
                         LINK_DEPENDS "${onecast_symbols}"
                         LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/abi")
target_compile_options(onecast_abi PRIVATE -g -O0)
target_include_directories(onecast_abi PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(onecast_abi PRIVATE onecast_capi fmt::fmt onecast_native_xxhash
                                          ${ONECAST_CODECS})
target_link_options(onecast_abi PRIVATE "LINKER:--version-script=${onecast_symbols}")
onecast_link_mpi(onecast_abi)
onecast_in_batches(onecast_abi)
