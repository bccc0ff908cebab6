#include "structures/object_header.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "format/objects/group_messages.hpp"
#include "format/objects/object_messages.hpp"
#include "structures/header_writer.hpp"
#include "structures/memory_file.hpp"
#include "structures/object_contents.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

namespace onecast::structures {
namespace {

using test::pattern;
using test::thrown_by;

constexpr Address kAt{0};
constexpr std::uint64_t kSecond = 1000;  ///< the address of continuation blocks

class ObjectHeaderTest : public testing::Test {
 protected:
  std::span<std::byte> block(std::uint64_t at, std::uint64_t size) {
    if (bytes_.size() < at + size)
      bytes_.resize(static_cast<std::size_t>(at + size), std::byte{0xee});
    return std::span(bytes_).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  }
  ObjectHeader read() {
    file_.emplace(bytes_);
    return read_object_header(*file_, kAt);
  }
  Error failure() {
    return thrown_by([&] { read(); });
  }
  /// Starts a version 2 header in a block of this size.
  HeaderWriter first(std::uint64_t size, std::uint8_t flags = 0) {
    ObjectHeaderPrefixV2 prefix;
    prefix.flags = static_cast<std::uint8_t>(flags | ObjectHeaderPrefixV2::chunk0_size_flags(size));
    return {block(0, size), kFile, prefix};
  }
  static void lead_to(HeaderWriter& header, std::uint64_t offset, std::uint64_t length) {
    ContinuationMessage next;
    next.offset = Address{offset};
    next.length = length;
    header.add(MessageType::continuation, 0, next);
  }

  std::vector<std::byte> bytes_;
  std::optional<MemoryFile> file_;
};

TEST_F(ObjectHeaderTest, WhatIsWrittenIsReadWhateverIsLeftOver) {
  const auto value = pattern(20);
  for (const std::uint8_t flags :
       {std::uint8_t{0}, header_flag::kTimes, header_flag::kAttributeOrderTracked,
        header_flag::kAttributePhaseChange}) {
    ObjectHeaderPrefixV2 prefix;
    prefix.flags = flags;
    const bool order = prefix.has_message_creation_order();
    const std::uint64_t needed =
        HeaderWriter::overhead(kFile, prefix) + 2 * (MessageHeaderV2::size(order) + 20);
    for (std::uint64_t left = 0; left < 40; ++left) {
      bytes_.clear();
      HeaderWriter header(block(0, needed + left), kFile, prefix);
      header.add(MessageType::comment, message_flag::kConstant, ByteView(value), 7);
      header.add(MessageType::fill_value, 0, ByteView(value), 9);
      header.finish();
      const ObjectHeader found = read();
      EXPECT_EQ(found.version, 2);
      EXPECT_EQ(found.first.size, needed + left);
      EXPECT_TRUE(found.continuations.empty());
      ASSERT_EQ(found.messages.size(), 2U) << left;
      const HeaderMessage* m = found.find(MessageType::comment);
      EXPECT_EQ(m->flags, message_flag::kConstant);
      EXPECT_EQ(m->creation_order, order ? 7 : 0);
      EXPECT_TRUE(std::equal(m->data.begin(), m->data.end(), value.begin(), value.end()));
      EXPECT_EQ(bytes_[static_cast<std::size_t>(m->address.value)], value[0]);
      EXPECT_EQ(found.find(MessageType::dataspace), nullptr);
    }
  }
}

TEST_F(ObjectHeaderTest, BlocksOfEveryWidthOfTheirSize) {
  for (const std::uint64_t size : {100U, 300U, 70'000U, 200'000U}) {
    bytes_.clear();
    HeaderWriter header = first(size);
    header.add(MessageType::comment, 0, ByteView(pattern(10)));
    header.finish();
    const ObjectHeader found = read();
    EXPECT_EQ(found.first.size, size);
    EXPECT_EQ(found.messages.size(), 1U) << "what is left over, beyond 64 KiB too, is no message";
  }
}

TEST_F(ObjectHeaderTest, ContinuationsAreFollowedInOrder) {
  HeaderWriter header = first(100);
  header.add(MessageType::comment, 0, ByteView(pattern(4, 0)));
  lead_to(header, kSecond, 80);
  header.finish();
  HeaderWriter second(block(kSecond, 80), kFile, false);
  lead_to(second, 2 * kSecond, 30);
  second.add(MessageType::comment, 0, ByteView(pattern(4, 1)));
  second.finish();
  HeaderWriter third(block(2 * kSecond, 30), kFile, false);
  third.add(MessageType::comment, 0, ByteView(pattern(4, 2)));
  third.finish();
  const ObjectHeader found = read();
  ASSERT_EQ(found.messages.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found.messages[i].data[0], pattern(4, i)[0]);
  ASSERT_EQ(found.continuations.size(), 2U);
  EXPECT_EQ(found.continuations[1].address.value, 2 * kSecond);
  EXPECT_EQ(found.continuations[1].size, 30U);
}

TEST_F(ObjectHeaderTest, ContinuationsThatLeadAstrayAreRefused) {
  struct Case {
    std::uint64_t offset, length;
    const char* text;
  };
  const Case cases[] = {{0, 100, "read before"},    {50, 60, "read before"},
                        {kSecond, 7, "too small"},  {kSecond, 0, "too small"},
                        {1'000'000, 50, "outside"}, {kSecond, 1'000'000, "Signature"},
                        {kSecond, 60, "Signature"}};
  for (const Case& c : cases) {
    bytes_.clear();
    block(kSecond, 60);
    HeaderWriter header = first(100);
    lead_to(header, c.offset, c.length);
    header.finish();
    const Error error = failure();
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_EQ(std::string(error.what()).rfind("memory.h5: address 0x", 0), 0U) << error.what();
    EXPECT_NE(std::string(error.what()).find(c.text), std::string::npos) << error.what();
  }
}

TEST_F(ObjectHeaderTest, ACircleEnds) {
  HeaderWriter header = first(100);
  lead_to(header, kSecond, 60);
  header.finish();
  HeaderWriter second(block(kSecond, 60), kFile, false);
  lead_to(second, kSecond, 60);
  second.finish();
  EXPECT_NE(std::string(failure().what()).find("read before"), std::string::npos);
}

TEST_F(ObjectHeaderTest, EveryFlippedByteAndEveryCutIsNoticed) {
  HeaderWriter header = first(90);
  header.add(MessageType::comment, 0, ByteView(pattern(20)));
  header.finish();
  const auto whole = bytes_;
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int bit : {0x01, 0x80}) {
      bytes_ = whole;
      bytes_[i] ^= std::byte(bit);
      const Error error = failure();
      EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported) << i;
      EXPECT_EQ(std::string(error.what()).rfind("memory.h5: address 0x", 0), 0U) << error.what();
    }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    bytes_ = whole;
    bytes_.resize(size);
    EXPECT_EQ(failure().code(), ErrorCode::format) << size;
  }
}

