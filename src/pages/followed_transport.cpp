#include "pages/followed_transport.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "base/byte_reader.hpp"
#include "format/boot/journal.hpp"
#include "format/boot/superblock.hpp"
#include "pages/superblock_info.hpp"

namespace onecast::pages {
namespace {

constexpr unsigned kMostTries = 40;

void wait_before(unsigned attempt) {
  constexpr unsigned kLongest = 5;
  std::this_thread::sleep_for(std::chrono::milliseconds((1U << std::min(attempt, kLongest)) - 1));
}

std::optional<std::uint64_t> place_of_superblock(Transport& file) {
  std::array<std::byte, 512> start{};
  for (std::uint64_t at = 0; at < file.size(); at = at == 0 ? start.size() : 2 * at) {
    file.read_at(at, start);
    if (find_superblock(start) == 0) return at;
  }
  return std::nullopt;
}

}  // namespace

FollowedTransport::FollowedTransport(std::unique_ptr<Transport> file, TransportFactory factory,
                                     std::string journal)
    : ForwardingTransport(std::move(file)),
      factory_(std::move(factory)),
      journal_(std::move(journal)) {}

void FollowedTransport::fail() const {
  const auto file = journal_.substr(0, journal_.rfind(".onecast-journal"));
  throw Error(
      ErrorCode::io,
      fmt::format("{}: its writer has flushed meanwhile; refresh shows the present state", file),
      EAGAIN);
}

std::size_t FollowedTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (is_lost_) fail();
  const std::size_t got = ForwardingTransport::read_at(offset, out);
  if (!shown_ || is_for_readers_) return got;
  if (undone_) undone_->patch(offset, out.first(got));
  if (state() != *shown_) fail();
  return got;
}

FollowedTransport::State FollowedTransport::state() {
  State now;
  if (!superblock_at_) superblock_at_ = place_of_superblock(inner());
  if (superblock_at_) inner().read_at(*superblock_at_, now.superblock);
  std::unique_ptr<Transport> journal;
  try {
    journal = factory_(journal_, OpenMode::read_only);
  } catch (const Error& error) {
    // No file can have a name that is too long for the system.
    if (error.code() == ErrorCode::not_found || error.system_errno() == ENAMETOOLONG) return now;
    throw;
  }
  now.journal_stamp = journal->stamp();
  journal->read_at(0, now.journal_start);
  const FileContext context;
  ByteReader in(ByteView(now.journal_start).subspan(Journal::kCountAt), Address{Journal::kCountAt},
                context, Journal::kTitle);
  const std::uint64_t count = in.uint(4, "Number of Blocks");
  journal->read_at(
      now.journal_start.size() + JournalBlock::kSize + count * JournalBlock::kEncodedSize,
      now.journal_checksum);
  return now;
}

bool FollowedTransport::look_again() {
  for (unsigned attempt = 0; attempt < kMostTries; ++attempt) {
    wait_before(attempt);
    const State now = state();
    if (is_open_for_swmr(now.superblock)) {
      show(now, true, nullptr);
      return true;
    }
    // A flush that was under way may have ended without a change of this.
    if (is_shown(now) && !undone_) return false;
    auto recovery = std::make_shared<const Recovery>(inner(), factory_, journal_);
    if (state() != now) continue;
    const JournalState found = recovery->state();
    const bool is_half = found == JournalState::half || found == JournalState::before;
    const bool is_new = !is_shown(now) || !is_half;
    show(now, false, is_half ? std::move(recovery) : nullptr);
    return is_new;
  }
  fail();
}

void FollowedTransport::show(const State& now, bool for_readers,
                             std::shared_ptr<const Recovery> undone) {
  shown_ = now;
  is_for_readers_ = for_readers;
  undone_ = std::move(undone);
  is_lost_ = false;
}

bool is_of_flush_meanwhile(const Error& error) {
  return error.code() == ErrorCode::io && error.system_errno() == EAGAIN;
}

}  // namespace onecast::pages
