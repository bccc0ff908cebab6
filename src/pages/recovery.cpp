#include "pages/recovery.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "format/boot/superblock.hpp"
#include "onecast/base/error.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::pages {
namespace {

constexpr auto kBlock = static_cast<std::size_t>(JournalBlock::kSize);
/// The sizes of what precedes and what follows the blocks.
constexpr std::size_t kHead = 24 + kBlock;
constexpr std::size_t kTail = 4;

/// The most adjacent blocks that are read or written together.
constexpr std::size_t kMostTogether = 2048;

/// The blocks from `first` on that are adjacent in the file.
std::span<const JournalBlock> run_from(const std::vector<JournalBlock>& blocks, std::size_t first) {
  std::size_t n = 1;
  while (n < kMostTogether && first + n < blocks.size() &&
         blocks[first + n].address == blocks[first + n - 1].end())
    ++n;
  return std::span(blocks).subspan(first, n);
}

std::size_t size_of(std::span<const JournalBlock> run) {
  return static_cast<std::size_t>(run.back().end().value - run.front().address.value);
}

/// True if these bytes are `now` up to some byte, and `old` from there on, as an interrupted write
/// leaves them.
bool is_between(ByteView found, ByteView now, ByteView old) {
  const auto at = std::mismatch(found.begin(), found.end(), now.begin()).first - found.begin();
  return std::equal(found.begin() + at, found.end(), old.begin() + at);
}

bool equal(ByteView a, ByteView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

class UndoneTransport final : public ForwardingTransport {
 public:
  UndoneTransport(std::unique_ptr<Transport> inner, std::shared_ptr<const Recovery> recovery)
      : ForwardingTransport(std::move(inner)), recovery_(std::move(recovery)) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    const std::size_t got = ForwardingTransport::read_at(offset, out);
    recovery_->patch(offset, out.first(got));
    return got;
  }

 private:
  std::shared_ptr<const Recovery> recovery_;
};

}  // namespace

Recovery::Recovery(Transport& file, const TransportFactory& factory, const std::string& path) {
  try {
    transport_ = factory(path, OpenMode::read_only);
  } catch (const Error& error) {
    // No file can have a name that is too long for the system.
    if (error.code() == ErrorCode::not_found || error.system_errno() == ENAMETOOLONG) return;
    throw;
  }
  context_.name = path;
  state_ = JournalState::useless;
  try {
    if (read_journal(file.size())) state_ = compare(file);
  } catch (const Error& error) {
    // An incomplete journal, or one of a later version of Onecast: either the file was not touched,
    // or it is marked, and opening it will report that.
    if (error.code() != ErrorCode::format && error.code() != ErrorCode::unsupported) throw;
  }
}

bool Recovery::read_journal(std::uint64_t file_size) {
  std::array<std::byte, kHead> head{};
  if (transport_->read_at(0, head) != head.size()) return false;
  ByteReader in(ByteView(head).subspan(Journal::kCountAt), Address{Journal::kCountAt}, context_,
                Journal::kTitle);
  const std::uint64_t count = in.uint(4, "Number of Blocks");
  const std::uint64_t base = in.uint(8, "Superblock Address");
  if (count > transport_->size() / JournalBlock::kEncodedSize || base > file_size) return false;
  bytes_ = Buffer(static_cast<std::size_t>(kHead + count * JournalBlock::kEncodedSize + kTail));
  if (transport_->read_at(0, bytes_.span()) != bytes_.size()) return false;
  journal_ = decode<Journal>(bytes_.span(), Address{0}, context_);
  return journal_.blocks.back().end().value <= file_size - journal_.base;
}

JournalState Recovery::compare(Transport& file) const {
  bool all_old = true;
  bool all_new = true;
  bool is_marked = false;
  bool some_other = false;
  Buffer found(kMostTogether * kBlock);
  const std::vector<JournalBlock>& blocks = journal_.blocks;
  for (std::size_t first = 0; first < blocks.size();) {
    const auto run = run_from(blocks, first);
    const auto bytes = found.span().first(size_of(run));
    const Address start = run.front().address;
    if (file.read_at(journal_.base + start.value, bytes) != bytes.size())
      return JournalState::useless;
    for (const JournalBlock& block : run) {
      const ByteView now = bytes.subspan(
          static_cast<std::size_t>(block.address.value - start.value), block.old_bytes.size());
      const bool is_old = equal(now, block.old_bytes);
      const bool is_new = lookup3(now) == block.new_checksum;
      if (block.address.value == 0) {
        std::array<std::byte, kBlock> marked{};
        std::copy(block.old_bytes.begin(), block.old_bytes.end(), marked.begin());
        marked[kSuperblockVersionAt] = std::byte{kFlushUnderWay};
        // Any program that opens the file for writing changes block 0; then this flush must not be
        // undone.
        if (!is_between(now, journal_.new_boot, block.old_bytes) &&
            !is_between(now, journal_.new_boot, marked))
          return JournalState::useless;
        is_marked = now[kSuperblockVersionAt] == std::byte{kFlushUnderWay};
        // This need not hold in a file of another program; but the superblock is written last.
        if (now.size() < kBlock && is_new && !is_old) return JournalState::complete;
      }
      if (block.is_raw_data()) continue;
      all_old = all_old && is_old;
      all_new = all_new && is_new;
      some_other = some_other || (block.address.value != 0 && !is_old && !is_new);
    }
    first += run.size();
  }
  // Systems interrupt a write between blocks, not within one: another program wrote there later.
  if (some_other && !is_marked) return JournalState::useless;
  return all_new ? JournalState::complete : all_old ? JournalState::before : JournalState::half;
}

void Recovery::undo(Transport& file) const {
  const std::vector<JournalBlock>& blocks = journal_.blocks;
  const auto write = [&](std::span<const JournalBlock> run) {
    Buffer together(size_of(run));
    std::byte* out = together.data();
    for (const JournalBlock& block : run)
      out = std::copy(block.old_bytes.begin(), block.old_bytes.end(), out);
    file.write_at(journal_.base + run.front().address.value, together.span());
  };
  for (std::size_t first = 1; first < blocks.size();) {
    const auto run = run_from(blocks, first);
    write(run);
    first += run.size();
  }
  file.sync();
  write(std::span(blocks).first(1));
  file.sync();
}

void Recovery::patch(std::uint64_t offset, std::span<std::byte> bytes) const {
  const std::uint64_t end = offset + bytes.size();
  for (auto block = std::lower_bound(journal_.blocks.begin(), journal_.blocks.end(), offset,
                                     [&](const JournalBlock& b, std::uint64_t at) {
                                       return journal_.base + b.end().value <= at;
                                     });
       block != journal_.blocks.end() && journal_.base + block->address.value < end; ++block) {
    const std::uint64_t at = journal_.base + block->address.value;
    const std::uint64_t from = std::max(at, offset);
    const std::uint64_t to = std::min(journal_.base + block->end().value, end);
    std::memcpy(bytes.data() + (from - offset), block->old_bytes.data() + (from - at),
                static_cast<std::size_t>(to - from));
  }
}

std::unique_ptr<Transport> Recovery::as_undone(std::unique_ptr<Transport> file,
                                               std::shared_ptr<const Recovery> recovery) {
  return std::make_unique<UndoneTransport>(std::move(file), std::move(recovery));
}

}  // namespace onecast::pages
