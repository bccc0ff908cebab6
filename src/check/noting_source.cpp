#include "check/noting_source.hpp"

#include <utility>

namespace onecast::check {
namespace {

/// The beginnings of the titles of records.
constexpr std::pair<std::string_view, Family> kTitles[] = {
    {"Superblock", Family::superblock},
    {"Driver Information", Family::driver_info},
    {"Object Header", Family::object_header},
    {"Version 1 Object Header", Family::object_header},
    {"Version 2 Object Header", Family::object_header},
    {"B-tree Nodes", Family::btree_v1},
    {"Symbol Table Node", Family::symbol_nodes},
    {"Local Heap", Family::local_heap},
    {"Version 2 B-tree", Family::btree_v2},
    {"Fractal Heap", Family::fractal_heap},
    {"Huge Fractal Heap", Family::fractal_heap},
    {"Fixed Array", Family::fixed_array},
    {"Extensible Array", Family::extensible_array},
    {"A Global Heap", Family::global_heap},
    {"Free-space", Family::free_space},
    {"Shared Object Header Message Table", Family::shared_messages},
    {"Shared Message Record List", Family::shared_messages},
    {"Raw Data", Family::none},
};

Family family_by_title(std::string_view title) {
  for (const auto& [start, family] : kTitles)
    if (title.substr(0, start.size()) == start) return family;
  return Family::other;
}

}  // namespace

Family NotingSource::family_of(const char* title) {
  // Titles are literals, so their addresses identify them.
  const auto known = families_.find(title);
  Family family = known != families_.end() ? known->second : family_by_title(title);
  if (known == families_.end()) families_.emplace(title, family);
  if (family == Family::fixed_array || family == Family::extensible_array) last_array_ = family;
  // Pages have one title for both kinds of arrays, and follow one of their blocks.
  if (family == Family::other && std::string_view(title) == "Data Block Page") return last_array_;
  return family;
}

ByteView NotingSource::view(Address address, std::uint64_t length, const char* what) {
  last_ = address.value;
  const ByteView bytes = inner_.view(address, length, what);
  constexpr std::uint64_t kTimes = 16;
  constexpr std::uint64_t kFree = std::uint64_t{16} << 20U;
  seen_ += length;
  if (seen_ > kTimes * inner_.end() + kFree) throw EndlessFile();
  if (!muted_) map_.note(address.value, length, family_of(what), use_, owner_);
  return bytes;
}

}  // namespace onecast::check
