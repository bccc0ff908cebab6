// Solutions at three time steps in one file. BaseIterativeData has the times, ZoneIterativeData the
// name of the solution for each.

#include <cgnslib.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 3, NAME = 32, VERTICES = 4 * 3 * 2 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/// The pressure at a vertex, at a time.
static double pressure(int vertex, double time) { return 1.0 + 0.25 * time * vertex; }

static void name_of_step(int step, char name[NAME + 1]) {
  sprintf(name, "FlowSolution%d", step + 1);
}

static void write(const char* path) {
  int file, base, zone, index;
  const cgsize_t sizes[9] = {4, 3, 2, 3, 2, 1, 0, 0, 0};
  const double times[STEPS] = {0.0, 0.5, 1.0};
  char names[STEPS][NAME];
  check(cg_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_simulation_type_write(file, base, CGNS_ENUMV(TimeAccurate)));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));

  // One solution for each step. Their names form a table of 32 characters each, padded with blanks.
  memset(names, ' ', sizeof names);
  for (int step = 0; step < STEPS; ++step) {
    char name[NAME + 1];
    double values[VERTICES];
    name_of_step(step, name);
    memcpy(names[step], name, strlen(name));
    for (int i = 0; i < VERTICES; ++i) values[i] = pressure(i, times[step]);
    check(cg_sol_write(file, base, zone, name, CGNS_ENUMV(Vertex), &index));
    check(cg_goto(file, base, "Zone_t", zone, "FlowSolution_t", index, "end"));
    check(cg_array_write("Pressure", CGNS_ENUMV(RealDouble), 3, sizes, values));
  }

  const cgsize_t steps = STEPS;
  check(cg_biter_write(file, base, "TimeIterValues", STEPS));
  check(cg_goto(file, base, "BaseIterativeData_t", 1, "end"));
  check(cg_array_write("TimeValues", CGNS_ENUMV(RealDouble), 1, &steps, times));

  const cgsize_t table[2] = {NAME, STEPS};
  check(cg_ziter_write(file, base, zone, "ZoneIterativeData"));
  check(cg_goto(file, base, "Zone_t", zone, "ZoneIterativeData_t", 1, "end"));
  check(cg_array_write("FlowSolutionPointers", CGNS_ENUMV(Character), 2, table, names));
  check(cg_close(file));
}

/// Returns the number of values that differ from those written.
static int compare(const char* path) {
  int file, steps, wrong = 0;
  char name[33];
  double times[STEPS];
  char names[STEPS][NAME];
  check(cg_open(path, CG_MODE_READ, &file));
  check(cg_biter_read(file, 1, name, &steps));
  if (steps != STEPS) return 1;
  check(cg_goto(file, 1, "BaseIterativeData_t", 1, "end"));
  check(cg_array_read(1, times));
  check(cg_goto(file, 1, "Zone_t", 1, "ZoneIterativeData_t", 1, "end"));
  check(cg_array_read(1, names));
  for (int step = 0; step < STEPS; ++step) {
    double values[VERTICES];
    sprintf(name, "%.32s", names[step]);
    *strchr(name, ' ') = '\0';
    check(cg_goto(file, 1, "Zone_t", 1, name, 0, "end"));
    check(cg_array_read(1, values));
    for (int i = 0; i < VERTICES; ++i) wrong += values[i] != pressure(i, times[step]);
    printf("time %.1f: %s\n", times[step], name);
  }
  check(cg_close(file));
  return wrong;
}

int main(void) {
  write("time_steps.cgns");
  return compare("time_steps.cgns") == 0 ? 0 : 1;
}
