# Where the installed package keeps what CMake and pkg-config read, and the component of what is
# installed for programs.
include(GNUInstallDirs)
set(onecast_package "${CMAKE_INSTALL_LIBDIR}/cmake/Onecast")
set(onecast_pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
# The path from the installed file to the prefix, which is not known in advance.
file(RELATIVE_PATH ONECAST_TO_PREFIX "/${onecast_pkgconfig}" "/")
set(generated "${PROJECT_BINARY_DIR}/package")
set(onecast_component COMPONENT development)
