#include "bytes.hpp"
#include "format/objects/link_message.hpp"
#include "format/objects/object_header.hpp"
#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<ObjectHeaderPrefixV1> {
  static std::vector<ObjectHeaderPrefixV1> values(const FileContext&) { return {{5, 1, 264}}; }
};

template <>
struct Samples<ObjectHeaderPrefixV2> {
  static std::vector<ObjectHeaderPrefixV2> values(const FileContext&) {
    ObjectHeaderPrefixV2 small, full;
    small.chunk0_size = 200;
    full.flags = 0x3f;
    full.access_time = 1, full.modification_time = 2, full.change_time = 3, full.birth_time = 4;
    full.chunk0_size = 100000;
    return {small, full};
  }
};

template <>
struct Samples<ObjectHeaderContinuationBlockV2> {
  static std::vector<ObjectHeaderContinuationBlockV2> values(const FileContext&) { return {{}}; }
};

template <>
struct Samples<MessageHeaderV1> {
  static std::vector<MessageHeaderV1> values(const FileContext&) {
    return {{MessageType::datatype, 16, message_flag::kConstant}};
  }
};

template <>
struct Samples<MessageHeaderV2> {
  static std::vector<MessageHeaderV2> values(const FileContext&) {
    return {{false, MessageType::page_list, 16, message_flag::kMarkIfUnknown, 0},
            {true, MessageType::link, 16, 0, 7}};
  }
};

template <>
struct Samples<LinkMessage> {
  static std::vector<LinkMessage> values(const FileContext&) {
    LinkMessage hard, soft, external, user_defined;
    hard.name = "data";
    hard.object_header = Address{0x1234};
    soft.name = "αβ";
    soft.type = LinkType::soft;
    soft.character_set = CharacterSet::utf8;
    soft.creation_order = 3;
    soft.soft_value = "/data";
    soft.flags = LinkMessage::flags_for(300, LinkType::soft, CharacterSet::utf8, true);
    external.name = "elsewhere";
    external.type = LinkType::external;
    external.user_data = literal_bytes("\0other.h5\0/data\0");
    external.flags = LinkMessage::kHasLinkType;
    user_defined.name = "own";
    user_defined.type = static_cast<LinkType>(200);
    user_defined.user_data = literal_bytes("anything");
    user_defined.flags = LinkMessage::kHasLinkType | 3U;
    return {hard, soft, external, user_defined};
  }
};

template <>
struct Samples<ExternalLinkValue> {
  static std::vector<ExternalLinkValue> values(const FileContext&) {
    return {{"other.h5", "/data"}};
  }
};

using GroupMessages =
    testing::Types<ObjectHeaderPrefixV1, ObjectHeaderPrefixV2, ObjectHeaderContinuationBlockV2,
                   MessageHeaderV1, MessageHeaderV2, LinkMessage, ExternalLinkValue>;
INSTANTIATE_TYPED_TEST_SUITE_P(GroupMessages, RecordConformance, GroupMessages);

}  // namespace onecast::format
