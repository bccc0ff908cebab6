# Builds the components that read and write ROOT files: a shared library that onecast-events loads.
# It is built if the wheel `root` is installed (`make events-root` does that); nothing else needs
# it.
set(ONECAST_ROOT_WHEEL "" CACHE PATH "Folder ROOT of the wheel `root`")
set(onecast_root_wheel "${ONECAST_ROOT_WHEEL}")
if(NOT onecast_root_wheel)
  file(GLOB onecast_root_wheel "${ONECAST_SOURCES}/.venv/root/lib/python*/site-packages/ROOT")
endif()
if(NOT EXISTS "${onecast_root_wheel}/include/TTree.h" OR ONECAST_SANITIZE OR ONECAST_FUZZ)
  return()
endif()

file(GLOB events_root CONFIGURE_DEPENDS "${ONECAST_SOURCES}/events/root/*.cpp")
add_library(onecast_events_root MODULE EXCLUDE_FROM_ALL ${events_root})
# Of the layer's own headers it uses make_error.hpp, which needs none of its objects.
target_include_directories(onecast_events_root PRIVATE "${ONECAST_SOURCES}/include"
                                                       "${ONECAST_SOURCES}/events/include"
                                                       "${ONECAST_SOURCES}/events/src")
target_include_directories(onecast_events_root SYSTEM PRIVATE "${onecast_root_wheel}/include")
# ROOT was compiled as C++17, and its headers warn about other versions.
target_compile_options(onecast_events_root PRIVATE -Wno-cpp)
target_link_libraries(onecast_events_root PRIVATE onecast_warnings fmt::fmt)
foreach(library IN ITEMS Core RIO Tree ROOTNTuple)
  target_link_libraries(onecast_events_root PRIVATE
                        "${onecast_root_wheel}/lib/lib${library}.so")
endforeach()
set_target_properties(onecast_events_root PROPERTIES BUILD_RPATH "${onecast_root_wheel}/lib")
