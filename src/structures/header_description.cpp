#include "structures/header_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/lookup3.hpp"
#include "format/objects/message_records.hpp"
#include "format/objects/shared_message.hpp"
#include "onecast/base/error.hpp"
#include "structures/object_header.hpp"

namespace onecast::structures {
namespace {

std::string hex(ByteView bytes) {
  constexpr std::size_t kShown = 32;
  std::string text;
  for (const std::byte b : bytes.first(std::min(bytes.size(), kShown)))
    fmt::format_to(std::back_inserter(text), "{:02x}", std::to_integer<unsigned>(b));
  if (bytes.size() > kShown) text += "...";
  return text;
}

/// Adds a row for bytes that belong to no field of the record.
void add_rest(DescribedRecord& record, ByteView rest, const char* name) {
  if (!rest.empty())
    record.fields.push_back(
        {record.address + (record.size - rest.size()), rest.size(), name, hex(rest)});
}

template <class R>
void add_fields(DescribedRecord& record, const R& value, const FileContext& file) {
  for (FieldDescription& row : describe(file, value))
    record.fields.push_back(
        {record.address + row.offset, row.size, std::move(row.name), std::move(row.value)});
}

class HeaderDescriber {
 public:
  HeaderDescriber(MetadataSource& source, Address address)
      : source_(source), header_(read_object_header(source, address)) {}

  std::vector<DescribedRecord> describe_all() {
    describe_first();
    for (const FileRange& block : header_.continuations) describe_continuation(block);
    return std::move(records_);
  }

 private:
  [[nodiscard]] const FileContext& file() const { return source_.file(); }
  ByteView bytes_of(const FileRange& block) {
    return source_.view(block.address, block.size, "Object Header");
  }

  void describe_first() {
    const FileRange& block = header_.first;
    const ByteView bytes = bytes_of(block);
    ByteReader in(bytes, block.address, file());
    if (header_.version == 1) {
      describe_record(in, ObjectHeaderPrefixV1{});
      messages(in, MessageHeaderV1{});
    } else {
      describe_record(in, ObjectHeaderPrefixV2{});
      messages_v2(in, bytes);
    }
  }

  void describe_continuation(const FileRange& block) {
    const ByteView bytes = bytes_of(block);
    ByteReader in(bytes, block.address, file());
    if (header_.version == 1) return messages(in, MessageHeaderV1{});
    describe_record(in, ObjectHeaderContinuationBlockV2{});
    messages_v2(in, bytes);
  }

  /// Decodes and describes a record of the header itself, which was read before.
  template <class R>
  R describe_record(ByteReader& in, R value) {
    DescribedRecord record{R::kTitle, in.address(), 0, {}, {}};
    decode_into(in, value);
    record.size = in.address().value - record.address.value;
    add_fields(record, value, file());
    records_.push_back(std::move(record));
    return value;
  }

  void messages_v2(ByteReader& in, ByteView block) {
    ByteReader inside = in.sub(in.remaining() - kChecksumSize, "Messages");
    MessageHeaderV2 context;
    context.has_creation_order = header_.prefix.has_message_creation_order();
    messages(inside, context);
    // "Gap" and "Checksum" are rows of the block's own table, after its messages.
    const Address at = inside.address();
    const ByteView gap = inside.bytes(inside.remaining(), "Gap");
    DescribedRecord last{"Version 2 Object Header: end of the block", at, gap.size(), {}, {}};
    add_rest(last, gap, "Gap");
    last.fields.push_back(
        {inside.address(), kChecksumSize, "Checksum", hex(block.last(kChecksumSize))});
    last.size += kChecksumSize;
    records_.push_back(std::move(last));
  }

  template <class Header>
  void messages(ByteReader& in, const Header& context) {
    const std::size_t size = encoded_size(file(), context);
    while (in.remaining() >= size) {
      const Header h = describe_record(in, context);
      const Address at = in.address();
      describe_data({h.type, h.flags, 0, at, in.bytes(h.data_size, "Header Message Data")});
    }
  }

  void describe_data(const HeaderMessage& message) {
    DescribedRecord record{"", message.address, message.data.size(), {}, {}};
    try {
      if (message.is_shared())
        fields_of<SharedMessage>(record, message);
      else
        fields_by_type(record, message);
    } catch (const Error& error) {
      record.problem = error.what();
    }
    records_.push_back(std::move(record));
  }

  template <class R>
  void fields_of(DescribedRecord& record, const HeaderMessage& message) {
    record.title = R::kTitle;
    ByteReader in(message.data, message.address, file());
    const R value = decode<R>(in);
    add_fields(record, value, file());
    add_rest(record, message.data.last(in.remaining()), "Unused");
  }

  void fields_by_type(DescribedRecord& record, const HeaderMessage& m) {
    if (m.type == MessageType::nil) {
      record.title = "NIL Message";
      return add_rest(record, m.data, "Unused");
    }
    if (with_record_of(m.type, [&]<class R>() { fields_of<R>(record, m); })) return;
    record.title = fmt::format("Message of type {}", static_cast<unsigned>(m.type));
    add_rest(record, m.data, "Data");
  }

  MetadataSource& source_;
  ObjectHeader header_;
  std::vector<DescribedRecord> records_;
};

}  // namespace

std::vector<DescribedRecord> describe_header(MetadataSource& source, Address address) {
  return HeaderDescriber(source, address).describe_all();
}

}  // namespace onecast::structures
