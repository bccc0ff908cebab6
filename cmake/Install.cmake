# Builds libonecast.so: all layers in one library that exports only the public functions
# (symbols.map), so that a program needs neither a C++ linker nor the libraries behind it. `cmake
# --install` installs it with the headers, for find_package(Onecast) and pkg-config.
include(CMakePackageConfigHelpers)
include(Packaging)

get_property(onecast_layers GLOBAL PROPERTY ONECAST_LAYERS)
list(TRANSFORM onecast_layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE onecast_objects)
set(onecast_symbols "${PROJECT_SOURCE_DIR}/cmake/symbols.map")
add_library(onecast_shared SHARED ${onecast_objects})
target_link_libraries(onecast_shared PRIVATE fmt::fmt onecast_native_xxhash ${ONECAST_CODECS})
onecast_link_mpi(onecast_shared)
target_include_directories(onecast_shared
                           INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# The C++ headers need C++20; programs in C are not affected.
target_compile_features(onecast_shared INTERFACE cxx_std_20)
# MPI_Finalize calls a function of the library, and threads run in it, also if a plug-in that used it
# has been unloaded.
target_link_options(onecast_shared PRIVATE "LINKER:--version-script=${onecast_symbols}"
                    LINKER:-z,nodelete)
set_target_properties(
  onecast_shared
  PROPERTIES OUTPUT_NAME onecast EXPORT_NAME onecast
             VERSION ${PROJECT_VERSION} SOVERSION ${ONECAST_ABI}
             LINKER_LANGUAGE CXX LINK_DEPENDS "${onecast_symbols}"
             INSTALL_RPATH_USE_LINK_PATH ON)

if(ONECAST_MPI_PROGRAMS)
  set(ONECAST_MPI_C_WRAPPER "${MPI_C_COMPILER}")
  string(REGEX REPLACE "mpicc([^/]*)$" "mpicxx\\1" ONECAST_MPI_CXX_WRAPPER "${MPI_C_COMPILER}")
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/OnecastConfig.cmake.in"
                              "${generated}/OnecastConfig.cmake"
                              INSTALL_DESTINATION "${onecast_package}")
write_basic_package_version_file("${generated}/OnecastConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
configure_file("${PROJECT_SOURCE_DIR}/cmake/onecast.pc.in" "${generated}/onecast.pc" @ONLY)

if(NOT ONECAST_MPI)
  set(onecast_left_out PATTERN "onecast_mpi.h" EXCLUDE PATTERN "capi/mpi.h" EXCLUDE
      PATTERN "mpi.hpp" EXCLUDE PATTERN "any_mpi.hpp" EXCLUDE)
endif()
install(TARGETS onecast_shared EXPORT OnecastTargets ${onecast_component})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/onecast" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        ${onecast_component} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" ${onecast_left_out})
install(EXPORT OnecastTargets NAMESPACE onecast:: DESTINATION "${onecast_package}"
        ${onecast_component})
install(FILES "${generated}/OnecastConfig.cmake" "${generated}/OnecastConfigVersion.cmake"
        DESTINATION "${onecast_package}" ${onecast_component})
install(FILES "${generated}/onecast.pc" DESTINATION "${onecast_pkgconfig}" ${onecast_component})
