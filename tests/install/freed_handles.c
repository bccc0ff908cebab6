/* A tool that counts what Onecast makes in MPI, and tells after MPI_Finalize what it did not free.
 */
#include <mpi.h>
#include <stdio.h>

static int comms, types, ops;

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) { return ++comms, PMPI_Comm_dup(comm, made); }
int MPI_Comm_free(MPI_Comm* comm) { return --comms, PMPI_Comm_free(comm); }
int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* made) {
  return ++types, PMPI_Type_contiguous(count, of, made);
}
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places, MPI_Datatype of,
                             MPI_Datatype* made) {
  return ++types, PMPI_Type_create_hindexed(count, lengths, places, of, made);
}
int MPI_Type_free(MPI_Datatype* type) { return --types, PMPI_Type_free(type); }
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* made) {
  return ++ops, PMPI_Op_create(function, commutes, made);
}
int MPI_Op_free(MPI_Op* op) { return --ops, PMPI_Op_free(op); }
int MPI_Finalize(void) {
  const int status = PMPI_Finalize();
  fprintf(stderr, "left: %d communicators, %d types, %d operations\n", comms, types, ops);
  return status;
}
