# Builds onecast._core from python/src/*.cpp, onecast._cgns from cgns/python/*.cpp, and
# onecast._events from events/python/*.cpp: in BUILD/python/onecast, where tools/dev/onecast_dev.py
# finds them for the checkout. pyproject.toml installs them beside the package.
file(GLOB onecast_python CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/*.cpp")
if(NOT ONECAST_MPI)
  list(FILTER onecast_python EXCLUDE REGEX "_mpi\\.cpp$")
endif()
if(NOT onecast_python)
  return()
endif()

# A wheel from Python 3.12 on has modules for the stable ABI, if pyproject.toml asks for it.
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module
                                             ${SKBUILD_SABI_COMPONENT})
if(NOT nanobind_DIR)
  execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
                  OUTPUT_VARIABLE nanobind_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(nanobind CONFIG REQUIRED)

set(onecast_module_symbols "${PROJECT_SOURCE_DIR}/cmake/python_module.map")
include(GNUInstallDirs)
set(onecast_home "${CMAKE_INSTALL_LIBDIR}/onecast")
set(onecast_command COMPONENT command EXCLUDE_FROM_ALL)

# onecast_python_module(NAME LIBRARY SOURCE...): the compiled module onecast.NAME over a library,
# for the checkout, for the wheel (pyproject.toml adds the package itself) and for the command.
function(onecast_python_module name library)
  # The module, and nanobind's library.
  set(CMAKE_UNITY_BUILD ${ONECAST_BATCHES})
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 40)
  nanobind_add_module(${name} STABLE_ABI NB_STATIC NB_DOMAIN onecast NB_SUPPRESS_WARNINGS ${ARGN})
  target_link_libraries(${name} PRIVATE ${library} onecast_warnings)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/python/src")
  # The codecs in a module, and the same ones in another library of the process, do not meet.
  target_link_options(${name} PRIVATE "LINKER:--version-script=${onecast_module_symbols}")
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY
                                           "${PROJECT_BINARY_DIR}/python/onecast"
                                           LINK_DEPENDS "${onecast_module_symbols}"
                                           INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${name} LIBRARY DESTINATION onecast COMPONENT python EXCLUDE_FROM_ALL)
  install(TARGETS ${name} LIBRARY DESTINATION "${onecast_home}/onecast" ${onecast_command})
endfunction()

onecast_python_module(_core onecast_cpp ${onecast_python})
if(TARGET onecast_cgns)
  file(GLOB onecast_cgns_python CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cgns/python/*.cpp")
  onecast_python_module(_cgns onecast_cgns ${onecast_cgns_python})
  target_include_directories(_cgns PRIVATE "${PROJECT_SOURCE_DIR}/cgns/src"
                                           "${PROJECT_BINARY_DIR}/cgns/src")
endif()
if(TARGET onecast_events)
  file(GLOB onecast_events_python CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/events/python/*.cpp")
  onecast_python_module(_events onecast_events ${onecast_events_python})
  target_include_directories(_events PRIVATE "${PROJECT_SOURCE_DIR}/events/src")
endif()
if(TARGET onecast_hdf5_plugin)
  install(TARGETS onecast_hdf5_plugin LIBRARY DESTINATION "${onecast_home}/onecast/hdf5_plugin"
          ${onecast_command})
endif()

# A wheel with the code of other libraries has their license texts, too (tools/wheel.sh).
set(ONECAST_LICENSES "" CACHE PATH "The license texts of the libraries that the wheel contains")
if(ONECAST_LICENSES)
  install(DIRECTORY "${ONECAST_LICENSES}/" DESTINATION "${SKBUILD_METADATA_DIR}/licenses/libraries"
          COMPONENT python EXCLUDE_FROM_ALL)
endif()

# `make install` installs the command onecast, with the package beside the library, for the Python
# of this build, which has the packages that it needs.
file(RELATIVE_PATH ONECAST_HOME "/${CMAKE_INSTALL_BINDIR}" "/${onecast_home}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/onecast.in" "${PROJECT_BINARY_DIR}/package/onecast" @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/package/onecast" DESTINATION "${CMAKE_INSTALL_BINDIR}"
        ${onecast_command})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/onecast" "${PROJECT_SOURCE_DIR}/cli/onecast_cli"
        DESTINATION "${onecast_home}" ${onecast_command}
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "*.env"
        PATTERN "__pycache__" EXCLUDE)
# pyproject.toml also installs the model without its fit.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bench/onecast_model" DESTINATION "${onecast_home}"
        ${onecast_command} PATTERN "fit.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
