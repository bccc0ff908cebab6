/* One section of two elements for each type whose elements have a fixed number of nodes. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 125, EACH = 2 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/* The number of nodes of an element; 0 for mixed elements, polygons and polyhedra. */
static int nodes_of(int type) {
  int nodes;
  check(cg_npe((CGNS_ENUMT(ElementType_t))type, &nodes));
  return nodes > 0 ? nodes : 0;
}

static int write_file(const char* name) {
  const cgsize_t sizes[3] = {MOST_NODES, EACH, 0};
  cgsize_t nodes[EACH * MOST_NODES], first = 1;
  int file, base, zone, section, sections = 0;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Unstructured), &zone));
  for (int type = CGNS_ENUMV(NODE); type < NofValidElementTypes; ++type) {
    const int count = nodes_of(type);
    if (count == 0) continue;
    for (int i = 0; i < EACH * count; ++i) nodes[i] = 1 + i % count;
    check(cg_section_write(file, base, zone, cg_ElementTypeName((CGNS_ENUMT(ElementType_t))type),
                           (CGNS_ENUMT(ElementType_t))type, first, first + EACH - 1, 0, nodes,
                           &section));
    first += EACH;
    ++sections;
  }
  check(cg_close(file));
  return sections;
}

static int is_as_written(int file, int section) {
  char name[33];
  CGNS_ENUMT(ElementType_t) type;
  cgsize_t first, last, size, nodes[EACH * MOST_NODES];
  int boundary, parents;
  check(cg_section_read(file, 1, 1, section, name, &type, &first, &last, &boundary, &parents));
  check(cg_ElementDataSize(file, 1, 1, section, &size));
  check(cg_elements_read(file, 1, 1, section, nodes, NULL));
  return strcmp(name, cg_ElementTypeName(type)) == 0 && first == EACH * (section - 1) + 1 &&
         last == EACH * section && size == EACH * nodes_of((int)type) &&
         nodes[size - 1] == nodes_of((int)type);
}

int main(void) {
  const int written = write_file("element_types.cgns");
  int file, sections, same = 1;
  check(cg_open("element_types.cgns", CG_MODE_READ, &file));
  check(cg_nsections(file, 1, 1, &sections));
  for (int section = 1; section <= sections; ++section) same = same && is_as_written(file, section);
  check(cg_close(file));
  printf("elements of %d types\n", sections);
  return same && sections == written ? EXIT_SUCCESS : EXIT_FAILURE;
}
