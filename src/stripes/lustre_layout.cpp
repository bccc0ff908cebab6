#include "stripes/lustre_layout.hpp"

#include <fmt/format.h>

#include "base/byte_writer.hpp"
#include "base/file_context.hpp"
#include "base/round_up.hpp"

namespace onecast::stripes {
namespace {

constexpr std::uint64_t kPlain = 0x0BD10BD0;
constexpr std::uint64_t kWithPool = 0x0BD30BD0;
constexpr std::uint64_t kChosenTargets = 0x0BD50BD0;  // otherwise like kWithPool
constexpr std::uint64_t kComposite = 0x0BD60BD0;

constexpr std::size_t kHeader = 32;
constexpr std::size_t kEntry = 48;
constexpr std::size_t kObjectId = 16;
constexpr std::uint64_t kPoolName = 16;
constexpr std::uint32_t kFrontStripe = 1U << 20U;  // used where the directory decides about the
                                                   // rest
constexpr std::uint64_t kObject = 24;              // its last four bytes are the OST
constexpr std::uint64_t kPatternRaid0 = 0x1;
constexpr std::uint64_t kPatternOnServer = 0x100;  // the data lies with the metadata
constexpr std::uint64_t kReleased = 0x80000000;    // archived: no objects
constexpr std::uint64_t kEntryInitialised = 0x10;

bool has_objects(std::uint64_t pattern) { return (pattern & kReleased) == 0; }

/// Decodes one plain layout; returns nothing if its data lies on no target.
std::vector<LustreComponent> decode_one(ByteReader& reader, std::uint64_t magic) {
  const std::uint64_t pattern = reader.uint(4, "pattern");
  reader.bytes(kObjectId, "object id");
  LustreComponent one;
  one.stripe_size = reader.uint(4, "stripe size");
  one.stripe_count = static_cast<std::uint32_t>(reader.uint(2, "stripe count"));
  reader.uint(2, "stripe offset");
  if (magic != kPlain) reader.bytes(kPoolName, "pool name");
  if ((pattern & kPatternOnServer) != 0) return {};
  if (one.stripe_size == 0) reader.fail("stripe size", "is 0");
  // A layout without objects may leave the count open.
  if (one.stripe_count == kAllTargets) one.stripe_count = 0;
  // A layout without objects describes future ones.
  if ((pattern & kPatternRaid0) != 0 && has_objects(pattern) && reader.remaining() > 0) {
    reader.expect_room(one.stripe_count, kObject, "objects");
    for (std::uint32_t i = 0; i < one.stripe_count; ++i) {
      reader.bytes(kObject - 4, "object");
      one.targets.push_back(static_cast<std::uint32_t>(reader.uint(4, "OST")));
    }
  }
  return {one};
}

std::vector<LustreComponent> decode_composite(ByteReader& reader) {
  reader.uint(4, "size");
  reader.uint(4, "generation");
  reader.uint(2, "flags");
  const std::uint64_t count = reader.uint(2, "entry count");
  reader.bytes(16, "mirror count");
  reader.expect_room(count, kEntry, "entries");
  std::vector<LustreComponent> found;
  for (std::uint64_t i = 0; i < count; ++i) {
    reader.uint(4, "entry id");
    const std::uint64_t flags = reader.uint(4, "entry flags");
    const std::uint64_t begin = reader.uint(8, "extent start");
    const std::uint64_t end = reader.uint(8, "extent end");
    const std::uint64_t offset = reader.uint(4, "entry offset");
    const std::uint64_t size = reader.uint(4, "entry size");
    reader.bytes(16, "entry generation");
    if (end <= begin) reader.fail("extent end", "is not behind its start");
    const ByteView all = reader.window();
    if (offset > all.size() || size > all.size() - offset)
      reader.fail("entry offset", fmt::format("{} bytes at {} are outside", size, offset));
    ByteReader inner(all.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)),
                     Address{offset}, reader.file(), reader.record());
    const std::uint64_t magic = inner.uint(4, "magic");
    if (magic != kPlain && magic != kWithPool && magic != kChosenTargets)
      inner.fail("magic", fmt::format("{:#x} of an entry", magic));
    for (LustreComponent& one : decode_one(inner, magic)) {
      one.begin = begin;
      one.end = end;
      one.initialised = (flags & kEntryInitialised) != 0;
      found.push_back(std::move(one));
    }
  }
  return found;
}

std::vector<std::byte> encode_plain(std::uint32_t stripe_size, std::uint16_t stripe_count) {
  constexpr std::uint64_t kAnyTarget = 0xFFFF;
  std::vector<std::byte> bytes(kHeader);
  ByteWriter writer(bytes);
  writer.uint(kPlain, 4);
  writer.uint(kPatternRaid0, 4);
  writer.zeros(kObjectId);
  writer.uint(stripe_size, 4);
  writer.uint(stripe_count, 2);
  writer.uint(kAnyTarget, 2);
  return bytes;
}

struct Entry {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<std::byte> layout;
};

/// Zeros stand for what the file system chooses (ids, generations), no flags, no mirrors.
std::vector<std::byte> encode_composite(const std::vector<Entry>& entries) {
  std::size_t offset = kHeader + entries.size() * kEntry;
  std::size_t size = offset;
  for (const Entry& entry : entries) size += entry.layout.size();
  std::vector<std::byte> bytes(size);
  ByteWriter writer(bytes);
  writer.uint(kComposite, 4);
  writer.uint(size, 4);
  writer.zeros(6);
  writer.uint(entries.size(), 2);
  writer.zeros(16);
  for (const Entry& entry : entries) {
    writer.zeros(8);
    writer.uint(entry.begin, 8);
    writer.uint(entry.end, 8);
    writer.uint(offset, 4);
    writer.uint(entry.layout.size(), 4);
    writer.zeros(16);
    offset += entry.layout.size();
  }
  for (const Entry& entry : entries) writer.bytes(entry.layout);
  return bytes;
}

}  // namespace

std::vector<LustreComponent> decode_lustre_layout(ByteView attribute, const std::string& file) {
  const FileContext context{file, 8, 8};
  ByteReader reader(attribute, Address{0}, context, "lustre.lov");
  const std::uint64_t magic = reader.uint(4, "magic");
  if (magic == kComposite) return decode_composite(reader);
  if (magic == kPlain || magic == kWithPool || magic == kChosenTargets)
    return decode_one(reader, magic);
  reader.fail("magic", fmt::format("{:#x}", magic));
}

std::vector<std::byte> encode_lustre_request(std::uint32_t stripe_size, std::uint16_t stripe_count,
                                             std::uint64_t front) {
  std::vector<std::byte> rest = encode_plain(stripe_size, stripe_count);
  if (front == 0) return rest;
  // Lustre requires that components end on a stripe.
  const std::uint32_t front_stripe = stripe_size != 0 ? stripe_size : kFrontStripe;
  const std::uint64_t end = round_up(front, front_stripe);
  return encode_composite(
      {{0, end, encode_plain(front_stripe, 1)}, {end, LustreComponent::kNoEnd, rest}});
}

}  // namespace onecast::stripes
