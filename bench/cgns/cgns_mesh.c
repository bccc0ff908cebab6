/* Each rank writes and reads its part of an unstructured mesh, of its solution and of other arrays,
 * as arrays.h lists them. One call transfers one array, or with "..._multi" several. Calls are
 * collective or, with "independent...", independent. See README.md. */
#include "../arrays/arrays.h"
#include "cgns_program.h"

enum { kMostOfAKind = 8 };

/* The kind of an array: its place in the tree. One _multi_ call transfers arrays of one kind. */
typedef enum Kind { kCoordinate, kElements, kField, kArray, kKinds } Kind;

typedef struct Kept {
  int count;
  int index[kMostOfAKind];  /* the array's number in the job */
  int number[kMostOfAKind]; /* the array's number in the library */
} Kept;

static Bench bench;
static int file;
static Kept kept[kKinds];

static Kind kind_of(const BenchArray* array) {
  if (strncmp(array->name, "Coordinate", 10) == 0) return kCoordinate;
  if (strncmp(array->name, "Array", 5) == 0) return kArray;
  return strcmp(array->name, "ElementConnectivity") == 0 ? kElements : kField;
}

static CGNS_ENUMT(DataType_t) type_of(const BenchArray* array) {
  return array->type[0] == 'i' ? CGNS_ENUMV(LongInteger) : CGNS_ENUMV(RealDouble);
}

static int is_multi(const ArrayJob* job) {
  return strstr(job->bench->options.setting, "multi") != NULL;
}

/* ---- the tree ---- */

static void goto_arrays(void) {
  check(cg_goto(file, 1, "Zone_t", 1, "UserDefinedData_t", 1, "end"));
}

static void write_zone(const ArrayJob* job) {
  int index = 0;
  cgsize_t sizes[3] = {0, 0, 0};
  for (int a = 0; a < job->count; ++a)
    sizes[kind_of(&job->arrays[a]) == kElements] = (cgsize_t)job->arrays[a].shape[0];
  check(cg_base_write(file, "Base", 3, 3, &index));
  check(cg_zone_write(file, 1, "Zone", sizes, CGNS_ENUMV(Unstructured), &index));
  check(cg_sol_write(file, 1, 1, "Solution", CGNS_ENUMV(Vertex), &index));
  check(cg_goto(file, 1, "Zone_t", 1, "end"));
  check(cg_user_data_write("Data"));
  goto_arrays();
}

static int write_array(const BenchArray* array) {
  int number = 0;
  const cgsize_t size = (cgsize_t)array->shape[0];
  switch (kind_of(array)) {
    case kCoordinate:
      check(cgp_coord_write(file, 1, 1, type_of(array), array->name, &number));
      break;
    case kElements:
      check(cgp_section_write(file, 1, 1, "Elements", CGNS_ENUMV(PENTA_6), 1, size, 0, &number));
      break;
    case kField:
      check(cgp_field_write(file, 1, 1, 1, type_of(array), array->name, &number));
      break;
    default:
      check(cgp_array_write(array->name, type_of(array), 1, &size, &number));
  }
  return number;
}

static void keep(const ArrayJob* job, int a, int number) {
  Kept* of = &kept[kind_of(&job->arrays[a])];
  if (of->count == kMostOfAKind) bench_fail(job->arrays[a].name, "too many of its kind");
  of->index[of->count] = a;
  of->number[of->count++] = number;
}

static void create(const ArrayJob* job) {
  check(cgp_pio_mode(strncmp(job->bench->options.setting, "independent", 11) == 0
                         ? CGP_INDEPENDENT
                         : CGP_COLLECTIVE));
  file = cgns_open(job->bench, CG_MODE_WRITE);
  write_zone(job);
  for (int a = 0; a < job->count; ++a) keep(job, a, write_array(&job->arrays[a]));
}

static void open_file(const ArrayJob* job, int writable) {
  file = cgns_open(job->bench, writable ? CG_MODE_MODIFY : CG_MODE_READ);
  goto_arrays();
}

/* ---- the data ---- */

/* One call: it transfers the same elements of `count` arrays of a kind. */
typedef struct Request {
  int writes;
  int count;
  int* numbers;
  cgsize_t first, last;
  void** memory; /* for each array; NULL if this rank has no part */
} Request;

