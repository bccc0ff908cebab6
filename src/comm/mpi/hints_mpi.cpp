#include "comm/mpi/mpi_library.hpp"

namespace onecast {

using namespace comm;

namespace {

constexpr const char* kHintsOf = "hints_of";

std::map<std::string, std::string> hints_in(const Mpi& mpi, MpiInfo info) {
  std::map<std::string, std::string> hints;
  if (info == mpi.constants().info_null) return hints;
  require_running(mpi, kHintsOf);
  const int count = mpi.info_get_nkeys(info);
  for (int i = 0; i < count; ++i) {
    std::string name = mpi.info_get_nthkey(info, i);
    if (auto value = mpi.info_get(info, name)) hints.emplace(std::move(name), std::move(*value));
  }
  return hints;
}

}  // namespace

std::map<std::string, std::string> hints_of(const MpiHandle& info) {
  const Mpi& mpi = mpi_of(info.library());
  return hints_in(mpi, info_of(mpi, info, kHintsOf));
}

}  // namespace onecast
