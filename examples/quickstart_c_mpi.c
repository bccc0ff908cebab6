// All ranks create a file together and read it back, in C.

#include <onecast/onecast_mpi.h>
#include <stdio.h>

static void check(onecast_status status) {
  if (status == ONECAST_OK) return;
  fprintf(stderr, "%s\n", onecast_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  int rank = 0;
  int size = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* x = NULL;

  // All ranks create the same objects. These calls send no messages.
  check(onecast_file_create_mpi("quickstart_c.h5", MPI_COMM_WORLD, NULL, &file));
  check(onecast_file_root(file, &root));
  const uint64_t shape[2] = {(uint64_t)size, 3};
  const onecast_dataspace space = onecast_dataspace_array(2, shape);
  check(onecast_dataset_create(root, "base/zone/x", ONECAST_DOUBLE, &space, NULL, &x));
  check(onecast_attribute_set_text(x, "unit", "m"));

  // Each rank writes its own row, in one collective call.
  const uint64_t start[2] = {(uint64_t)rank, 0};
  const uint64_t count[2] = {1, 3};
  const onecast_selection row = onecast_selection_box(2, start, count);
  const double mine[3] = {rank, rank, rank};
  check(onecast_dataset_write_all(x, &row, ONECAST_DOUBLE, mine, sizeof mine));
  onecast_object_close(&x);
  onecast_object_close(&root);
  check(onecast_file_close(&file));  // writes each page of metadata once

  // Rank 0 reads the last row and broadcasts it.
  double last[3] = {0, 0, 0};
  const uint64_t end[2] = {(uint64_t)size - 1, 0};
  const onecast_selection last_row = onecast_selection_box(2, end, count);
  check(onecast_file_open_mpi("quickstart_c.h5", ONECAST_READ_ONLY, MPI_COMM_WORLD, NULL, &file));
  check(onecast_file_root(file, &root));
  check(onecast_dataset_open(root, "base/zone/x", &x));
  check(onecast_dataset_read_all(x, &last_row, ONECAST_DOUBLE, last, sizeof last));
  onecast_object_close(&x);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
  if (last[2] != size - 1) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
