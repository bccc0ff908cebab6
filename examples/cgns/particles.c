/* Particles: the positions of drops of a spray, their properties, and the equations that move them.
 */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { DROPS = 50 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static double position(int direction, int drop) { return 10.0 * direction + 0.1 * drop; }

static void write_file(const char* name) {
  static const char* const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  double values[DROPS];
  float radius[DROPS];
  const cgsize_t some[3] = {3, 7, 11};
  int file, base, particles, solution, index;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_particle_write(file, base, "Spray", DROPS, &particles));
  for (int d = 0; d < 3; ++d) {
    for (int n = 0; n < DROPS; ++n) values[n] = position(d, n);
    check(cg_particle_coord_write(file, base, particles, CGNS_ENUMV(RealDouble), names[d], values,
                                  &index));
  }
  for (int n = 0; n < DROPS; ++n) radius[n] = 0.5F / (float)(n + 1);
  check(cg_particle_sol_write(file, base, particles, "Solution", &solution));
  check(cg_particle_field_write(file, base, particles, solution, CGNS_ENUMV(RealSingle), "Radius",
                                radius, &index));

  /* Values of some drops only, which a list names. */
  check(cg_particle_sol_ptset_write(file, base, particles, "Probes", CGNS_ENUMV(PointList), 3, some,
                                    &solution));
  check(cg_particle_field_write(file, base, particles, solution, CGNS_ENUMV(RealDouble),
                                "Temperature", values, &index));

  check(cg_goto(file, base, "ParticleZone_t", particles, "end"));
  check(cg_particle_equationset_write(3));
  check(cg_gorel(file, "ParticleEquationSet_t", 1, "end"));
  check(cg_particle_governing_write(CGNS_ENUMV(DSMC)));
  check(cg_particle_model_write("ParticleForceModel_t", CGNS_ENUMV(Stokes)));
  check(cg_close(file));
}

static int is_as_written(int file) {
  const cgsize_t first = 11, last = 20;
  char name[33];
  cgsize_t count, probes, size;
  CGNS_ENUMT(PointSetType_t) form;
  CGNS_ENUMT(ParticleModelType_t) force;
  double y[10];
  float radius[10];
  int coordinates, solutions, same = 1;
  check(cg_particle_read(file, 1, 1, name, &count));
  check(cg_particle_ncoords(file, 1, 1, &coordinates));
  check(cg_particle_nsols(file, 1, 1, &solutions));
  check(
      cg_particle_coord_read(file, 1, 1, "CoordinateY", CGNS_ENUMV(RealDouble), &first, &last, y));
  check(cg_particle_field_read(file, 1, 1, 1, "Radius", CGNS_ENUMV(RealSingle), &first, &last,
                               radius));
  check(cg_particle_sol_ptset_info(file, 1, 1, 2, &form, &probes));
  check(cg_particle_sol_size(file, 1, 1, 2, &size));
  check(cg_goto(file, 1, "ParticleZone_t", 1, "ParticleEquationSet_t", 1, "end"));
  check(cg_particle_model_read("ParticleForceModel_t", &force));
  printf("%s: %d particles, %d solutions, forces as %s has them\n", name, (int)count, solutions,
         cg_ParticleModelTypeName(force));
  for (int n = 0; n < 10; ++n)
    same = same && y[n] == position(1, n + 10) && radius[n] == 0.5F / (float)(n + 11);
  return same && count == DROPS && coordinates == 3 && solutions == 2 &&
         form == CGNS_ENUMV(PointList) && probes == 3 && size == 3;
}

int main(void) {
  int file, same;
  write_file("particles.cgns");
  check(cg_open("particles.cgns", CG_MODE_READ, &file));
  same = is_as_written(file);
  check(cg_close(file));
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
