#include "pds/pds_index.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/entry_order.hpp"
#include "model/make_error.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"

namespace onecast::events::pds {

Index Index::made_of(const ByteFile& file, const Header& header) {
  Index index(file, header);
  index.found_ = scan(file, header, [&](const Entry& entry) { index.places_.add(entry); });
  return index;
}

std::optional<Index> Index::load(const ByteFile& file, const Header& header) {
  try {
    Index index(file, header);
    index.stored_ = IndexFile::open(path_of(file.path()), header.bytes, file.size());
    if (!index.stored_) return {};
    index.found_ = index.stored_->found();
    index.require_samples();
    return index;
  } catch (const Error&) {
    return {};
  }
}

Index Index::anew(const ByteFile& file, const Header& header) {
  try {
    if (!IndexFile::write(path_of(file.path()), file, header).damage)
      if (auto index = load(file, header)) return std::move(*index);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the next reader makes it again
  }
  return made_of(file, header);
}

Index Index::of(const ByteFile& file, const Header& header) {
  if (auto index = load(file, header)) return std::move(*index);
  return anew(file, header);
}

void Index::save(const ByteFile& file) const {
  IndexFile::write(path_of(file.path()), file, header_);
}

void Index::forget(const std::string& file) {
  const std::string path = path_of(file);
  if (!IndexFile::is_something_else(path)) unlink(path.c_str());
}

void Index::require_no_damage() const {
  if (found_.damage) throw Error(ErrorCode::format, *found_.damage);
}

void Index::require_samples() {
  constexpr std::uint64_t kSamples = 16;
  const std::uint64_t step = std::max<std::uint64_t>(size() / kSamples, 1);
  if (size() == 0) return;
  // The first records are read next, and are all that a small file has.
  start_of(0, stored_->entry(0));
  for (std::uint64_t i = step; i < size(); i += step) start_of(i, stored_->single(i));
  start_of(size() - 1, stored_->single(size() - 1));
}

void Index::make_anew() {
  const Scanned before = found_;
  *this = anew(*file_, header_);
  if (found_.damage) forget(file_->path());
  require_no_damage();
  if (found_.count != before.count || found_.incomplete_bytes != before.incomplete_bytes)
    throw format_error("{}: has other events than its index said, which is made anew",
                       file_->path());
}

template <class Work>
auto Index::with_trust(const Work& work) {
  if (stored_) {
    try {
      return work();
    } catch (const Error&) {
      make_anew();
    }
  }
  return work();
}

RecordStart Index::matching(std::uint64_t number, const Entry& known, Bytes record) const {
  const RecordStart found = decode_start(record, file_->path());
  if (found.words != known.start.words || (stored_ && found != known.start))
    throw format_error("{}: event {} at byte {}: is another one than the index says", file_->path(),
                       number, known.offset);
  return found;
}

RecordStart Index::start_of(std::uint64_t number, const Entry& known) {
  std::array<std::byte, RecordStart::kBytes> bytes{};
  window_.read(known.offset, bytes);
  return matching(number, known, bytes);
}

Entry Index::read(std::uint64_t number, std::vector<std::byte>& record) {
  return with_trust([&] {
    const Entry known = stored_ ? stored_->entry(number) : places_.entry(number);
    record.resize(static_cast<std::size_t>(RecordStart::kBytes + known.start.payload_bytes()));
    if (window_.read(known.offset, record) != record.size())
      throw format_error("{}: event {} at byte {}: the file ends within it", file_->path(), number,
                         known.offset);
    return Entry{known.offset, matching(number, known, record)};
  });
}

std::uint64_t Index::number_at(std::uint64_t position) const {
  return order_.empty() ? position : order_[static_cast<std::size_t>(position)];
}

Identity Index::identity_at(std::uint64_t position) {
  const std::uint64_t number = number_at(position);
  return stored_ ? stored_->single(number).start.identity
                 : start_of(number, places_.entry(number)).identity;
}

void Index::sort() {
  std::vector<Identity> all;
  all.reserve(static_cast<std::size_t>(size()));
  const auto add = [&](const Entry& entry) { all.push_back(entry.start.identity); };
  if (stored_)
    for (std::uint64_t i = 0; i < size(); ++i) add(stored_->entry(i));
  else
    scan(*file_, header_, add);
  order_ = entries_by_identity(all.size(), [&](std::uint64_t i) { return all[i]; });
}

/// Returns the first position whose identity is not before this one.
std::uint64_t Index::position_of(const Identity& identity) {
  // In a search for all identities in order, the next one follows the last.
  const std::uint64_t next = last_position_ + 1;
  if (next < size() && identity_at(last_position_) < identity && identity <= identity_at(next))
    return next;
  return first_not_before(identity, 0, size(),
                          [this](std::uint64_t at) { return identity_at(at); });
}

std::optional<std::uint64_t> Index::find(const Identity& identity) {
  return with_trust([&]() -> std::optional<std::uint64_t> {
    if (!found_.is_ascending && order_.empty()) sort();
    const std::uint64_t position = position_of(identity);
    // The index led to this position: the events on both sides show if it was right.
    const auto require_right = [&](std::uint64_t at) {
      if (stored_) start_of(number_at(at), stored_->single(number_at(at)));
    };
    if (position != 0) require_right(position - 1);
    if (position == size()) return {};
    require_right(position);
    last_position_ = position;
    if (identity_at(position) != identity) return {};
    return number_at(position);
  });
}

std::optional<std::string> problem_of(const std::string& path) {
  const ByteFile file = ByteFile::open(path);
  const Scanned found = scan(file, read_header(file), [](const Entry&) {});
  if (found.damage || found.incomplete_bytes == 0) return found.damage;
  return fmt::format("{}: {} bytes behind the last complete event", path, found.incomplete_bytes);
}

}  // namespace onecast::events::pds
