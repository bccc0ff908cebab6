/* The ways to go to a node: by labels and indices, by names, from the current position, by a path,
   by lists. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 3 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/* Writes a zone with nested user data. */
static void write_file(const char* name) {
  const cgsize_t sizes[9] = {3, 3, 3, 2, 2, 2, 0, 0, 0};
  const char* const below[DEPTH] = {"Outer", "Middle", "Inner"};
  int file, base, zone;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_goto(file, base, "Zone_t", zone, "end"));
  for (int i = 0; i < DEPTH; ++i) {
    check(cg_user_data_write("Another"));
    check(cg_user_data_write(below[i]));
    check(cg_gorel(file, below[i], 0, "end"));
  }
  check(cg_descriptor_write("Here", "it is"));
  check(cg_close(file));
}

/* Only the innermost node has the descriptor. */
static void require_arrived(const char* way) {
  char name[33];
  char* text;
  int descriptors;
  check(cg_ndescriptors(&descriptors));
  if (descriptors != 1) {
    fprintf(stderr, "%s: the position is another one\n", way);
    exit(EXIT_FAILURE);
  }
  check(cg_descriptor_read(1, name, &text));
  printf("%s: %s %s\n", way, name, text);
  check(cg_free(text));
}

static void go_by_lists(int file) {
  char label[DEPTH + 1][33] = {"Zone_t", "UserDefinedData_t", "Middle", "Inner"};
  char* labels[DEPTH + 1] = {label[0], label[1], label[2], label[3]};
  int indices[DEPTH + 1] = {1, 2, 0, 0};
  check(cg_golist(file, 1, DEPTH + 1, labels, indices));
}

/* Checks the labels and indices of the current position. */
static void print_position(void) {
  char label[CG_MAX_GOTO_DEPTH][33];
  char* labels[CG_MAX_GOTO_DEPTH];
  int file, base, depth, indices[CG_MAX_GOTO_DEPTH];
  for (int i = 0; i < CG_MAX_GOTO_DEPTH; ++i) labels[i] = label[i];
  check(cg_where(&file, &base, &depth, labels, indices));
  printf("base %d", base);
  for (int i = 0; i < depth; ++i) printf(", %s %d", labels[i], indices[i]);
  printf("\n");
  if (depth != DEPTH + 1 || indices[DEPTH] != 2) exit(EXIT_FAILURE);
}

int main(void) {
  int file;
  write_file("positions.cgns");
  check(cg_open("positions.cgns", CG_MODE_READ, &file));
  check(cg_goto(file, 1, "Zone_t", 1, "UserDefinedData_t", 2, "UserDefinedData_t", 2,
                "UserDefinedData_t", 2, "end"));
  require_arrived("labels");
  check(cg_goto(file, 1, "Zone", 0, "Outer", 0, "Middle", 0, "Inner", 0, "end"));
  require_arrived("names");
  check(cg_gorel(file, "..", 0, "..", 0, "Middle", 0, "UserDefinedData_t", 2, "end"));
  require_arrived("from there");
  check(cg_gopath(file, "/Base/Zone/Outer/Middle/Inner"));
  require_arrived("a path");
  check(cg_gopath(file, "../Inner"));
  require_arrived("a path from there");
  go_by_lists(file);
  require_arrived("lists");
  print_position();

  /* A node that does not exist is not a position. */
  if (cg_goto(file, 1, "Zone_t", 2, "end") != CG_NODE_NOT_FOUND ||
      cg_goto(file, 1, "No_such_t", 1, "end") != CG_INCORRECT_PATH)
    return EXIT_FAILURE;
  check(cg_close(file));
  return EXIT_SUCCESS;
}
