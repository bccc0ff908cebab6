# onecast._core, of python/src/*.cpp: in BUILD/python/onecast, where tools/dev/onecast_dev.py finds
# it for the checkout, and installed beside the package by pyproject.toml.
file(GLOB onecast_python CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/*.cpp")
if(NOT ONECAST_MPI)
  list(FILTER onecast_python EXCLUDE REGEX "_mpi\\.cpp$")
endif()
if(NOT onecast_python)
  return()
endif()

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
if(NOT nanobind_DIR)
  execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
                  OUTPUT_VARIABLE nanobind_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(nanobind CONFIG REQUIRED)

nanobind_add_module(_core STABLE_ABI NB_STATIC NB_SUPPRESS_WARNINGS ${onecast_python})
target_link_libraries(_core PRIVATE onecast::onecast onecast_warnings)
set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY
                                       "${PROJECT_BINARY_DIR}/python/onecast"
                                       INSTALL_RPATH_USE_LINK_PATH ON)
# The package itself comes by pyproject.toml: not part of `cmake --install`.
install(TARGETS _core LIBRARY DESTINATION onecast COMPONENT python EXCLUDE_FROM_ALL)
