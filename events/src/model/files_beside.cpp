#include "model/files_beside.hpp"

#include <fmt/format.h>

#include <random>

namespace onecast::events {

std::string part_beside(const std::string& place) {
  return fmt::format("{}.{:08x}.part", place, std::random_device()());
}

std::string journal_beside(const std::string& path) { return path + ".onecast-journal"; }

}  // namespace onecast::events
