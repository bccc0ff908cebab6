// The workloads of the CGNS layer: see README.md.
#include <cgnslib.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "workload.hpp"

namespace {

using onecast_bench::measure;

constexpr int kZones = 64;
constexpr cgsize_t kVertices = 3;

void check(int status) {
  if (status != CG_OK) throw std::runtime_error(cg_get_error());
}

void write(const std::string& path) {
  const cgsize_t sizes[9] = {kVertices, kVertices, kVertices, 2, 2, 2, 0, 0, 0};
  const std::vector<double> values(27);
  int file = 0;
  int base = 0;
  check(cg_open(path.c_str(), CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  for (int i = 1; i <= kZones; ++i) {
    int zone = 0;
    int index = 0;
    check(cg_zone_write(file, base, ("Zone" + std::to_string(i)).c_str(), sizes,
                        CGNS_ENUMV(Structured), &zone));
    for (const char* name : {"CoordinateX", "CoordinateY", "CoordinateZ"})
      check(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), name, values.data(), &index));
    check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &index));
  }
  check(cg_close(file));
}

void read(int file) {
  const cgsize_t low[3] = {1, 1, 1};
  const cgsize_t high[3] = {kVertices, kVertices, kVertices};
  std::vector<double> values(27);
  for (int zone = 1; zone <= kZones; ++zone) {
    char name[33];
    cgsize_t sizes[9];
    int count = 0;
    check(cg_zone_read(file, 1, zone, name, sizes));
    check(cg_nsols(file, 1, zone, &count));
    check(cg_ncoords(file, 1, zone, &count));
    for (int i = 1; i <= count; ++i) {
      CGNS_ENUMT(DataType_t) type;
      check(cg_coord_info(file, 1, zone, i, &type, name));
      check(cg_coord_read(file, 1, zone, name, CGNS_ENUMV(RealDouble), low, high, values.data()));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_workloads(argc, argv, [](const std::filesystem::path& folder) {
    const std::string path = (folder / "mesh.cgns").string();
    int file = 0;
    measure("write zones by the CGNS library", [&] { write(path); });
    measure("cg_open", [&] { check(cg_open(path.c_str(), CG_MODE_READ, &file)); });
    measure("read zones by the CGNS library", [&] { read(file); });
    check(cg_close(file));
  });
}
