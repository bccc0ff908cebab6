#include "pds/pds_index_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "model/files_beside.hpp"
#include "model/little_endian.hpp"
#include "model/make_error.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events::pds {
namespace {

// The layout of the file: magic; for each event run, lumi (32 bits), event, offset (64 bits),
// words, size (32 bits); then the totals: bytes of the PDS file, bytes of its incomplete record,
// count, whether identities ascend, and a checksum of these numbers.
constexpr std::uint64_t kMagic = 0x3258444953445043;     // "CPDSIDX2"
constexpr std::uint64_t kVersions = 0x00ffffffffffffff;  // all but the last letter
constexpr std::uint64_t kMagicBytes = 8;
constexpr std::size_t kEntryBytes = 32;
using End = std::array<std::uint64_t, 5>;
constexpr std::size_t kEndBytes = sizeof(End);

std::uint64_t combined(const End& end) { return ~(end[0] ^ end[1] ^ end[2] ^ end[3]); }

void append_entry(std::vector<std::byte>& bytes, const Entry& entry) {
  append_u32(bytes, entry.start.identity.run);
  append_u32(bytes, entry.start.identity.lumi);
  append_u64(bytes, entry.start.identity.event);
  append_u64(bytes, entry.offset);
  append_u32(bytes, entry.start.words);
  append_u32(bytes, entry.start.size);
}

Entry decode_entry(Bytes bytes) {
  Entry entry;
  entry.start.identity = {read_u32(bytes), read_u32(bytes.subspan(4)), read_u64(bytes.subspan(8))};
  entry.offset = read_u64(bytes.subspan(16));
  entry.start.words = read_u32(bytes.subspan(24));
  entry.start.size = read_u32(bytes.subspan(28));
  return entry;
}

/// Returns the totals at the end if the file is an index.
std::optional<End> end_of(const ByteFile& file) {
  const std::uint64_t size = file.size();
  std::array<std::byte, kMagicBytes> magic{};
  std::array<std::byte, kEndBytes> bytes{};
  if (size < kMagicBytes + kEndBytes || file.read(0, magic) != magic.size() ||
      read_u64(magic) != kMagic || file.read(size - kEndBytes, bytes) != bytes.size())
    return {};
  End end{};
  for (std::size_t i = 0; i < end.size(); ++i) end[i] = read_u64(Bytes(bytes).subspan(8 * i));
  const std::uint64_t room = size - kMagicBytes - kEndBytes;
  if (end[4] != combined(end) || room % kEntryBytes != 0 || end[2] != room / kEntryBytes) return {};
  return end;
}

/// Writes the index of a file in pieces.
Scanned write_all(ByteFile& out, const ByteFile& file, const Header& header) {
  constexpr std::size_t kPiece = 256 * 1024;
  std::vector<std::byte> bytes;
  bytes.reserve(kPiece + kEntryBytes);
  const auto append = [&] {
    const Bytes piece = bytes;
    out.append({&piece, 1});
    bytes.clear();
  };
  append_u64(bytes, kMagic);
  Scanned found = scan(file, header, [&](const Entry& entry) {
    append_entry(bytes, entry);
    if (bytes.size() >= kPiece) append();
  });
  End end{file.size(), found.incomplete_bytes, found.count, found.is_ascending ? 1U : 0U};
  end[4] = combined(end);
  for (const std::uint64_t number : end) append_u64(bytes, number);
  append();
  out.close();
  return found;
}

}  // namespace

bool IndexFile::is_something_else(const std::string& path) {
  try {
    const ByteFile file = ByteFile::open(path);
    std::array<std::byte, kMagicBytes> magic{};
    return file.size() != 0 && (file.read(0, magic) != magic.size() ||
                                (read_u64(magic) & kVersions) != (kMagic & kVersions));
  } catch (const Error& error) {
    return error.code() != ErrorCode::not_found;  // locked: another process is writing it
  }
}

Scanned IndexFile::write(const std::string& path, const ByteFile& file, const Header& header) {
  if (is_something_else(path))
    throw argument_error("{}: is there, and no index of a PDS file", path);
  const std::string part = part_beside(path);
  ByteFile out = ByteFile::create(part);
  try {
    Scanned found = write_all(out, file, header);
    if (found.damage)
      unlink(part.c_str());
    else if (std::rename(part.c_str(), path.c_str()) != 0)
      throw io_error("{}: cannot be written", path);
    return found;
  } catch (...) {
    unlink(part.c_str());
    throw;
  }
}

std::unique_ptr<IndexFile> IndexFile::open(const std::string& path, std::uint64_t header_bytes,
                                           std::uint64_t file_bytes) {
  std::unique_ptr<IndexFile> index(new IndexFile(ByteFile::open(path)));
  const auto end = end_of(index->file_);
  if (!end) return {};
  const auto [bytes, incomplete, count, is_ascending, sum] = *end;
  if (bytes != file_bytes || header_bytes > bytes || incomplete > bytes - header_bytes) return {};
  index->found_ = {count, incomplete, is_ascending != 0, {}};
  index->begin_ = header_bytes;
  index->end_ = bytes - incomplete;
  if (count == 0 && index->begin_ != index->end_) return {};
  return index;
}

const Entry& IndexFile::entry(std::uint64_t number) {
  // Reading 16 KiB takes as long as a few small reads.
  constexpr std::uint64_t kTogether = 512;
  if (!has(number)) {
    const std::uint64_t first = number / kTogether * kTogether;
    entries_ = read(first, static_cast<std::size_t>(std::min(kTogether, found_.count - first)));
    first_ = first;
  }
  return entries_[static_cast<std::size_t>(number - first_)];
}

Entry IndexFile::single(std::uint64_t number) const {
  if (has(number)) return entries_[static_cast<std::size_t>(number - first_)];
  return read(number, 1).front();
}

std::vector<Entry> IndexFile::read(std::uint64_t first, std::size_t count) const {
  // The next entry is read, too, since its offset is the end of the last one.
  const bool has_next = count < found_.count - first;
  std::vector<std::byte> bytes((count + (has_next ? 1 : 0)) * kEntryBytes);
  bool is_well = file_.read(kMagicBytes + first * kEntryBytes, bytes) == bytes.size();
  std::vector<Entry> entries;
  entries.reserve(count + 1);
  std::uint64_t at = begin_;
  for (Bytes rest = bytes; is_well && !rest.empty(); rest = rest.subspan(kEntryBytes)) {
    const Entry& entry = entries.emplace_back(decode_entry(rest));
    if (entries.size() == 1 && first != 0) at = std::max(entry.offset, begin_);
    is_well = entry.offset == at && at < end_ && entry.start.words != 0 &&
              entry.start.record_bytes() <= end_ - at;
    at += entry.start.record_bytes();
  }
  if (!is_well || (!has_next && at != end_)) throw format_error("{}: is damaged", file_.path());
  entries.resize(count);
  return entries;
}

}  // namespace onecast::events::pds
