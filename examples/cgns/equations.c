/* A description of the computation: the equations with their models, the history of the residuals,
   and a text. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 20 };

static const char text[] = "Grid of 8 x 8 x 8 cells.\nComputed for the examples.";

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static double residual(int iteration) { return 1.0 / (1 << iteration); }

/* Writes the thin-layer equations: viscous terms in the third direction only. */
static void write_equations(int file, int base) {
  const int diffusion[6] = {0, 0, 1, 0, 0, 0};
  const cgsize_t one = 1;
  const float gamma = 1.4F;
  check(cg_goto(file, base, "end"));
  check(cg_equationset_write(3));
  check(cg_gorel(file, "FlowEquationSet_t", 1, "end"));
  check(cg_governing_write(CGNS_ENUMV(NSTurbulent)));
  check(cg_model_write("GasModel_t", CGNS_ENUMV(Ideal)));
  check(cg_model_write("ViscosityModel_t", CGNS_ENUMV(SutherlandLaw)));
  check(cg_model_write("TurbulenceModel_t", CGNS_ENUMV(OneEquation_SpalartAllmaras)));
  check(cg_gorel(file, "GoverningEquations_t", 1, "end"));
  check(cg_diffusion_write(diffusion));
  check(cg_gorel(file, "..", 0, "GasModel_t", 1, "end"));
  check(cg_dataclass_write(CGNS_ENUMV(DimensionlessConstant)));
  check(cg_array_write("SpecificHeatRatio", CGNS_ENUMV(RealSingle), 1, &one, &gamma));
}

static void write_history(int file, int base) {
  const cgsize_t iterations = ITERATIONS;
  double values[ITERATIONS];
  for (int i = 0; i < ITERATIONS; ++i) values[i] = residual(i);
  check(cg_goto(file, base, "end"));
  check(cg_convergence_write(ITERATIONS, "L2 norm"));
  check(cg_gorel(file, "ConvergenceHistory_t", 1, "end"));
  check(cg_array_write("RSDMassRMS", CGNS_ENUMV(RealDouble), 1, &iterations, values));
}

static void write_file(const char* name) {
  int file, base;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  write_equations(file, base);
  write_history(file, base);
  check(cg_goto(file, base, "end"));
  check(cg_descriptor_write("Information", text));
  check(cg_close(file));
}

static int equations_are_as_written(int file) {
  CGNS_ENUMT(GoverningEquationsType_t) governing;
  CGNS_ENUMT(ModelType_t) turbulence;
  int dimension, has[7], diffusion[6];
  float gamma;
  check(cg_goto(file, 1, "end"));
  check(cg_equationset_read(&dimension, has, has + 1, has + 2, has + 3, has + 4, has + 5));
  check(cg_gorel(file, "FlowEquationSet_t", 1, "end"));
  check(cg_governing_read(&governing));
  check(cg_model_read("TurbulenceModel_t", &turbulence));
  check(cg_gorel(file, "GoverningEquations_t", 1, "end"));
  check(cg_diffusion_read(diffusion));
  check(cg_gorel(file, "..", 0, "GasModel_t", 1, "end"));
  check(cg_array_read(1, &gamma));
  printf("%s in %d dimensions, %s, ratio of specific heats %g\n",
         cg_GoverningEquationsTypeName(governing), dimension, cg_ModelTypeName(turbulence), gamma);
  return dimension == 3 && has[0] && has[1] && has[2] && !has[3] && !has[4] && has[5] &&
         governing == CGNS_ENUMV(NSTurbulent) &&
         turbulence == CGNS_ENUMV(OneEquation_SpalartAllmaras) && diffusion[2] == 1 &&
         gamma == 1.4F;
}

static int history_is_as_written(int file) {
  double values[ITERATIONS];
  int iterations;
  char* norm;
  check(cg_goto(file, 1, "end"));
  check(cg_convergence_read(&iterations, &norm));
  check(cg_gorel(file, "ConvergenceHistory_t", 1, "end"));
  check(cg_array_read(1, values));
  printf("%s after %d iterations: %g\n", norm, iterations, values[iterations - 1]);
  check(cg_free(norm));
  return iterations == ITERATIONS && values[ITERATIONS - 1] == residual(ITERATIONS - 1);
}

static int text_is_as_written(int file) {
  char name[33];
  char* found;
  int same;
  check(cg_goto(file, 1, "end"));
  check(cg_descriptor_read(1, name, &found));
  printf("%s: %s\n", name, found);
  same = strcmp(found, text) == 0;
  check(cg_free(found));
  return same;
}

int main(void) {
  int file, same;
  write_file("equations.cgns");
  check(cg_open("equations.cgns", CG_MODE_READ, &file));
  same = equations_are_as_written(file);
  same = history_is_as_written(file) && same;
  same = text_is_as_written(file) && same;
  check(cg_close(file));
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
