#include "objects/call_log.hpp"

#include <fmt/format.h>

#include <cstring>

#include "comm/agreement.hpp"
#include "objects/node.hpp"
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

void CallLog::add(const char* what, const Node& where, std::string_view name,
                  const Digest& arguments) {
  if (!keeps()) return;
  Digest call(digest());
  call.add(std::string_view(what)).add(where.identity()).add(name).add(arguments.value());
  calls_.push_back({what, &where, name, call.value()});
}

std::string CallLog::describe(std::size_t call) const {
  if (call >= calls_.size()) return "no call";
  const Call& c = calls_[call];
  return fmt::format("{} \"{}\" in \"{}\" (with these arguments: {:016x})", c.what, c.name,
                     c.where->path(), c.digest);
}

void CallLog::throw_difference(CommunicatorBackend& comm, const std::string& file) const {
  // Digests cover all calls before: the first difference is found by halving.
  std::uint64_t count[1] = {calls_.size()};
  comm.all_reduce_max(count);
  std::size_t same = 0;
  std::size_t different = static_cast<std::size_t>(count[0]);
  while (same < different) {
    const std::size_t middle = same + (different - same) / 2;
    // Absence is a digest of its own: no call has digest 0.
    const std::uint64_t mine = middle < calls_.size() ? calls_[middle].digest : 0;
    if (compare_digest(comm, mine))
      same = middle + 1;
    else
      different = middle;
  }
  const std::size_t at = same;
  std::uint64_t reference[1] = {at < calls_.size() ? calls_[at].digest : 0};
  comm.broadcast(std::as_writable_bytes(std::span(reference)), 0);
  const std::uint64_t mine = at < calls_.size() ? calls_[at].digest : 0;
  std::uint64_t other[1] = {mine == reference[0] ? static_cast<std::uint64_t>(comm.size())
                                                 : static_cast<std::uint64_t>(comm.rank())};
  comm.all_reduce_min(other);
  const auto text_of = [&](int rank) {
    const Buffer text = broadcast_from_root(comm, rank, [&] {
      const std::string mine_text = describe(at);
      Buffer b(mine_text.size());
      std::memcpy(b.data(), mine_text.data(), mine_text.size());
      return b;
    });
    return std::string(reinterpret_cast<const char*>(text.data()), text.size());
  };
  const std::string first = text_of(0);
  const int other_rank =
      other[0] < static_cast<std::uint64_t>(comm.size()) ? static_cast<int>(other[0]) : 0;
  const std::string second = text_of(other_rank);
  throw Error(
      ErrorCode::diverged,
      fmt::format("{}: ranks made different structural calls; the first that differs is call {} "
                  "since the last flush: rank 0: {}; rank {}: {}",
                  file, at + 1, first, other_rank, second));
}

}  // namespace onecast
