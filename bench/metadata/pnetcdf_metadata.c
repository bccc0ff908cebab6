/* PnetCDF as a peer in `onecast bench metadata`: the datasets of README.md as variables of one flat
 * file, each with the three attributes of its group. The format has no groups, so its
 * file holds half as many objects as Onecast's. */
#include <pnetcdf.h>

#include "../programs/plain_program.h"
#include "workload.h"

static Bench bench;

static void checked(int status, const char* what) {
  if (status != NC_NOERR) bench_fail(what, ncmpi_strerror(status));
}

typedef struct Variable {
  int id;
  NodeAttributes attributes;
  int kind; /* 0: a base, 1: a zone, 2: its type */
  int64_t first;
} Variable;

static Variable* variables;
static int count;
static int64_t* values; /* read by this rank */

static int values_of(int kind) {
  return kind == 0 ? kBaseValues : kind == 1 ? kZoneValues : kZoneTypeValues;
}

static void add_variable(NodeAttributes attributes, int kind, int64_t first) {
  Variable* variable = &variables[count++];
  variable->attributes = attributes;
  variable->kind = kind;
  variable->first = first;
}

static void list_variables(void) {
  const int bases = bench.options.bases;
  const int zones = bench.options.zones;
  const size_t most = (size_t)bases * (1 + 2 * (size_t)zones);
  variables = (Variable*)calloc(most, sizeof *variables);
  values = (int64_t*)malloc(most * 10 * sizeof *values);
  if (variables == NULL || values == NULL) bench_fail("variables", "out of memory");
  for (int b = 0; b < bases; ++b) {
    add_variable(workload_base(b), 0, 0);
    for (int z = 0; z < zones; ++z) {
      add_variable(workload_zone(z), 1, ((int64_t)b * zones + z) * kZoneValues);
      add_variable(workload_zone_type(), 2, 0);
    }
  }
}

/* The values of a variable as int64; PnetCDF converts them. */
static void value_of(const Variable* variable, int64_t* out) {
  const char* type = WORKLOAD_ZONE_TYPE_VALUE;
  for (int i = 0; i < values_of(variable->kind); ++i)
    out[i] = variable->kind == 0 ? 3 : variable->kind == 1 ? variable->first + i : type[i];
}

static void put_text(int file, int variable, const char* name, size_t size, const char* text) {
  checked(ncmpi_put_att_text(file, variable, name, (MPI_Offset)size, text), name);
}

static int define(void) {
  int file = -1;
  checked(ncmpi_create(MPI_COMM_WORLD, bench.options.file, NC_CLOBBER | NC_64BIT_DATA,
                       MPI_INFO_NULL, &file),
          bench.options.file);
  int two = 0, side = 0, ten = 0;
  checked(ncmpi_def_dim(file, "two", kBaseValues, &two), "dimension");
  checked(ncmpi_def_dim(file, "side", kZoneSide, &side), "dimension");
  checked(ncmpi_def_dim(file, "ten", kZoneTypeValues, &ten), "dimension");
  const int square[] = {side, side};
  for (int i = 0; i < count; ++i) {
    Variable* v = &variables[i];
    char name[32];
    snprintf(name, sizeof name, "variable%d", i);
    const int type = v->kind == 0 ? NC_INT : v->kind == 1 ? NC_INT64 : NC_BYTE;
    const int* dimensions = v->kind == 0 ? &two : v->kind == 1 ? square : &ten;
    checked(ncmpi_def_var(file, name, type, v->kind == 1 ? 2 : 1, dimensions, &v->id), name);
    put_text(file, v->id, "name", kNameSize, v->attributes.name);
    put_text(file, v->id, "label", kNameSize, v->attributes.label);
    put_text(file, v->id, "type", kTypeSize, v->attributes.type);
  }
  checked(ncmpi_enddef(file), "enddef");
  return file;
}

/* All values are equal on all ranks, so rank 0 writes them, in one collective call. */
static void write_values(int file) {
  int64_t* all = values;
  if (bench.rank == 0)
    for (int i = 0; i < count; ++i) {
      value_of(&variables[i], all + (size_t)i * 10);
      checked(
          ncmpi_iput_var_longlong(file, variables[i].id, (long long*)all + (size_t)i * 10, NULL),
          "iput_var");
    }
  checked(ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL), "wait_all");
}

