#include "structures/object_header.hpp"

#include <algorithm>
#include <string>

#include "base/lookup3.hpp"
#include "base/per_thread.hpp"
#include "format/objects/object_messages.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
namespace {

constexpr std::size_t kMaxChunks = 4096;
constexpr std::size_t kFewMessages = 64;
/// Signature, version and flags of a version 2 header, which give the length of its prefix; a
/// version 1 header is longer.
constexpr std::size_t kFixedPrefix = 6;
constexpr std::uint16_t kLastKnownType = static_cast<std::uint16_t>(MessageType::cache_image);

/// A visitor of fields that are all known to be there: there are very many message headers.
struct FieldsThere {
  const std::byte* at;

  template <class T>
  void u8(const char*, T& value) {
    value = static_cast<T>(*at++);
  }
  template <class T>
  void u16(const char*, T& value) {
    value =
        static_cast<T>(std::to_integer<unsigned>(at[0]) | std::to_integer<unsigned>(at[1]) << 8U);
    at += 2;
  }
};

class HeaderReader {
 public:
  HeaderReader(MetadataSource& source, Address address, std::pmr::memory_resource* memory)
      : source_(source), address_(address), header_(memory), messages_(scratch()) {
    next_ = messages_.data();
    end_ = next_ + messages_.size();
  }

  ObjectHeader read() {
    const ByteView start = source_.view_from(address_, kFixedPrefix, "Object Header");
    const bool is_v2 = start[0] == std::byte{'O'};
    is_v2 ? read_v2(start) : read_v1();
    // Continuations may lead to more of them, so the list grows in the loop.
    for (std::size_t i = 0; i < continuations_.size(); ++i) read_continuation(continuations_[i]);
    header_.messages.assign(messages_.data(), next_);
    return std::move(header_);
  }

 private:
  static std::vector<HeaderMessage>& scratch() {
    return per_thread<std::vector<HeaderMessage>, class HeaderScratch>();
  }

  void read_v1() {
    constexpr std::uint64_t kPrefixSize = 16;
    const auto prefix = read_record<ObjectHeaderPrefixV1>(source_, address_, kPrefixSize);
    header_.version = 1;
    header_.reference_count = prefix.reference_count;
    header_.first = {address_, kPrefixSize + prefix.header_size};
    const Address first = address_ + kPrefixSize;
    if (prefix.header_size != 0) messages_v1(first, prefix.header_size);
  }

  void messages_v1(Address address, std::uint64_t size) {
    ByteReader in(source_.view(address, size, "Object Header"), address, source_.file(),
                  MessageHeaderV1::kTitle);
    while (in.remaining() >= MessageHeaderV1::kSize) {
      const auto h = decode<MessageHeaderV1>(in);
      const Address at = in.address();
      add({h.type, h.flags, 0, at, in.bytes(h.data_size, "Header Message Data")}, in);
    }
  }

  void read_v2(ByteView start) {
    const auto flags = std::to_integer<unsigned>(start[5]);
    const std::size_t prefix_size = kFixedPrefix + ((flags & header_flag::kTimes) != 0 ? 16 : 0) +
                                    ((flags & header_flag::kAttributePhaseChange) != 0 ? 4 : 0) +
                                    (std::size_t{1} << (flags & header_flag::kChunk0SizeMask));
    if (start.size() < prefix_size) start = source_.view(address_, prefix_size, "Object Header");
    const auto prefix =
        decode<ObjectHeaderPrefixV2>(start.first(prefix_size), address_, source_.file());
    header_.prefix = prefix;
    if (prefix.chunk0_size > Address::kUndefined / 2)
      reader_at(source_, address_, ObjectHeaderPrefixV2::kTitle)
          .fail("Size of Chunk #0", "is beyond any file");
    const std::uint64_t size = prefix_size + prefix.chunk0_size + kChecksumSize;
    header_.version = 2;
    header_.first = {address_, size};
    if (start.size() >= size) {
      source_.note_look(size - kFixedPrefix, address_, "Object Header");
      return messages_v2(address_, start.first(static_cast<std::size_t>(size)), prefix_size);
    }
    messages_v2(address_, source_.view(address_, size, "Object Header"), prefix_size);
  }

