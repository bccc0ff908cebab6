/* Writes one file with MPI-IO, in pieces that belong to the ranks in turn: one call for each piece,
 * or one collective call for all.
 *   mpiio FILE MIB PIECE_KIB independent|collective
 * With MPIIO_CHECK in the environment it is read back and compared. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(result, text, &length);
  fprintf(stderr, "mpiio: %s: %s\n", what, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The value of a byte of the file. */
static unsigned char value_at(MPI_Offset offset) {
  return (unsigned char)(offset / 4096 * 7 + offset % 251);
}

/* How many groups of ranks share memory. */
static int count_nodes(int rank) {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  int rank_in_node = 0;
  MPI_Comm_rank(node, &rank_in_node);
  MPI_Comm_free(&node);
  int first = rank_in_node == 0;
  int nodes = 0;
  MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return nodes;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const MPI_Offset total = argc == 5 ? (MPI_Offset)atoi(argv[2]) << 20 : 0;
  const int piece = argc == 5 ? atoi(argv[3]) << 10 : 0;
  if (total <= 0 || piece <= 0 || total % ((MPI_Offset)piece * ranks) != 0) {
    if (rank == 0) {
      fprintf(stderr,
              "usage: mpiio FILE MIB PIECE_KIB independent|collective\n"
              "MIB is a multiple of PIECE_KIB times the number of ranks\n");
    }
    MPI_Finalize();
    return 2;
  }
  const int collective = strcmp(argv[4], "collective") == 0;
  const int pieces = (int)(total / piece / ranks);
  unsigned char* own = malloc((size_t)pieces * (size_t)piece);
  for (int i = 0; i < pieces; ++i) {
    const MPI_Offset start = ((MPI_Offset)i * ranks + rank) * piece;
    for (int j = 0; j < piece; ++j)
      own[(size_t)i * (size_t)piece + (size_t)j] = value_at(start + j);
  }

  MPI_File file;
  must(
      MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file),
      "open");
  double seconds = MPI_Wtime();
  if (collective) {
    MPI_Datatype view;
    MPI_Type_vector(pieces, piece, piece * ranks, MPI_BYTE, &view);
    MPI_Type_commit(&view);
    must(MPI_File_set_view(file, (MPI_Offset)rank * piece, MPI_BYTE, view, "native", MPI_INFO_NULL),
         "set_view");
    must(MPI_File_write_all(file, own, pieces * piece, MPI_BYTE, MPI_STATUS_IGNORE), "write_all");
    must(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "set_view");
    MPI_Type_free(&view);
  } else {
    for (int i = 0; i < pieces; ++i) {
      must(MPI_File_write_at(file, ((MPI_Offset)i * ranks + rank) * piece,
                             own + (size_t)i * (size_t)piece, piece, MPI_BYTE, MPI_STATUS_IGNORE),
           "write_at");
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  seconds = MPI_Wtime() - seconds;
  const int nodes = count_nodes(rank);
  if (rank == 0) printf("%d ranks on %d nodes: written in %.3f s\n", ranks, nodes, seconds);

  must(MPI_File_close(&file), "close");

  int wrong = 0;
  if (getenv("MPIIO_CHECK") != NULL) {
    /* Another rank's part, so that it comes from another node. */
    const int other = (rank + 1) % ranks;
    must(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file), "open");
    for (int i = 0; i < pieces && !wrong; ++i) {
      const MPI_Offset start = ((MPI_Offset)i * ranks + other) * piece;
      must(MPI_File_read_at(file, start, own, piece, MPI_BYTE, MPI_STATUS_IGNORE), "read_at");
      for (int j = 0; j < piece; ++j) wrong |= own[j] != value_at(start + j);
    }
    must(MPI_File_close(&file), "close");
    if (wrong) fprintf(stderr, "mpiio: rank %d read what nobody wrote\n", rank);
  }
  free(own);
  MPI_Finalize();
  return wrong;
}
