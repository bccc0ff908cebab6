# Builds the emulated striped file system of lab/ into BUILD/lab, if libfuse 3 is installed.
find_path(ONECAST_FUSE_INCLUDE fuse_lowlevel.h PATH_SUFFIXES fuse3)
find_library(ONECAST_FUSE_LIBRARY fuse3)
mark_as_advanced(ONECAST_FUSE_INCLUDE ONECAST_FUSE_LIBRARY)
if(NOT ONECAST_FUSE_INCLUDE OR NOT ONECAST_FUSE_LIBRARY)
  message(STATUS "lab: left out, there is no libfuse 3 (Debian: libfuse3-dev)")
  return()
endif()

find_package(Threads REQUIRED)
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lab/*.cpp")
add_executable(onecast_lab ${sources})
target_include_directories(onecast_lab SYSTEM PRIVATE "${ONECAST_FUSE_INCLUDE}")
target_link_libraries(onecast_lab PRIVATE "${ONECAST_FUSE_LIBRARY}" fmt::fmt Threads::Threads
                                          onecast_warnings)
set_target_properties(onecast_lab PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lab")

if(ONECAST_MPI_PROGRAMS)
  add_executable(lab_mpiio "${PROJECT_SOURCE_DIR}/lab/examples/mpiio.c")
  target_link_libraries(lab_mpiio PRIVATE MPI::MPI_C onecast_warnings)
  set_target_properties(lab_mpiio PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lab")
endif()
