# Builds the events layer: its rooms, its libraries, and the program onecast-events.
# Each layout calls its parts by the names of the others.
file(GLOB with_twins "${ONECAST_SOURCES}/events/src/hdf5/*.cpp")
onecast_by_itself(${with_twins})
onecast_domain(events ROOMS model compression components execution synthetic pds hdf5 running)
if(NOT TARGET onecast_events)
  return()
endif()

find_package(TBB REQUIRED)
find_package(Threads REQUIRED)
onecast_codec(lzma.h lzma liblzma-dev)
find_package(nlohmann_json REQUIRED)

set(events "${ONECAST_SOURCES}/events")
target_include_directories(onecast_events PRIVATE "${events}/src")
target_link_libraries(onecast_events PRIVATE TBB::tbb Threads::Threads ${CMAKE_DL_LIBS}
                                             nlohmann_json::nlohmann_json)
foreach(codec lz4 zstd lzma)
  if(TARGET onecast_native_${codec})
    target_link_libraries(onecast_events PRIVATE onecast_native_${codec})
  endif()
endforeach()
target_compile_definitions(onecast_events PRIVATE ${ONECAST_HAVE_CODECS})
if(NOT TARGET onecast::events)
  add_library(onecast::events ALIAS onecast_events)
endif()

# A target for components of users: headers alone, since the program provides the functions.
if(ONECAST_SHARED)
  add_library(onecast_events_headers INTERFACE)
  target_include_directories(onecast_events_headers
                             INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(onecast_events_headers INTERFACE cxx_std_20)
  set_target_properties(onecast_events_headers PROPERTIES EXPORT_NAME events)
  install(TARGETS onecast_events_headers EXPORT OnecastTargets ${onecast_component})
  install(DIRECTORY "${events}/include/onecast/events"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/onecast" ${onecast_component})
endif()

# A wheel does without the program.
option(ONECAST_EVENTS_PROGRAM "Build the program onecast-events, which needs CLI11" ON)
if(NOT ONECAST_EVENTS_PROGRAM)
  return()
endif()
find_package(CLI11 REQUIRED)
file(GLOB events_program CONFIGURE_DEPENDS "${events}/program/*.cpp")
if(NOT ONECAST_MPI_PROGRAMS)
  list(FILTER events_program EXCLUDE REGEX "_mpi\\.cpp$")
endif()
add_executable(onecast-events ${events_program})
target_include_directories(onecast-events PRIVATE "${events}/src")
onecast_precompile(onecast-events HEADERS <fmt/format.h> <CLI/CLI.hpp>)
onecast_in_batches(onecast-events)
target_link_libraries(onecast-events PRIVATE onecast_events CLI11::CLI11
                                             nlohmann_json::nlohmann_json onecast_warnings)
# Components in shared libraries use the classes of the program.
set_target_properties(onecast-events PROPERTIES ENABLE_EXPORTS ON)
if(ONECAST_MPI_PROGRAMS)
  target_link_libraries(onecast-events PRIVATE MPI::MPI_C)
  target_compile_definitions(onecast-events PRIVATE ONECAST_EVENTS_MPI=1)
endif()
install(TARGETS onecast-events COMPONENT command EXCLUDE_FROM_ALL)
onecast_by_itself("${events}/program/team_mpi.cpp")
onecast_events_with_other_mpis("${events}/program/team_mpi.cpp")

include(EventsRoot)
