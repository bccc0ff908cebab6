#include "pds/pds_index.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "model/entry_order.hpp"
#include "model/little_endian.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"

namespace onecast::events::pds {
namespace {

// The file of the index: magic, bytes of the PDS file, bytes of its incomplete record, count;
// then for each event: run, lumi (32 bits), event, offset, (64 bits) words, size (32 bits).
constexpr std::uint64_t kMagic = 0x3158444953445043;  // "CPDSIDX1"
constexpr std::size_t kHeadBytes = 32;
constexpr std::size_t kEntryBytes = 32;

/// Is a file there that no reader has made?
bool is_something_else(const std::string& path) {
  try {
    const ByteFile file = ByteFile::open(path);
    std::array<std::byte, sizeof(kMagic)> magic{};
    return file.size() != 0 && (file.read(0, magic) != magic.size() || read_u64(magic) != kMagic);
  } catch (const Error& error) {
    return error.code() != ErrorCode::not_found;  // locked: somebody writes it
  }
}

/// Are the bytes from `at` on a record that has lost its size, or one that was cut off? An
/// incomplete payload without compression ends within a product, whatever its last word says.
bool is_whole(const ByteFile& file, const Header& header, std::uint64_t at, RecordStart start) {
  if (header.codec != Codec::none) return true;
  std::vector<std::byte> payload(static_cast<std::size_t>(start.payload_bytes()));
  file.read(at + RecordStart::kBytes, payload);
  std::vector<Bytes> products(header.products.size());
  try {
    split_payload(payload, products, file.path());
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Does the file end with a whole record, at `from` or behind it? Then its writer was not
/// interrupted. The record at `from` may say something else of its size.
bool ends_with_record(const ByteFile& file, const Header& header, std::uint64_t from,
                      std::uint64_t end) {
  std::array<std::byte, kWord> last{};
  std::array<std::byte, RecordStart::kBytes> bytes{};
  if (end - from < last.size() || file.read(end - kWord, last) != last.size()) return false;
  const RecordStart wanted{.identity = {}, .words = read_u32(last)};
  if (wanted.words == 0 || wanted.record_bytes() > end - from) return false;
  const std::uint64_t at = end - wanted.record_bytes();
  if (at == from) return is_whole(file, header, at, wanted);
  const Bytes start = bytes;
  return file.read(at, bytes) == bytes.size() && read_u32(start) == 0 &&
         read_u32(start.subspan(5 * kWord)) == wanted.words;
}

}  // namespace

Index Index::made_of(const ByteFile& file, const Header& header) {
  Index index;
  const std::uint64_t end = file.size();
  std::uint64_t at = header.bytes;
  try {
    while (index.add_record(file, header, at)) at += index.entries_.back().start.record_bytes();
    index.incomplete_bytes_ = end - at;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format) throw;
    index.damage_ = error.what();
  }
  return index;
}

bool Index::add_record(const ByteFile& file, const Header& header, std::uint64_t at) {
  const std::uint64_t end = file.size();
  // One read for the end of a record and the start of the next.
  std::array<std::byte, kWord + RecordStart::kBytes> both{};
  const std::size_t got = file.read(at - kWord, both);
  if (!entries_.empty() && read_u32(both) != entries_.back().start.words) {
    const std::uint32_t words = entries_.back().start.words;
    entries_.pop_back();
    throw Error(ErrorCode::format,
                fmt::format("{}: event {}: has {} words, and says {} behind them", file.path(),
                            entries_.size(), words, read_u32(both)));
  }
  if (got < both.size()) return false;
  const std::string where =
      fmt::format("{}: event {} at byte {}", file.path(), entries_.size(), at);
  const RecordStart start = decode_start(Bytes(both).subspan(kWord), where);
  if (start.record_bytes() > end - at) {
    if (ends_with_record(file, header, at, end))
      throw Error(ErrorCode::format,
                  fmt::format("{}: has {} words, more than there are; the file ends with a whole "
                              "event",
                              where, start.words));
    return false;
  }
  entries_.push_back({at, start});
  return true;
}

std::optional<Index> Index::load(const ByteFile& file, const Header& header) {
  try {
    const ByteFile stored = ByteFile::open(path_of(file.path()));
    std::array<std::byte, kHeadBytes> head{};
    if (stored.read(0, head) != head.size() || read_u64(head) != kMagic) return {};
    const Bytes numbers(head);
    const std::uint64_t count = read_u64(numbers.subspan(24));
    const std::uint64_t room = stored.size() - kHeadBytes;
    if (read_u64(numbers.subspan(8)) != file.size() || room % kEntryBytes != 0 ||
        count != room / kEntryBytes)
      return {};
    std::vector<std::byte> bytes(static_cast<std::size_t>(room));
    if (stored.read(kHeadBytes, bytes) != bytes.size()) return {};
    Index index;
    index.incomplete_bytes_ = read_u64(numbers.subspan(16));
    std::uint64_t at = header.bytes;
    for (Bytes rest = bytes; !rest.empty(); rest = rest.subspan(kEntryBytes)) {
      Entry entry;
      entry.start.identity = {read_u32(rest), read_u32(rest.subspan(4)), read_u64(rest.subspan(8))};
      entry.offset = read_u64(rest.subspan(16));
      entry.start.words = read_u32(rest.subspan(24));
      entry.start.size = read_u32(rest.subspan(28));
      if (entry.offset != at || entry.start.words == 0) return {};
      at += entry.start.record_bytes();
      index.entries_.push_back(entry);
    }
    if (at + index.incomplete_bytes_ != file.size() || !index.fits(file)) return {};
    return index;
  } catch (const Error&) {
    return {};
  }
}

void Index::require_no_damage() const {
  if (damage_) throw Error(ErrorCode::format, *damage_);
}

bool Index::fits(const ByteFile& file) const {
  constexpr std::size_t kSamples = 16;
  const std::size_t step = std::max<std::size_t>(entries_.size() / kSamples, 1);
  const auto is_there = [&](const Entry& entry) {
    std::array<std::byte, RecordStart::kBytes> bytes{};
    if (file.read(entry.offset, bytes) != bytes.size()) return false;
    const RecordStart found = decode_start(bytes, file.path());
    return found.identity == entry.start.identity && found.words == entry.start.words &&
           found.size == entry.start.size;
  };
  for (std::size_t i = 0; i < entries_.size(); i += step)
    if (!is_there(entries_[i])) return false;
  return entries_.empty() || is_there(entries_.back());
}

void Index::forget(const std::string& file) {
  const std::string path = path_of(file);
  if (!is_something_else(path)) unlink(path.c_str());
}

void Index::save(const ByteFile& file) const {
  std::vector<std::byte> bytes;
  bytes.reserve(kHeadBytes + entries_.size() * kEntryBytes);
  for (const std::uint64_t n : {kMagic, file.size(), incomplete_bytes_, entries_.size()})
    append_u64(bytes, n);
  for (const Entry& entry : entries_) {
    append_u32(bytes, entry.start.identity.run);
    append_u32(bytes, entry.start.identity.lumi);
    append_u64(bytes, entry.start.identity.event);
    append_u64(bytes, entry.offset);
    append_u32(bytes, entry.start.words);
    append_u32(bytes, entry.start.size);
  }
  // Complete or not at all, also beside other processes.
  const std::string path = path_of(file.path());
  if (is_something_else(path))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: is there, and no index of a PDS file", path));
  const std::string made = fmt::format("{}.{}", path, getpid());
  ByteFile out = ByteFile::create(made);
  try {
    const Bytes all = bytes;
    out.append({&all, 1});
    out.close();
    if (std::rename(made.c_str(), path.c_str()) != 0)
      throw Error(ErrorCode::io, fmt::format("{}: cannot be written", path));
  } catch (...) {
    unlink(made.c_str());
    throw;
  }
}

Index Index::of(const ByteFile& file, const Header& header) {
  if (auto index = load(file, header)) return std::move(*index);
  Index index = made_of(file, header);
  try {
    if (!index.damage_) index.save(file);
  } catch (const Error&) {  // no rights or no room: the next reader makes it again
  }
  return index;
}

std::optional<std::uint64_t> Index::find(const Identity& identity) {
  const auto identity_of = [this](std::uint64_t i) { return entries_[i].start.identity; };
  if (by_identity_.size() != entries_.size())
    by_identity_ = entries_by_identity(entries_.size(), identity_of);
  return find_entry(by_identity_, identity, identity_of);
}

std::optional<std::string> problem_of(const std::string& path) {
  const ByteFile file = ByteFile::open(path);
  const Index index = Index::made_of(file, read_header(file));
  if (index.damage() || index.incomplete_bytes() == 0) return index.damage();
  return fmt::format("{}: {} bytes behind the last complete event", path, index.incomplete_bytes());
}

}  // namespace onecast::events::pds
