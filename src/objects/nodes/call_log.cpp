#include "objects/nodes/call_log.hpp"

#include <algorithm>

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
  Entry entry{0, &where, name.data(), {}, static_cast<std::uint32_t>(name.size()), number_of(what)};
  for (std::size_t i = 0; i < CallArguments::kCount; ++i) {
    const std::uint64_t digest = arguments.digests[i].value();
    call.add(digest);
    entry.arguments[i] = static_cast<std::uint16_t>(digest);
  }
  entry.digest = call.value();
  calls_.push_back(entry);
}

LoggedCall CallLog::operator[](std::size_t call) const {
  const Entry& entry = calls_[call];
  return {phrases_[entry.what], entry.where, {entry.name, entry.name_size}, entry.arguments};
}

/// There are few phrases, and one call is often like the last ones.
std::uint16_t CallLog::number_of(const char* phrase) {
  const auto known = std::find(phrases_.begin(), phrases_.end(), phrase);
  const auto number = static_cast<std::uint16_t>(known - phrases_.begin());
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
