/* Files in memory: the first is lost when it is closed, the second is kept. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void configure(int setting, size_t value) { check(cg_configure(setting, (void*)value)); }

static void write_file(const char* name) {
  const cgsize_t count = COUNT;
  static double values[COUNT];
  int file, base;
  for (int n = 0; n < COUNT; ++n) values[n] = n;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_goto(file, base, "end"));
  check(cg_user_data_write("Data"));
  check(cg_gorel(file, "Data", 0, "end"));
  check(cg_array_write("Values", CGNS_ENUMV(RealDouble), 1, &count, values));
  check(cg_close(file));
}

static int exists(const char* name) {
  FILE* file = fopen(name, "rb");
  if (file != NULL) fclose(file);
  return file != NULL;
}

int main(void) {
  static double found[COUNT];
  int file;
  configure(CG_CONFIG_HDF5_DISKLESS, 1);
  write_file("lost.cgns");
  configure(CG_CONFIG_HDF5_DISKLESS_WRITE, 1);
  write_file("kept_in_memory.cgns");
  configure(CG_CONFIG_RESET, CG_CONFIG_RESET_HDF5);

  check(cg_open("kept_in_memory.cgns", CG_MODE_READ, &file));
  check(cg_goto(file, 1, "Data", 0, "end"));
  check(cg_array_read(1, found));
  check(cg_close(file));
  printf("one file is there, the other is %s\n", exists("lost.cgns") ? "there, too" : "lost");
  return found[COUNT - 1] == COUNT - 1 && !exists("lost.cgns") ? EXIT_SUCCESS : EXIT_FAILURE;
}
