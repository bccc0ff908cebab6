/* With PLUGIN: a plug-in that uses Onecast. Otherwise the program, which unloads it before MPI
 * ends. */
#include <stdio.h>
#ifdef PLUGIN
#include "onecast/onecast_mpi.h"

int use(void) {
  onecast_file* file = NULL;
  if (onecast_file_create_mpi("plugin.h5", MPI_COMM_WORLD, NULL, &file)) return 1;
  return onecast_file_close(&file);
}
#else
#include <dlfcn.h>
#include <mpi.h>

int main(int count, char** arguments) {
  int (*use)(void);
  int rank = 0;
  void* plugin;
  MPI_Init(&count, &arguments);
  plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) return puts(dlerror());
  *(void**)&use = dlsym(plugin, "use");
  if (use() || dlclose(plugin)) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  /* One rank says so, because some launchers join the lines of several. */
  if (rank == 0) puts("end");
  return 0;
}
#endif
