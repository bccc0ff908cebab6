/* Functions of MPI that take communicators as Fortran's numbers. */
#include <mpi.h>
#include <stddef.h>

void onecast_test_mpi_init(MPI_Fint* world, MPI_Fint* error);
void onecast_test_mpi_finalize(MPI_Fint* error);
void onecast_test_mpi_abort(const MPI_Fint* comm, const MPI_Fint* code, MPI_Fint* error);
void onecast_test_mpi_barrier(const MPI_Fint* comm, MPI_Fint* error);
void onecast_test_mpi_comm_rank(const MPI_Fint* comm, MPI_Fint* rank, MPI_Fint* error);
void onecast_test_mpi_comm_size(const MPI_Fint* comm, MPI_Fint* size, MPI_Fint* error);
void onecast_test_mpi_comm_split(const MPI_Fint* comm, const MPI_Fint* color, const MPI_Fint* key,
                                 MPI_Fint* made, MPI_Fint* error);

void onecast_test_mpi_init(MPI_Fint* world, MPI_Fint* error) {
  *error = MPI_Init(NULL, NULL);
  *world = MPI_Comm_c2f(MPI_COMM_WORLD);
}

void onecast_test_mpi_finalize(MPI_Fint* error) { *error = MPI_Finalize(); }

void onecast_test_mpi_abort(const MPI_Fint* comm, const MPI_Fint* code, MPI_Fint* error) {
  *error = MPI_Abort(MPI_Comm_f2c(*comm), *code);
}

void onecast_test_mpi_barrier(const MPI_Fint* comm, MPI_Fint* error) {
  *error = MPI_Barrier(MPI_Comm_f2c(*comm));
}

void onecast_test_mpi_comm_rank(const MPI_Fint* comm, MPI_Fint* rank, MPI_Fint* error) {
  *error = MPI_Comm_rank(MPI_Comm_f2c(*comm), rank);
}

void onecast_test_mpi_comm_size(const MPI_Fint* comm, MPI_Fint* size, MPI_Fint* error) {
  *error = MPI_Comm_size(MPI_Comm_f2c(*comm), size);
}

void onecast_test_mpi_comm_split(const MPI_Fint* comm, const MPI_Fint* color, const MPI_Fint* key,
                                 MPI_Fint* made, MPI_Fint* error) {
  MPI_Comm split;
  *error = MPI_Comm_split(MPI_Comm_f2c(*comm), *color, *key, &split);
  *made = MPI_Comm_c2f(split);
}