TEST_F(ObjectHeaderTest, MessagesOfUnknownType) {
  const auto with = [&](int type, std::uint8_t flags) {
    bytes_.clear();
    HeaderWriter header = first(90);
    header.add(static_cast<MessageType>(type), flags, ByteView(pattern(5)));
    header.finish();
  };
  with(0x60, message_flag::kMarkIfUnknown);
  EXPECT_EQ(read().messages.size(), 1U);
  with(0xf5, message_flag::kFailIfUnknown);
  EXPECT_EQ(read().messages.size(), 1U) << "the page list is known";
  with(0x60, message_flag::kFailIfUnknown);
  const Error error = failure();
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_NE(std::string(error.what()).find("type 96, which must be understood"), std::string::npos)
      << error.what();
}

/// Writes a message of a version 1 header.
void put_v1(std::span<std::byte> out, std::size_t& at, int type,
            const std::vector<std::byte>& data) {
  const std::uint16_t head[4] = {static_cast<std::uint16_t>(type),
                                 static_cast<std::uint16_t>(data.size()), 0, 0};
  std::memcpy(out.data() + at, head, 8);
  std::copy(data.begin(), data.end(), out.begin() + static_cast<std::ptrdiff_t>(at) + 8);
  at += 8 + data.size();
}

TEST_F(ObjectHeaderTest, Version1WithAContinuation) {
  const auto header = block(0, 16 + 48);
  const std::uint32_t prefix[4] = {1U | 3U << 16U, 1, 48, 0};
  std::memcpy(header.data(), prefix, 16);
  std::size_t at = 16;
  put_v1(header, at, 0x0d, pattern(8));
  std::vector<std::byte> next(16);
  const std::uint64_t place[2] = {kSecond, 24};
  std::memcpy(next.data(), place, 16);
  put_v1(header, at, 0x10, next);
  put_v1(header, at, 0, {});
  at = 0;
  put_v1(block(kSecond, 24), at, 0x05, pattern(16));
  const ObjectHeader found = read();
  EXPECT_EQ(found.version, 1);
  EXPECT_EQ(found.first.size, 64U);
  ASSERT_EQ(found.messages.size(), 2U);
  EXPECT_EQ(found.messages[0].type, MessageType::comment);
  EXPECT_EQ(found.messages[1].type, MessageType::fill_value);
  EXPECT_EQ(found.messages[1].address.value, kSecond + 8);
  EXPECT_FALSE(is_group(found));
}