static void transfer_coordinates(const Request* r) {
  const void** data = (const void**)r->memory;
  const cgsize_t *low = &r->first, *high = &r->last;
  if (r->count == 1)
    check(r->writes ? cgp_coord_write_data(file, 1, 1, *r->numbers, low, high, *data)
                    : cgp_coord_read_data(file, 1, 1, *r->numbers, low, high, *r->memory));
  else
    check(r->writes
              ? cgp_coord_multi_write_data(file, 1, 1, r->numbers, low, high, r->count, data)
              : cgp_coord_multi_read_data(file, 1, 1, r->numbers, low, high, r->count, r->memory));
}

static void transfer_elements(const Request* r) {
  cgsize_t* nodes = (cgsize_t*)*r->memory;
  check(r->writes ? cgp_elements_write_data(file, 1, 1, *r->numbers, r->first, r->last, nodes)
                  : cgp_elements_read_data(file, 1, 1, *r->numbers, r->first, r->last, nodes));
}

static void transfer_fields(const Request* r) {
  const void** data = (const void**)r->memory;
  const cgsize_t *low = &r->first, *high = &r->last;
  if (r->count == 1)
    check(r->writes ? cgp_field_write_data(file, 1, 1, 1, *r->numbers, low, high, *data)
                    : cgp_field_read_data(file, 1, 1, 1, *r->numbers, low, high, *r->memory));
  else
    check(
        r->writes
            ? cgp_field_multi_write_data(file, 1, 1, 1, r->numbers, low, high, r->count, data)
            : cgp_field_multi_read_data(file, 1, 1, 1, r->numbers, low, high, r->count, r->memory));
}

static void transfer_arrays(const Request* r) {
  const void** data = (const void**)r->memory;
  const cgsize_t *low = &r->first, *high = &r->last;
  if (r->count == 1)
    check(r->writes ? cgp_array_write_data(*r->numbers, low, high, *data)
                    : cgp_array_read_data(*r->numbers, low, high, *r->memory));
  else
    check(r->writes ? cgp_array_multi_write_data(file, r->numbers, low, high, r->count, data)
                    : cgp_array_multi_read_data(file, r->numbers, low, high, r->count, r->memory));
}

static void transfer_kind(const ArrayJob* job, Kind kind, unsigned char** memory, int rank,
                          int writes) {
  static void (*const transfers[kKinds])(const Request*) = {transfer_coordinates, transfer_elements,
                                                            transfer_fields, transfer_arrays};
  const int at_once = is_multi(job) ? kept[kind].count : 1;
  for (int from = 0; from < kept[kind].count; from += at_once) {
    void* of[kMostOfAKind];
    ArrayPart part = {{0, 0}, {0, 0}};
    for (int i = 0; i < at_once; ++i) {
      const int a = kept[kind].index[from + i];
      part = arrays_part(&job->arrays[a], rank);
      of[i] = arrays_elements(&part) == 0 ? NULL : memory[a];
    }
    const cgsize_t before = (cgsize_t)part.start[0];
    const Request request = {.writes = writes,
                             .count = at_once,
                             .numbers = kept[kind].number + from,
                             .first = before + 1,
                             .last = before + (cgsize_t)part.count[0],
                             .memory = of};
    transfers[kind](&request);
  }
}

static void write_arrays(const ArrayJob* job) {
  for (int kind = 0; kind < kKinds; ++kind)
    transfer_kind(job, (Kind)kind, job->data, job->bench->rank, 1);
}

static void read_arrays(const ArrayJob* job) {
  for (int kind = 0; kind < kKinds; ++kind)
    transfer_kind(job, (Kind)kind, job->read, arrays_read_rank(job, 0, job->bench->rank), 0);
}

/* The `flush`, since cgp_close writes the tree, and the `modify`, which is never called. */
static void nothing(const ArrayJob* job) { (void)job; }

static void close_file(const ArrayJob* job) {
  (void)job;
  cgns_close(file);
}

int main(int argc, char** argv) {
  cgns_begin(&bench, argc, argv);
  const ArrayCalls calls = {create,    write_arrays, nothing, close_file,
                            open_file, read_arrays,  nothing};
  arrays_run(&bench, &calls, NULL);
  return cgns_end(&bench, NULL);
}
