#include "objects/nodes/call_log.hpp"

#include <algorithm>
#include <iterator>

#include "objects/memory/limits.hpp"
#include "objects/nodes/node.hpp"
#include "objects/nodes/open_file.hpp"

namespace onecast::nodes {

void CallLog::add(const char* what, Node& where, std::string_view name,
                  const CallArguments& arguments) {
  grow_by_call(where, name);
  if (!keeps()) return;
  Digest call(digest());
  call.add(std::string_view(what)).add(where.identity()).add(name);
  const auto at = reinterpret_cast<std::uintptr_t>(&where);
  const auto name_at = name.empty() && !bases_.empty()
                           ? bases_.back().name
                           : reinterpret_cast<std::uintptr_t>(name.data());
  const Base& base = base_near(at, name_at);
  Entry entry{.digest = 0,
              .where = static_cast<std::int32_t>(at - base.where),
              .name = static_cast<std::int32_t>(name_at - base.name),
              .name_size = static_cast<std::uint32_t>(std::min(name.size(), kMostOfName)) &
                           std::uint32_t{kMostOfName},
              .what = number_of(what),
              .arguments = {}};
  for (std::size_t i = 0; i < CallArguments::kCount; ++i) {
    const std::uint64_t digest = arguments.digests[i].value();
    call.add(digest);
    entry.arguments[i] = static_cast<std::uint16_t>(digest);
  }
  digest_ = call.value();
  entry.digest = static_cast<std::uint32_t>(digest_);
  calls_.push_back(entry);
}

/// Returns a base from which both places are less than 2 GiB away. Places in the memory of a file
/// are, mostly.
const CallLog::Base& CallLog::base_near(std::uintptr_t where, std::uintptr_t name) {
  const auto is_near = [](std::uintptr_t place, std::uintptr_t base) {
    return static_cast<std::intptr_t>(place - base) ==
           static_cast<std::int32_t>(static_cast<std::uint32_t>(place - base));
  };
  if (bases_.empty() || !is_near(where, bases_.back().where) || !is_near(name, bases_.back().name))
    bases_.push_back({calls_.size(), where, name});
  return bases_.back();
}

LoggedCall CallLog::operator[](std::size_t call) const {
  const Entry& entry = calls_[call];
  const Base& base =
      *std::prev(std::ranges::upper_bound(bases_, call, {}, [](const Base& b) { return b.first; }));
  const auto place = [](std::uintptr_t from, std::int32_t offset) {
    return from + static_cast<std::uintptr_t>(std::intptr_t{offset});
  };
  // Offsets take half of the memory of pointers.
  // NOLINTBEGIN(performance-no-int-to-ptr)
  return {phrases_[entry.what],
          reinterpret_cast<Node*>(place(base.where, entry.where)),
          {reinterpret_cast<const char*>(place(base.name, entry.name)), entry.name_size},
          entry.arguments};
  // NOLINTEND(performance-no-int-to-ptr)
}

/// There are few phrases, and one call is often like the last ones.
std::uint8_t CallLog::number_of(const char* phrase) {
  const auto known = std::find(phrases_.begin(), phrases_.end(), phrase);
  const auto number = static_cast<std::uint8_t>(known - phrases_.begin());
  if (known == phrases_.end()) phrases_.push_back(phrase);
  return number;
}

/// An existing object is decoded, and the flush copies each page that changes.
void CallLog::grow_by_call(const Node& where, std::string_view name) {
  constexpr std::uint64_t kOfOneCall = 256;
  grow(kOfOneCall, name.size());
  if (paused_ || where.is_new()) return;
  const bool in_pages = file_.has_allocator() && file_.allocator().is_paged();
  const std::uint64_t unit = in_pages ? file_.allocator().page_size() : where.header.first.size;
  if (changed_.insert(2 * where.address.value + 1).second) grow(kMemoryOfNewObject, 0);
  if (unit != 0 && changed_.insert(where.address.value / unit * 2).second) grow(0, unit);
}

}  // namespace onecast::nodes