TEST_F(ObjectHeaderTest, LinksOfTheHeaderInTheirOrder) {
  HeaderWriter header = first(300);
  LinkInfoMessage info;
  info.flags = LinkInfoMessage::kOrderTracked;
  info.maximum_creation_index = 42;
  header.add(MessageType::link_info, 0, info);
  for (const char* name : {"z", "a", "m"}) {
    LinkMessage link;
    link.name = name;
    link.object_header = Address{77};
    link.flags = LinkMessage::flags_for(1, LinkType::hard, CharacterSet::ascii, false);
    header.add(MessageType::link, 0, link);
  }
  header.finish();
  const ObjectHeader found = read();
  EXPECT_TRUE(is_group(found));
  std::string names;
  const LinksInfo links = read_links(*file_, found, [&](const LinkMessage& link) {
    names += link.name;
    EXPECT_EQ(link.object_header.value, 77U);
  });
  EXPECT_EQ(names, "zam");
  EXPECT_TRUE(links.creation_order_tracked);
  EXPECT_EQ(links.next_creation_order, 42U);
}

TEST_F(ObjectHeaderTest, AttributesInTheOrderTheHeaderStores) {
  const auto attribute = [](const char* name) {
    AttributeMessage message;
    message.name = name;
    std::vector<std::byte> bytes(encoded_size(kFile, message));
    ByteWriter out(bytes);
    encode(out, kFile, message);
    return bytes;
  };
  const auto names = [&] {
    const ObjectHeader found = read();
    std::string all;
    SharedMessages shared(*file_, {});
    for_each_attribute(*file_, shared, found, [&](const StoredAttribute& a) { all += a.name(); });
    return all;
  };
  for (const bool tracked : {false, true}) {
    bytes_.clear();
    HeaderWriter header =
        first(300, tracked ? header_flag::kAttributeOrderTracked : std::uint8_t{0});
    header.add(MessageType::attribute, 0, ByteView(attribute("second")), 2);
    header.add(MessageType::attribute, 0, ByteView(attribute("first")), 1);
    header.finish();
    EXPECT_EQ(names(), tracked ? "firstsecond" : "secondfirst");
  }
  bytes_.clear();
  HeaderWriter header = first(300);
  header.add(MessageType::attribute, message_flag::kShared, ByteView(attribute("shared")));
  header.finish();
  const Error error = thrown_by([&] { names(); });
  EXPECT_EQ(error.code(), ErrorCode::format);
}

TEST(StoredAttribute, KnowsThePartsOfWhatWasJustEncoded) {
  const auto datatype = pattern(20);
  const auto dataspace = pattern(4);
  for (const std::size_t size : {std::size_t{0}, std::size_t{33}}) {
    const auto data = pattern(size);
    AttributeMessage message;
    message.name = "name";
    message.flags = AttributeMessage::kDatatypeShared;
    message.datatype = datatype;
    message.dataspace = dataspace;
    message.data = data;
    std::vector<std::byte> bytes(encoded_size(kFile, message));
    ByteWriter out(bytes);
    encode(out, kFile, message);
    const StoredAttribute decoded(bytes, {}, kFile, 0);
    const StoredAttribute made(bytes, message);
    EXPECT_EQ(made.name(), decoded.name());
    EXPECT_EQ(made.version(), decoded.version());
    EXPECT_EQ(made.creation_order(), 0U);
    EXPECT_TRUE(made.datatype_is_shared());
    EXPECT_FALSE(made.dataspace_is_shared());
    for (const auto part :
         {&StoredAttribute::datatype, &StoredAttribute::dataspace, &StoredAttribute::data}) {
      EXPECT_EQ((made.*part)().data(), (decoded.*part)().data());
      EXPECT_EQ((made.*part)().size(), (decoded.*part)().size());
    }
  }
}

}  // namespace
}  // namespace onecast::structures
