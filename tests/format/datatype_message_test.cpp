#include "format/objects/datatype_message.hpp"

#include "bytes.hpp"
#include "record_conformance.hpp"

namespace onecast::format {
namespace {

DatatypeMessage plain(DatatypeClass type_class, std::uint32_t size, std::uint32_t class_bits = 0) {
  DatatypeMessage m;
  m.type_class = type_class;
  m.size = size;
  m.class_bits = class_bits;
  m.bit_precision = static_cast<std::uint16_t>(8 * size);
  return m;
}

DatatypeMessage int32() { return plain(DatatypeClass::fixed_point, 4, datatype_bits::kSigned); }

DatatypeMessage float64() {
  DatatypeMessage m =
      plain(DatatypeClass::floating_point, 8, 63U << 8U | datatype_bits::kMantissaImplied);
  m.exponent_location = 52;
  m.exponent_size = 11;
  m.mantissa_size = 52;
  m.exponent_bias = 1023;
  return m;
}

DatatypeMessage array_of(const DatatypeMessage& base, std::uint8_t version) {
  DatatypeMessage m = plain(DatatypeClass::array, base.size * 6);
  m.version = version;
  m.array_dimensions = {2, 3};
  m.base = {base};
  return m;
}

DatatypeMessage enumeration(std::uint8_t version) {
  DatatypeMessage m = plain(DatatypeClass::enumeration, 1, 2);
  m.version = version;
  m.base = {plain(DatatypeClass::fixed_point, 1)};
  m.names = {"FALSE", "TRUE"};
  m.values = literal_bytes("\0\1");
  return m;
}

DatatypeMessage sequence_of(const DatatypeMessage& base) {
  DatatypeMessage m = plain(DatatypeClass::variable_length, 16);
  m.base = {base};
  return m;
}

DatatypeMessage compound(std::uint8_t version) {
  DatatypeMessage m = plain(DatatypeClass::compound, 300, 3);
  m.version = version;
  m.members = {{"a", 0, {}, int32()},
               {"a longer name", 8, {}, float64()},
               {"s", 16, {}, sequence_of(int32())}};
  if (version == 1) m.members[0].array_dimensions = {2};
  return m;
}

}  // namespace

template <>
struct Samples<DatatypeMessage> {
  static std::vector<DatatypeMessage> values(const FileContext&) {
    DatatypeMessage opaque = plain(DatatypeClass::opaque, 5, 16);
    opaque.tag = "tag of ten";
    DatatypeMessage full_tag = plain(DatatypeClass::opaque, 5, 8);
    full_tag.tag = "eight ch";
    DatatypeMessage complex = plain(DatatypeClass::complex, 16, datatype_bits::kComplexHomogeneous);
    complex.version = 5;
    complex.base = {float64()};
    DatatypeMessage reference = plain(DatatypeClass::reference, 8);
    DatatypeMessage new_reference = plain(DatatypeClass::reference, 64, 2);
    new_reference.version = 4;
    return {int32(),
            float64(),
            plain(DatatypeClass::time, 4),
            plain(DatatypeClass::string, 10),
            plain(DatatypeClass::bit_field, 2),
            opaque,
            full_tag,
            reference,
            new_reference,
            complex,
            sequence_of(sequence_of(int32())),
            array_of(int32(), 1),
            array_of(int32(), 2),
            array_of(int32(), 3),
            enumeration(1),
            enumeration(3),
            compound(1),
            compound(2),
            compound(3),
            array_of(compound(3), 3)};
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(DatatypeMessages, RecordConformance,
                               testing::Types<DatatypeMessage>);

namespace {

TEST(DatatypeMessage, RefusesDatatypesTooDeepInEachOther) {
  const FileContext file{"deep.h5", 8, 8};
  DatatypeMessage inner = int32();
  for (unsigned i = 1; i < DatatypeMessage::kMaxDepth; ++i) inner = sequence_of(inner);
  const auto fits = encoded(file, inner);
  EXPECT_NO_THROW(decode<DatatypeMessage>(fits, Address{0}, file));
  const auto too_deep = encoded(file, sequence_of(inner));
  EXPECT_THROW(decode<DatatypeMessage>(too_deep, Address{0}, file), Error);
}

TEST(DatatypeMessage, MemberArrayOfVersion1IsAnArrayDatatype) {
  const DatatypeMessage whole = compound(1).members[0].whole_type();
  EXPECT_EQ(whole.type_class, DatatypeClass::array);
  EXPECT_EQ(whole.size, 8U);
  EXPECT_EQ(whole.base.at(0).size, 4U);
}

TEST(DatatypeMessage, ArraysOfVersion1HaveTheFieldsOfVersion2) {
  const FileContext file{"old.h5", 8, 8};
  auto bytes = encoded(file, array_of(int32(), 2));
  ASSERT_EQ(bytes[0], std::byte{0x2a});
  bytes[0] = std::byte{0x1a};
  const auto found = decode<DatatypeMessage>(bytes, Address{0}, file);
  EXPECT_EQ(found.array_dimensions, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(found.base.at(0).type_class, DatatypeClass::fixed_point);
}

TEST(DatatypeMessage, MemberCountThatLiesAllocatesNothing) {
  const FileContext file{"lies.h5", 8, 8};
  const auto bytes = from_hex("36 ffff00 ff000000 6100 00");
  EXPECT_THROW(decode<DatatypeMessage>(bytes, Address{0}, file), Error);
}

}  // namespace
}  // namespace onecast::format
