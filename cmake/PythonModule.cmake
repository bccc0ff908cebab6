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

# The command onecast, with the package beside the library, for the Python of this build, which has
# the packages that it needs: `make install`.
include(GNUInstallDirs)
set(onecast_home "${CMAKE_INSTALL_LIBDIR}/onecast")
file(RELATIVE_PATH ONECAST_HOME "/${CMAKE_INSTALL_BINDIR}" "/${onecast_home}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/onecast.in" "${PROJECT_BINARY_DIR}/package/onecast" @ONLY)
set(onecast_command COMPONENT command EXCLUDE_FROM_ALL)
install(PROGRAMS "${PROJECT_BINARY_DIR}/package/onecast" DESTINATION "${CMAKE_INSTALL_BINDIR}"
        ${onecast_command})
install(TARGETS _core LIBRARY DESTINATION "${onecast_home}/onecast" ${onecast_command})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/onecast" "${PROJECT_SOURCE_DIR}/cli/onecast_cli"
        DESTINATION "${onecast_home}" ${onecast_command}
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
# As in pyproject.toml: the model without its fit.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bench/onecast_model" DESTINATION "${onecast_home}"
        ${onecast_command} PATTERN "fit.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
