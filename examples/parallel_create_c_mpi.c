// Many ranks write a file together, in C: objects that all of them create, and objects of each
// rank.

#include <onecast/onecast_mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kElements = 100000 };

static void check(onecast_status status) {
  if (status == ONECAST_OK) return;
  fprintf(stderr, "%s: %s\n", onecast_status_name(status), onecast_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// All ranks make the same calls, which send no message; then each writes its own elements in one
// collective call.
static void write_together(onecast_object* root, int rank, int size) {
  for (int zone = 0; zone < 100; ++zone) {
    char path[32];
    onecast_object* group = NULL;
    snprintf(path, sizeof path, "zone %d", zone);
    check(onecast_group_create(root, path, &group));
    check(onecast_attribute_set(group, "number", ONECAST_INT32, NULL, &zone, sizeof zone));
    onecast_object_close(&group);
  }

  const uint64_t shape = kElements;
  const onecast_dataspace space = onecast_dataspace_array(1, &shape);
  onecast_object* x = NULL;
  check(onecast_dataset_create(root, "x", ONECAST_DOUBLE, &space, NULL, &x));
  const uint64_t first = shape * (uint64_t)rank / (uint64_t)size;
  const uint64_t count = shape * (uint64_t)(rank + 1) / (uint64_t)size - first;
  double* mine = malloc(sizeof(double) * count);
  if (mine == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (uint64_t i = 0; i < count; ++i) mine[i] = (double)(first + i);
  const onecast_selection part = onecast_selection_box(1, &first, &count);
  check(onecast_dataset_write_all(x, &part, ONECAST_DOUBLE, mine, sizeof(double) * count));
  free(mine);
  onecast_object_close(&x);
}

// Each rank creates objects without the others, which see them after the flush.
static void write_alone(onecast_file* file, onecast_object* root, int rank) {
  char path[48];
  const double values[2] = {rank, rank + 0.5};
  const uint64_t shape = 2;
  const onecast_dataspace space = onecast_dataspace_array(1, &shape);
  onecast_object* dataset = NULL;
  check(onecast_file_independent_begin(file));
  snprintf(path, sizeof path, "parts/rank %d", rank);
  check(onecast_dataset_create(root, path, ONECAST_DOUBLE, &space, NULL, &dataset));
  check(onecast_dataset_write(dataset, NULL, ONECAST_DOUBLE, values, sizeof values));
  check(onecast_file_independent_end(file));
  onecast_object_close(&dataset);
}

static int read_together(int size) {
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* x = NULL;
  onecast_object* part = NULL;
  check(onecast_file_open_mpi("parallel_create_c.h5", ONECAST_READ_ONLY, MPI_COMM_WORLD, NULL,
                              &file));
  check(onecast_file_root(file, &root));
  check(onecast_dataset_open(root, "x", &x));
  double* all = malloc(sizeof(double) * kElements);
  if (all == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  // Rank 0 reads the dataset and broadcasts it.
  check(onecast_dataset_read_all(x, NULL, ONECAST_DOUBLE, all, sizeof(double) * kElements));
  const double last = all[kElements - 1];
  free(all);

  char path[48];
  double values[2] = {0, 0};
  snprintf(path, sizeof path, "parts/rank %d", size - 1);
  check(onecast_dataset_open(root, path, &part));
  check(onecast_dataset_read(part, NULL, ONECAST_DOUBLE, values, sizeof values));

  onecast_object_close(&part);
  onecast_object_close(&x);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
  return last == kElements - 1 && values[0] == size - 1 ? 0 : 1;
}

int main(int argc, char** argv) {
  int rank = 0;
  int size = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  onecast_file* file = NULL;
  onecast_object* root = NULL;
  check(onecast_file_create_mpi("parallel_create_c.h5", MPI_COMM_WORLD, NULL, &file));
  check(onecast_file_root(file, &root));
  write_together(root, rank, size);
  write_alone(file, root, rank);
  onecast_object_close(&root);
  check(onecast_file_close(&file));

  const int result = read_together(size);
  if (result != 0) MPI_Abort(MPI_COMM_WORLD, result);
  MPI_Finalize();
  return 0;
}
