/* What a program may do with MPI beside Onecast. Prints errors, and "end". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "onecast/onecast_mpi.h"

static int lookups;

/* The library's calls come here, too. */
void* dlopen(const char* file, int flags) {
  static void* (*real)(const char*, int);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "dlopen");
  ++lookups;
  return real(file, flags);
}

static void said(onecast_status status) { puts(status ? onecast_last_error() : "done"); }

static void use_handles(void) {
  onecast_file* file = NULL;
  onecast_hint* hints = NULL;
  size_t count;
  said(onecast_file_create_mpi("a.h5", MPI_COMM_WORLD, NULL, &file));
  said(onecast_file_create_mpi_fortran("a.h5", 0, NULL, &file));
  said(onecast_hints_of_info(MPI_INFO_ENV, &count, &hints));
  said(onecast_hints_of_info_fortran(0, &count, &hints));
  said(onecast_hints_of_info(MPI_INFO_NULL, &count, &hints));
}

static void use_session(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  onecast_file* file = NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  said(onecast_file_create_mpi("session.h5", comm, NULL, &file));
  onecast_file_close(&file);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

static void open_often(int times) {
  int i;
  lookups = 0;
  for (i = 0; i < times; ++i) {
    onecast_file* file = NULL;
    if (onecast_file_create_mpi("often.h5", MPI_COMM_WORLD, NULL, &file)) said(ONECAST_IO);
    onecast_file_close(&file);
  }
  printf("%s\n", lookups < 10 ? "few lookups" : "many lookups");
}

int main(int count, char** arguments) {
  const char* what = arguments[1];
  if (!strcmp(what, "session")) {
    use_session();
  } else if (!strcmp(what, "early")) {
    use_handles();
  } else {
    MPI_Init(&count, &arguments);
    if (!strcmp(what, "once")) open_often(1);
    if (!strcmp(what, "often")) open_often(1000);
    MPI_Finalize();
    if (!strcmp(what, "late")) use_handles();
  }
  puts("end");
  return 0;
}
