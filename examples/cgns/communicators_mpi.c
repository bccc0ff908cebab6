/* Files on communicators of some ranks: each half of the ranks writes a file of its own while all
   ranks have another file open, and one rank alone reads a file. */
#include <pcgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 12, HALVES = 2 };

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

/* Sets the communicator of all files that are opened from then on. */
static int opened(const char* name, int mode, MPI_Comm communicator) {
  int file;
  check(cgp_mpi_comm(communicator));
  check(cgp_open(name, mode, &file));
  return file;
}

/* A rank's part of an array of the communicator's ranks. */
static void part_of(MPI_Comm communicator, cgsize_t* first, cgsize_t* last) {
  int rank, ranks;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  *first = COUNT * rank / ranks + 1;
  *last = COUNT * (rank + 1) / ranks;
}

static void write_values(int file, MPI_Comm communicator, double from) {
  const cgsize_t count = COUNT;
  double values[COUNT];
  cgsize_t first, last;
  int base, array;
  part_of(communicator, &first, &last);
  for (cgsize_t n = first; n <= last; ++n) values[n - first] = from + (double)n;
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_goto(file, base, "end"));
  check(cg_user_data_write("Data"));
  check(cg_gorel(file, "Data", 0, "end"));
  check(cgp_array_write("Values", CGNS_ENUMV(RealDouble), 1, &count, &array));
  check(cgp_array_write_data(array, &first, &last, first <= last ? values : NULL));
}

/* Reads on a communicator of this rank alone. */
static int has_values(const char* name, double from) {
  double values[COUNT];
  const int file = opened(name, CG_MODE_READ, MPI_COMM_SELF);
  int same = 1;
  check(cg_goto(file, 1, "Data", 0, "end"));
  check(cg_array_read(1, values));
  check(cgp_close(file));
  for (int n = 0; n < COUNT; ++n) same = same && values[n] == from + n + 1;
  return same;
}

int main(int argc, char** argv) {
  char name[32];
  int rank, half, same = 1;
  MPI_Comm of_half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  half = rank % HALVES;
  MPI_Comm_split(MPI_COMM_WORLD, half, rank, &of_half);
  sprintf(name, "half%d.cgns", half);

  const int of_all = opened("communicators.cgns", CG_MODE_WRITE, MPI_COMM_WORLD);
  const int own = opened(name, CG_MODE_WRITE, of_half);
  write_values(own, of_half, 100 * half);
  write_values(of_all, MPI_COMM_WORLD, -1);
  check(cgp_close(own));
  check(cgp_close(of_all));

  /* Reads the file again in each mode. */
  for (int mode = CG_MODE_READ; mode <= CG_MODE_MODIFY; mode += CG_MODE_MODIFY - CG_MODE_READ)
    for (int times = 0; times < 3; ++times) {
      check(cgp_close(opened("communicators.cgns", mode, MPI_COMM_WORLD)));
      check(cgp_close(opened(name, mode, of_half)));
    }

  if (rank == 0) same = has_values("communicators.cgns", -1);
  same = has_values(name, 100 * half) && same;
  if (!same) {
    printf("rank %d finds other values\n", rank);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  check(cgp_mpi_comm(MPI_COMM_WORLD));
  MPI_Comm_free(&of_half);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
