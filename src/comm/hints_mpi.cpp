#include <array>

#include "comm/check_mpi.hpp"
#include "onecast/comm/mpi.hpp"

namespace onecast {

using namespace comm;

std::map<std::string, std::string> hints_of(MPI_Info info) {
  std::map<std::string, std::string> hints;
  if (info == MPI_INFO_NULL) return hints;
  int count = 0;
  check_mpi(MPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> name{};
    check_mpi(MPI_Info_get_nthkey(info, i, name.data()), "MPI_Info_get_nthkey");
    int length = 0;
    int there = 0;
    check_mpi(MPI_Info_get_valuelen(info, name.data(), &length, &there), "MPI_Info_get_valuelen");
    if (there == 0) continue;
    std::string value(static_cast<std::size_t>(length) + 1, '\0');
    check_mpi(MPI_Info_get(info, name.data(), length, value.data(), &there), "MPI_Info_get");
    value.resize(static_cast<std::size_t>(length));
    hints.emplace(name.data(), std::move(value));
  }
  return hints;
}

}  // namespace onecast