  void messages_v2(Address address, ByteView block, std::size_t prefix_size) {
    const ByteView checked = block.first(block.size() - kChecksumSize);
    ByteReader stored(block.last(kChecksumSize), address + checked.size(), source_.file(),
                      "Object Header");
    if (!source_.is_verified(address, block.size()) &&
        !checksum_matches(checked, stored.uint<kChecksumSize>("Checksum")))
      reader_at(source_, address, "Object Header")
          .fail("Checksum", "does not match the bytes (damaged)");

    ByteReader in(checked.subspan(prefix_size), address + prefix_size, source_.file(),
                  MessageHeaderV2::kTitle);
    MessageHeaderV2 h;
    h.has_creation_order = header_.prefix.has_message_creation_order();
    const std::size_t header_size = MessageHeaderV2::size(h.has_creation_order);
    while (in.remaining() >= header_size) {
      FieldsThere fields{in.bytes(header_size, MessageHeaderV2::kTitle).data()};
      MessageHeaderV2::fields(fields, h);
      const Address at = in.address();
      add({h.type, h.flags, h.creation_order, at, in.bytes(h.data_size, "Header Message Data")},
          in);
    }
  }

  // Messages are passed by value, so that the usual ones are made in their place.
  void add(HeaderMessage message, const ByteReader& in) {
    const auto number = static_cast<std::uint16_t>(message.type);
    if (number <= kLastKnownType && message.type != MessageType::nil &&
        message.type != MessageType::continuation)
      keep(message);
    else
      add_special(message, number, in);
  }

  void add_special(HeaderMessage message, std::uint16_t number, const ByteReader& in) {
    if (message.type == MessageType::nil) return;
    if (message.type == MessageType::continuation) {
      const auto next = decode<ContinuationMessage>(message.data, message.address, source_.file());
      if (continuations_.size() == kMaxChunks) in.fail("Continuation", "more than 4096 blocks");
      continuations_.push_back(next);
      return;
    }
    if (number > kLastKnownType && message.type != MessageType::page_list &&
        (message.flags & message_flag::kFailIfUnknown) != 0)
      in.refuse("Header Message Type",
                "type " + std::to_string(number) + ", which must be understood");
    keep(message);
  }

  void keep(HeaderMessage message) {
    if (next_ == end_) make_room();
    *next_++ = message;
  }

  [[gnu::noinline]] void make_room() {
    const auto count = static_cast<std::size_t>(next_ - messages_.data());
    messages_.resize(2 * count + kFewMessages);
    next_ = messages_.data() + count;
    end_ = messages_.data() + messages_.size();
  }

  void read_continuation(const ContinuationMessage& next) {
    // Overlapping blocks would be read, and take memory, again and again.
    const auto seen = [&](const FileRange& c) {
      return c.address < next.offset ? next.offset.value - c.address.value < c.size
                                     : c.address.value - next.offset.value < next.length;
    };
    auto& read_before = header_.continuations;
    if (seen(header_.first) || std::any_of(read_before.begin(), read_before.end(), seen))
      reader_at(source_, next.offset, "Object Header")
          .fail("Continuation", "leads to a block that was read before");
    read_before.push_back({next.offset, next.length});
    if (header_.version == 1) return messages_v1(next.offset, next.length);
    constexpr std::size_t kSignatureSize = 4;
    if (next.length < kSignatureSize + kChecksumSize)
      reader_at(source_, next.offset, "Object Header").fail("Length", "is too small for a block");
    read_record<ObjectHeaderContinuationBlockV2>(source_, next.offset, kSignatureSize);
    messages_v2(next.offset, source_.view(next.offset, next.length, "Object Header"),
                kSignatureSize);
  }

  MetadataSource& source_;
  Address address_;
  ObjectHeader header_;
  std::vector<ContinuationMessage> continuations_;
  /// The number of messages is not known before, and the memory of the result must not grow in
  /// steps.
  std::vector<HeaderMessage>& messages_;
  HeaderMessage* next_;  ///< the first of them that is not of this header
  HeaderMessage* end_;
};

}  // namespace

ObjectHeader read_object_header(MetadataSource& source, Address address,
                                std::pmr::memory_resource* memory) {
  return HeaderReader(source, address, memory).read();
}

}  // namespace onecast::structures
