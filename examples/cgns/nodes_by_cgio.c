/* The tree of a file node by node, without the rules of CGNS: nodes are created, changed, moved,
   linked, and printed. */
#include <cgns_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 4, NJ = 3 };

static int nodes; /* number of nodes printed */

static void check(int status) {
  if (status != CGIO_ERR_NONE) cgio_error_exit("nodes_by_cgio");
}

static void write_file(const char* name) {
  const cgsize_t dims[2] = {NI, NJ}, length = 4;
  const cgsize_t low[2] = {1, 1}, high[2] = {NI, NJ}, every[2] = {1, 1}, row_end[2] = {NI, 1};
  double values[NJ][NI], row[NI];
  double root, base, array, text, link;
  int file;
  for (int n = 0; n < NI * NJ; ++n) values[n / NI][n % NI] = n;
  for (int i = 0; i < NI; ++i) row[i] = -1;
  check(cgio_open_file(name, CGIO_MODE_WRITE, CGIO_FILE_HDF5, &file));
  check(cgio_get_root_id(file, &root));
  check(cgio_create_node(file, root, "Work", &base));
  check(cgio_set_label(file, base, "UserDefinedData_t"));

  /* A node with a value: step by step, or at once. */
  check(cgio_create_node(file, base, "Values", &array));
  check(cgio_set_label(file, array, "DataArray_t"));
  check(cgio_set_dimensions(file, array, "R8", 2, dims));
  check(cgio_write_all_data(file, array, values));
  check(cgio_new_node(file, root, "About", "Descriptor_t", "C1", 1, &length, "text", &text));

  /* Writes the first row again. */
  check(cgio_write_data(file, array, low, row_end, every, 2, dims, low, row_end, every, row));
  check(
      cgio_read_data_type(file, array, low, high, every, "R8", 2, dims, low, high, every, values));
  if (values[0][0] != -1 || values[1][0] != NI) exit(EXIT_FAILURE);

  check(cgio_move_node(file, root, text, base));
  check(cgio_set_name(file, base, text, "Text"));
  check(cgio_create_link(file, root, "The same", "", "/Work/Values", &link));
  check(cgio_close_file(file));
}

static void print_node(int file, double node, int depth) {
  char name[CGIO_MAX_NAME_LENGTH + 1], label[CGIO_MAX_LABEL_LENGTH + 1];
  char type[CGIO_MAX_DATATYPE_LENGTH + 1];
  int link_length, dimensions = 0, children, count;
  cgsize_t dims[CGIO_MAX_DIMENSIONS];
  check(cgio_get_name(file, node, name));
  check(cgio_get_label(file, node, label));
  check(cgio_get_data_type(file, node, type));
  check(cgio_is_link(file, node, &link_length));
  check(cgio_get_dimensions(file, node, &dimensions, dims));
  printf("%*s%s: %s, %s", 2 * depth, "", name, label, type);
  for (int d = 0; d < dimensions; ++d) printf("%s%d", d == 0 ? " " : " x ", (int)dims[d]);
  printf("%s\n", link_length > 0 ? ", by a link" : "");
  ++nodes;
  check(cgio_number_children(file, node, &children));
  for (int i = 1; i <= children; ++i) {
    double child;
    check(cgio_children_ids(file, node, i, 1, &count, &child));
    print_node(file, child, depth + 1);
    check(cgio_release_id(file, child));
  }
}

/* True if the node behind the link has the values of the array, read as another type. */
static int is_as_written(int file, double root) {
  double node;
  float found[NJ][NI];
  check(cgio_get_node_id(file, root, "The same", &node));
  check(cgio_read_all_data_type(file, node, "R4", found));
  return found[0][NI - 1] == -1 && found[NJ - 1][NI - 1] == NI * NJ - 1;
}

int main(void) {
  int file, same;
  double root;
  write_file("nodes_by_cgio.cgns");
  check(cgio_open_file("nodes_by_cgio.cgns", CGIO_MODE_MODIFY, CGIO_FILE_NONE, &file));
  check(cgio_get_root_id(file, &root));
  print_node(file, root, 0);
  same = is_as_written(file, root);
  check(cgio_close_file(file));
  return same && nodes == 5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