static void run_create(void) {
  bench_step_begin(&bench, "create", "fill");
  const int file = define();
  write_values(file);
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "flush");
  checked(ncmpi_flush(file), "flush");
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "close");
  checked(ncmpi_close(file), "close");
  bench_step_end(&bench);
}

static void check_text(int file, int variable, const char* name, size_t size,
                       const char* expected) {
  char text[kNameSize];
  MPI_Offset length = 0;
  checked(ncmpi_inq_attlen(file, variable, name, &length), name);
  checked(ncmpi_get_att_text(file, variable, name, text), name);
  if (length != (MPI_Offset)size || memcmp(text, expected, size) != 0)
    bench_fail(name, "has another value than was written");
}

/* Reads everything, as a program that knows only the file: setting `default` all values in one
 * collective call, `independent` each rank for itself. */
static void read_all(int file) {
  int found = 0;
  checked(ncmpi_inq_nvars(file, &found), "inq_nvars");
  if (found != count) bench_fail(bench.options.file, "has another number of variables");
  const int alone = strcmp(bench.options.setting, "independent") == 0;
  if (alone) checked(ncmpi_begin_indep_data(file), "begin_indep_data");
  for (int i = 0; i < count; ++i) {
    char name[NC_MAX_NAME + 1];
    nc_type type = NC_NAT;
    int rank = 0;
    int dimensions[2];
    int attributes = 0;
    checked(ncmpi_inq_var(file, i, name, &type, &rank, dimensions, &attributes), "inq_var");
    const Variable* v = &variables[i];
    check_text(file, i, "name", kNameSize, v->attributes.name);
    check_text(file, i, "label", kNameSize, v->attributes.label);
    check_text(file, i, "type", kTypeSize, v->attributes.type);
    long long* out = (long long*)values + (size_t)i * 10;
    if (alone)
      checked(ncmpi_get_var_longlong(file, i, out), "get_var");
    else
      checked(ncmpi_iget_var_longlong(file, i, out, NULL), "iget_var");
  }
  if (alone)
    checked(ncmpi_end_indep_data(file), "end_indep_data");
  else
    checked(ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL), "wait_all");
}

static void check_values(void) {
  for (int i = 0; i < count; ++i) {
    int64_t expected[10];
    value_of(&variables[i], expected);
    const size_t size = (size_t)values_of(variables[i].kind) * sizeof *expected;
    if (memcmp(values + (size_t)i * 10, expected, size) != 0)
      bench_fail(bench.options.file, "has other values than were written");
  }
}

static void run_open_read(void) {
  int file = -1;
  bench_step_begin(&bench, "open_read", "open");
  checked(ncmpi_open(MPI_COMM_WORLD, bench.options.file, NC_NOWRITE, MPI_INFO_NULL, &file),
          bench.options.file);
  bench_step_end(&bench);
  bench_step_begin(&bench, "open_read", "read");
  read_all(file);
  bench_step_end(&bench);
  check_values();
  bench_step_begin(&bench, "open_read", "close");
  checked(ncmpi_close(file), "close");
  bench_step_end(&bench);
}

static void run_close_unmodified(void) {
  int file = -1;
  bench_step_begin(&bench, "close_unmodified", "open");
  checked(ncmpi_open(MPI_COMM_WORLD, bench.options.file, NC_WRITE, MPI_INFO_NULL, &file),
          bench.options.file);
  bench_step_end(&bench);
  bench_step_begin(&bench, "close_unmodified", "close");
  checked(ncmpi_close(file), "close");
  bench_step_end(&bench);
}

int main(int argc, char** argv) {
  plain_begin(&bench, argc, argv);
  list_variables();
  if (bench_has_phase(&bench, "create")) run_create();
  if (bench_has_phase(&bench, "open_read")) run_open_read();
  if (bench_has_phase(&bench, "close_unmodified")) run_close_unmodified();
  bench_report(&bench, "pnetcdf", ncmpi_inq_libvers(), NULL);
  MPI_Finalize();
  return 0;
}
