#include "pds/pds_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/little_endian.hpp"
#include "model/make_error.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events::pds {
namespace {

/// The end of a record, and the start of the next one.
using EndAndStart = std::array<std::byte, kWord + RecordStart::kBytes>;

/// False if the record was cut off; true if only the size of a complete record is wrong. An
/// incomplete uncompressed payload ends within a product, whatever its last word is.
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

/// True if the file ends with a whole record, at `from` or after it; its writer was then not
/// interrupted. The record at `from` may state a wrong size.
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

/// Returns the record at byte `at`, or nothing if the file ends before the record does. Throws
/// Error (format).
std::optional<Entry> record_at(const ByteFile& file, const Header& header, std::uint64_t at,
                               std::uint64_t number, Bytes bytes) {
  const std::string where = fmt::format("{}: event {} at byte {}", file.path(), number, at);
  const RecordStart start = decode_start(bytes, where);
  const std::uint64_t end = file.size();
  if (start.record_bytes() <= end - at) return Entry{at, start};
  if (ends_with_record(file, header, at, end))
    throw format_error("{}: has {} words, more than there are; the file ends with a whole event",
                       where, start.words);
  return {};
}

void require_same(std::uint32_t words, std::uint32_t behind, const ByteFile& file,
                  std::uint64_t number) {
  if (words != behind)
    throw format_error("{}: event {}: has {} words, and says {} behind them", file.path(), number,
                       words, behind);
}

}  // namespace

std::size_t Window::read(std::uint64_t offset, std::span<std::byte> out) {
  constexpr std::uint64_t kSmall = 4096;
  constexpr std::size_t kMany = 64 * 1024;
  const bool is_near = offset >= asked_ && offset - asked_ <= kSmall && out.size() <= kSmall;
  asked_ = offset;
  const auto has_all = [&] {
    return offset >= from_ && offset - from_ <= bytes_.size() &&
           out.size() <= bytes_.size() - (offset - from_);
  };
  if (!has_all()) {
    if (!is_near) return file_->read(offset, out);
    bytes_.resize(kMany);
    from_ = offset;
    bytes_.resize(file_->read(offset, bytes_));
  }
  const Bytes found = Bytes(bytes_).subspan(static_cast<std::size_t>(offset - from_));
  const std::size_t size = std::min(out.size(), found.size());
  std::copy_n(found.begin(), size, out.begin());
  return size;
}

Scanned scan(const ByteFile& file, const Header& header,
             const std::function<void(const Entry&)>& take) {
  Scanned found;
  Window window(file);
  std::optional<Entry> last;
  Identity before;
  std::uint64_t at = header.bytes;
  try {
    for (;;) {
      EndAndStart both{};
      const std::size_t got = window.read(at - kWord, both);
      if (last) {
        const RecordStart& start = last->start;
        require_same(start.words, read_u32(both), file, found.count);
        if (start.identity < before) found.is_ascending = false;
        before = start.identity;
        ++found.count;
        take(*last);
      }
      if (got < both.size()) break;
      last = record_at(file, header, at, found.count, Bytes(both).subspan(kWord));
      if (!last) break;
      at = last->end();
    }
    found.incomplete_bytes = file.size() - at;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format) throw;
    found.damage = error.what();
  }
  return found;
}

}  // namespace onecast::events::pds
