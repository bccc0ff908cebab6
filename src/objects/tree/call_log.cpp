#include "objects/tree/call_log.hpp"

#include <fmt/format.h>

#include <cstring>

#include "comm/agreement.hpp"
#include "comm/two_sides.hpp"
#include "objects/memory/limits.hpp"
#include "objects/memory/packer.hpp"
#include "objects/tree/call_words.hpp"
#include "objects/tree/file_state.hpp"
#include "objects/tree/node.hpp"
#include "onecast/base/error.hpp"
#include "pages/content_digest.hpp"

namespace onecast {

Digest& Digest::add(std::span<const std::byte> bytes) {
  add(bytes.size());
  constexpr std::size_t kMuch = 256;
  if (bytes.size() >= kMuch) return add(content_digest(bytes));
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    add(word);
  }
  if (bytes.empty()) return *this;
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes.data(), bytes.size());
  return add(rest);
}

void CallLog::add(const char* what, Node& where, std::string_view name,
                  const CallArguments& arguments) {
  grow_by_call(where, name);
  if (!keeps()) return;
  Digest call(digest());
  call.add(std::string_view(what)).add(where.identity()).add(name);
  LoggedCall entry{what, &where, name, 0, {}};
  for (std::size_t i = 0; i < CallArguments::kCount; ++i) {
    const std::uint64_t digest = arguments.digests[i].value();
    call.add(digest);
    entry.arguments[i] = static_cast<std::uint32_t>(digest);
  }
  entry.digest = call.value();
  calls_.push_back(entry);
}

/// An object that was there is decoded, and the flush takes a copy of each page that changes.
void CallLog::grow_by_call(const Node& where, std::string_view name) {
  constexpr std::uint64_t kOfOneCall = 256;
  grow(kOfOneCall + name.size());
  if (paused_ || where.is_new()) return;
  const FileState& file = *where.file;
  const bool in_pages = file.allocator && file.allocator->is_paged();
  const std::uint64_t unit = in_pages ? file.allocator->page_size() : where.header.first.size;
  if (changed_.insert(2 * where.address.value + 1).second) grow(kMemoryOfNewObject);
  if (unit != 0 && changed_.insert(where.address.value / unit * 2).second) grow(unit);
}

void CallLog::throw_difference(CommunicatorBackend& comm, const std::string& file) const {
  // Digests cover all calls before: the first difference is found by halving.
  std::uint64_t count[1] = {calls_.size()};
  comm.all_reduce_max(count);
  std::size_t at = 0;
  std::size_t different = static_cast<std::size_t>(count[0]);
  while (at < different) {
    const std::size_t middle = at + (different - at) / 2;
    if (compare_digest(comm, digest_at(middle)))
      at = middle + 1;
    else
      different = middle;
  }
  const TwoSides sides = two_sides(comm, digest_at(at), [&] {
    Packer out;
    (at < calls_.size() ? words_of(calls_[at]) : CallWords()).pack(out);
    return std::move(out.out);
  });
  const CallWords first = CallWords::unpacked(sides.first.span());
  const CallWords other = CallWords::unpacked(sides.other.span());
  throw Error(
      ErrorCode::diverged,
      fmt::format("{}: ranks made different structural calls; the first that differs is call {} "
                  "since the last flush: rank 0: {}; rank {}: {}",
                  file, at + 1, told_beside(first, other), sides.rank, told_beside(other, first)));
}

}  // namespace onecast
