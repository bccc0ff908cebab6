#include "layout.hpp"

#include <algorithm>
#include <cstring>

namespace onecast::lab {
namespace {

constexpr std::size_t kHeaderSize = 32;
constexpr std::size_t kEntrySize = 48;
constexpr std::size_t kPoolNameSize = 16;
constexpr std::size_t kObjectSize = 24;
constexpr std::uint32_t kPatternRaid0 = 1;
constexpr std::uint32_t kEntryInitialised = 0x10;

using Bytes = std::vector<std::uint8_t>;

template <typename T>
void put(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <typename T>
T get(std::span<const std::uint8_t> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Encodes version 1, or version 3 if there is a pool.
Bytes encode_header(std::uint32_t stripe_size, std::uint16_t stripe_count, std::uint16_t last,
                    std::uint64_t inode, const std::string& pool) {
  Bytes bytes(kHeaderSize + (pool.empty() ? 0 : kPoolNameSize));
  put(bytes, 0, pool.empty() ? kLovMagicV1 : kLovMagicV3);
  put(bytes, 4, kPatternRaid0);
  put(bytes, 8, inode);
  put(bytes, 24, stripe_size);
  put(bytes, 28, stripe_count);
  put(bytes, 30, last);
  std::memcpy(bytes.data() + kHeaderSize, pool.data(),
              std::min(pool.size(), bytes.size() - kHeaderSize));
  return bytes;
}

Bytes encode(const Component& part, std::uint64_t inode) {
  const auto count = static_cast<std::uint16_t>(part.count());
  const std::uint16_t last = part.initialised ? 0 : kAnyOst;
  Bytes bytes = encode_header(part.stripe_size, count, last, inode, part.pool);
  if (!part.initialised) return bytes;
  for (const std::uint32_t ost : part.osts) {
    const std::size_t at = bytes.size();
    bytes.resize(at + kObjectSize);
    put(bytes, at, inode);
    put(bytes, at + kObjectSize - 4, ost);
  }
  return bytes;
}

struct Entry {
  Range extent;
  bool initialised = false;
  Bytes value;
};

Bytes encode_composite(const std::vector<Entry>& entries) {
  Bytes bytes(kHeaderSize + kEntrySize * entries.size());
  put(bytes, 0, kLovMagicComposite);
  put(bytes, 14, static_cast<std::uint16_t>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const std::size_t at = kHeaderSize + kEntrySize * i;
    put(bytes, at, static_cast<std::uint32_t>(i + 1));
    put(bytes, at + 4, entry.initialised ? kEntryInitialised : 0);
    put(bytes, at + 8, entry.extent.start);
    put(bytes, at + 16, entry.extent.end);
    put(bytes, at + 24, static_cast<std::uint32_t>(bytes.size()));
    put(bytes, at + 28, static_cast<std::uint32_t>(entry.value.size()));
    bytes.insert(bytes.end(), entry.value.begin(), entry.value.end());
  }
  put(bytes, 4, static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

std::optional<StripeRequest> decode_one(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderSize) return std::nullopt;
  const auto magic = get<std::uint32_t>(bytes, 0);
  const bool has_pool = magic == kLovMagicV3;
  if (!has_pool && magic != kLovMagicV1) return std::nullopt;
  if (has_pool && bytes.size() < kHeaderSize + kPoolNameSize) return std::nullopt;
  const auto pattern = get<std::uint32_t>(bytes, 4);
  if (pattern != 0 && pattern != kPatternRaid0) return std::nullopt;
  StripeRequest request{get<std::uint32_t>(bytes, 24), get<std::uint16_t>(bytes, 28),
                        get<std::uint16_t>(bytes, 30)};
  if (request.stripe_size % kStripeAlignment != 0) return std::nullopt;
  if (has_pool) {
    const auto* name = reinterpret_cast<const char*>(bytes.data() + kHeaderSize);
    request.pool.assign(name, ::strnlen(name, kPoolNameSize));
  }
  return request;
}

// Decodes components that follow each other from the start of the file to its unlimited end.
std::optional<StripeRequests> decode_composite(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderSize) return std::nullopt;
  const std::size_t count = get<std::uint16_t>(bytes, 14);
  if (count == 0 || (bytes.size() - kHeaderSize) / kEntrySize < count) return std::nullopt;
  StripeRequests requests;
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = kHeaderSize + kEntrySize * i;
    const std::size_t offset = get<std::uint32_t>(bytes, at + 24);
    const std::size_t size = get<std::uint32_t>(bytes, at + 28);
    if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
    auto request = decode_one(bytes.subspan(offset, size));
    const auto end = get<std::uint64_t>(bytes, at + 16);
    if (!request || get<std::uint64_t>(bytes, at + 8) != start || end <= start) return std::nullopt;
    if (end % kStripeAlignment != 0 && end != kEof) return std::nullopt;
    start = request->end = end;
    requests.push_back(*request);
  }
  if (start != kEof) return std::nullopt;
  return requests;
}

}  // namespace

const Component& Layout::holder(std::uint32_t object) const {
  auto part = components.begin();
  while (object - part->first_object >= part->count()) ++part;
  return *part;
}

std::uint32_t Layout::count() const {
  return components.empty() ? 0 : components.back().first_object + components.back().count();
}

std::uint32_t Layout::ost_of(std::uint32_t object) const {
  const Component& part = holder(object);
  return part.osts[object - part.first_object];
}

std::vector<Piece> Layout::split(Range range) const {
  std::vector<Piece> pieces;
  for (const Component& part : components) {
    const Range here{std::max(range.start, part.extent.start),
                     std::min(range.end, part.extent.end)};
    for (std::uint64_t offset = here.start; offset < here.end;) {
      const std::uint64_t stripe = offset / part.stripe_size;
      const std::uint64_t within = offset % part.stripe_size;
      const std::uint64_t length = std::min(here.end - offset, part.stripe_size - within);
      const std::uint64_t at = stripe / part.count() * part.stripe_size + within;
      const auto object = part.first_object + static_cast<std::uint32_t>(stripe % part.count());
      const bool ends = within + length == part.stripe_size || offset + length == part.extent.end;
      pieces.push_back({object, {at, at + length}, offset, ends});
      offset += length;
    }
  }
  return pieces;
}

std::uint64_t Layout::object_size(std::uint64_t size, std::uint32_t object) const {
  const Component& part = holder(object);
  if (size <= part.extent.start) return 0;
  size = std::min(size, part.extent.end);
  const std::uint32_t number = object - part.first_object;
  const std::uint64_t full = size / part.stripe_size;
  const std::uint64_t rows = full / part.count();
  const std::uint64_t last = full % part.count();  // the object that holds the rest
  if (number < last) return (rows + 1) * part.stripe_size;
  return rows * part.stripe_size + (number == last ? size % part.stripe_size : 0);
}

void Layout::initialise(Range range) {
  for (Component& part : components) {
    if (range.start < part.extent.end && part.extent.start < range.end) part.initialised = true;
  }
}

std::vector<std::uint8_t> encode_lov(const Layout& layout, std::uint64_t inode) {
  if (layout.components.size() == 1) return encode(layout.components.front(), inode);
  std::vector<Entry> entries;
  entries.reserve(layout.components.size());
  for (const Component& part : layout.components)
    entries.push_back({part.extent, part.initialised, encode(part, inode)});
  return encode_composite(entries);
}

std::vector<std::uint8_t> encode_lov(const StripeRequests& requests) {
  std::vector<Entry> entries;
  std::uint64_t start = 0;
  for (const StripeRequest& r : requests) {
    entries.push_back({{start, r.end},
                       false,
                       encode_header(r.stripe_size, r.stripe_count, r.first_ost, 0, r.pool)});
    start = r.end;
  }
  return entries.size() == 1 ? entries.front().value : encode_composite(entries);
}

std::optional<StripeRequests> decode_lov(std::span<const std::uint8_t> bytes) {
  if (bytes.size() >= 4 && get<std::uint32_t>(bytes, 0) == kLovMagicComposite)
    return decode_composite(bytes);
  const auto one = decode_one(bytes);
  if (!one) return std::nullopt;
  return StripeRequests{*one};
}

}  // namespace onecast::lab
