# For a domain that is built by itself, against an installed Onecast: what the whole project defines
# before its domains, by equal names. find_package(Onecast) then finds the domain, too.
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
option(ONECAST_WERROR "Take warnings as errors" OFF)
include(Compiler)
find_package(Onecast REQUIRED)
foreach(part IN ITEMS "" _MAJOR _MINOR _PATCH)
  set(PROJECT_VERSION${part} "${Onecast_VERSION${part}}")
endforeach()
set(ONECAST_ABI "${Onecast_ABI}")
set(ONECAST_MPI "${Onecast_MPI}")
include(Mpi)
include(OtherMpis)
include(Dependencies)
include(Layers)
include(Precompile)
include(Packaging)

add_compile_definitions(ONECAST_VERSION="${PROJECT_VERSION}"
                        $<$<BOOL:${ONECAST_MPI}>:ONECAST_HAVE_MPI=1>)

set(ONECAST_SHARED ON)
add_library(onecast_shared ALIAS onecast::onecast)
install(EXPORT OnecastTargets NAMESPACE onecast:: DESTINATION "${onecast_package}"
        FILE "Onecast_${PROJECT_NAME}.cmake" ${onecast_component})
