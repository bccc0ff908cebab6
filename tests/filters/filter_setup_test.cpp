#include <optional>

#include "filters/filter_name.hpp"
#include "filters/prepare_filter.hpp"
#include "filters/support.hpp"
#include "types/datatype_codec.hpp"

namespace onecast::filters {
namespace {

using test::Bytes;
using test::hex;
using test::mentions;
using test::thrown_by;

using Values = std::vector<std::uint32_t>;

/// What stock HDF5 stores for a filter; see make_setup_oracle.py.
struct Case {
  const char* name;
  std::string_view datatype;  ///< hexadecimal digits of the message
  Shape chunk;
  std::string_view fill;  ///< hexadecimal digits of the fill value
  Filter filter;
  std::optional<Values> client_data;  ///< absent if stock HDF5 refuses
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
#include "oracle_setup.inc"
  };
  return all;
}

Datatype datatype(std::string_view digits) {
  const Bytes message = hex(digits);
  return to_datatype(decode<DatatypeMessage>(message, Address{0}, FileContext{"a.h5", 8, 8}));
}

FilterSpec prepared(const Filter& filter, const Datatype& type, const Shape& chunk = {100}) {
  return prepare_filter(filter, {type, chunk}, "a.h5: /d");
}

Error refused(const Filter& filter, const Datatype& type, const Shape& chunk = {100}) {
  Error error = thrown_by([&] { prepared(filter, type, chunk); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(mentions(error, "a.h5: /d: filter ")) << error.what();
  return error;
}

TEST(PrepareFilter, MakesTheClientDataOfOthers) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Datatype type = datatype(c.datatype);
    const Bytes fill = hex(c.fill);
    const FilteredDataset dataset{type, c.chunk, fill};
    if (!c.client_data) {
      EXPECT_EQ(thrown_by([&] { prepare_filter(c.filter, dataset, "a"); }).code(),
                ErrorCode::invalid_argument);
      continue;
    }
    const FilterSpec spec = prepare_filter(c.filter, dataset, "a");
    EXPECT_EQ(spec.id, c.filter.id);
    EXPECT_TRUE(spec.optional);
    EXPECT_EQ(spec.name, filter_name(spec.id));
    EXPECT_EQ(spec.client_data, *c.client_data);
  }
}

TEST(PrepareFilter, OfTheNamedOnes) {
  const Datatype type = Datatype::of<std::int32_t>();
  EXPECT_EQ(prepared(Filter::deflate(), type).client_data, Values{6});
  EXPECT_EQ(prepared(Filter::shuffle(), type).client_data, Values{4});
  EXPECT_FALSE(prepared(Filter::fletcher32(), type).optional);
  EXPECT_EQ(prepared(Filter::szip(), type).client_data, (Values{169, 8, 32, 100}));
  EXPECT_EQ(prepared(Filter::szip(Filter::Szip::entropy_coding, 16), type).client_data,
            (Values{141, 16, 32, 100}));
  EXPECT_EQ(prepared(Filter::nbit(), type).client_data, (Values{8, 1, 100, 1, 4, 0, 32, 0}));
  EXPECT_EQ(prepared(Filter::lzf(), type).client_data, (Values{4, 0x0105, 400}));
  EXPECT_EQ(prepared(Filter::lz4(), type).client_data, Values{0});
  EXPECT_EQ(prepared(Filter::zstd(), type).client_data, Values{3});
  EXPECT_EQ(prepared(Filter::bzip2(), type).client_data, Values{9});
  EXPECT_EQ(prepared({307, true, {5, 9, 1}}, type).client_data, (Values{5, 9, 1}));
  EXPECT_EQ(prepared(Filter::blosc(), type).client_data, (Values{2, 2, 4, 400, 5, 1, 1}));
  EXPECT_EQ(prepared({32001, true, {0, 0, 0, 0, 5, 1}}, type).client_data,
            (Values{2, 2, 4, 400, 5, 1}));
  EXPECT_EQ(prepared(Filter::bitshuffle(), type).client_data, (Values{0, 4, 4, 0, 2}));
  EXPECT_EQ(prepared(Filter::bitshuffle(Filter::BitshuffleCodec::zstd, 64, 5), type).client_data,
            (Values{0, 4, 4, 64, 3, 5}));
  EXPECT_EQ(prepared(Filter::scale_offset(7), type).client_data[1], 7U);
  EXPECT_EQ(prepared(Filter::scale_offset_decimal(2), Datatype::of<float>()).client_data[1], 2U);
}

TEST(PrepareFilter, TakesElementsOfVariableLength) {
  const Datatype string = Datatype::variable_string();
  EXPECT_EQ(prepared(Filter::shuffle(), string).client_data, Values{16});
  EXPECT_EQ(prepared(Filter::nbit(), string).client_data, (Values{3, 1, 100}));
  EXPECT_EQ(prepared(Filter::nbit(), Datatype::array(string, {2})).client_data,
            (Values{7, 1, 100, 2, 32, 4, 16}));
  refused(Filter::szip(), string);
  refused(Filter::scale_offset(), string);
}

TEST(PrepareFilter, AnUndefinedFillValueIsSaidSo) {
  const Datatype type = Datatype::of<int>();
  const Shape chunk = {10};
  FilteredDataset dataset{type, chunk, std::nullopt};
  EXPECT_EQ(prepare_filter(Filter::scale_offset(), dataset, "a").client_data[7], 0U);
  const Bytes wrong(3);
  dataset.fill_value = wrong;
  EXPECT_TRUE(mentions(thrown_by([&] { prepare_filter(Filter::scale_offset(), dataset, "a"); }),
                       "fill value"));
}

TEST(PrepareFilter, RefusesParametersThatAreNotValid) {
  const Datatype type = Datatype::of<std::int32_t>();
  EXPECT_TRUE(mentions(refused(Filter::deflate(10), type), "level 10: expected 0 to 9"));
  EXPECT_TRUE(mentions(refused({1, true, {1, 2}}, type), "2 values"));
  refused({3, false, {1}}, type);
  refused(Filter::bzip2(0), type);
  refused(Filter::zstd(23), type);
  refused(Filter::lz4(0x7E000001), type);
  refused(Filter::blosc(Filter::BloscCodec::lz4, 10), type);
  refused({32001, true, {0, 0, 0, 0, 5, 3}}, type);
  refused({32001, true, {0, 0, 0, 0, 5, 1, 6}}, type);
  refused({32008, true, {8, 1}}, type);
  refused({32008, true, {8, 4}}, type);
  refused({32008, true, {1U << 30U, 2}}, type);
  refused({4, true, {}}, type);
  refused({4, true, {0, 8}}, type);
  refused({4, true, {36, 8}}, type);
  refused(Filter::szip(Filter::Szip::nearest_neighbour, 0), type);
  refused({6, true, {}}, type);
  refused(Filter::scale_offset(33), type);
  refused(Filter::scale_offset_decimal(2), type);
  refused(Filter::scale_offset(), Datatype::of<float>());
  refused({6, true, {1, 2}}, Datatype::of<float>());
  refused({6, true, {0, ~0U}}, Datatype::of<float>());
}

TEST(PrepareFilter, RefusesDatatypesThatItLosesValuesOf) {
  const BitRange bits{0, 20};
  const Datatype odd = Datatype::integer(3, false, ByteOrder::little, bits);
  EXPECT_TRUE(mentions(refused(Filter::szip(), odd), "cannot be applied"));
  refused(Filter::szip(), Datatype::float80());
  refused(Filter::szip(), Datatype::floating(16));
}

TEST(PrepareFilter, RefusesChunksThatAreTooLarge) {
  const Datatype type = Datatype::of<std::int32_t>();
  const Shape huge = {1U << 16U, 1U << 16U};
  for (const Filter& filter :
       {Filter::lzf(), Filter::blosc(), Filter::nbit(), Filter::scale_offset()})
    EXPECT_TRUE(mentions(refused(filter, type, huge), "32 bits"));
  const Shape more = {~0ULL, 16};
  refused(Filter::lzf(), type, more);
  refused(Filter::lzf(), type, {1ULL << 62U});
}

TEST(PrepareFilter, OfAnUnknownOneDependsOnWhetherItIsOptional) {
  const Datatype type = Datatype::of<int>();
  EXPECT_EQ(prepared({32013, true, {1, 2}}, type).client_data, (Values{1, 2}));
  EXPECT_EQ(thrown_by([&] { prepared({32013, false, {}}, type); }).code(), ErrorCode::unsupported);
}

}  // namespace
}  // namespace onecast::filters
