#include "onecast/filters/known_filters.hpp"

#include <algorithm>

#include "filters/filter_name.hpp"
#include "filters/own_filter.hpp"
#include "filters/prepare_filter.hpp"
#include "filters/support.hpp"
#include "onecast/filters/register_filter.hpp"

namespace onecast::filters {
namespace {

using test::Bytes;
using test::decoded;
using test::kWhere;
using test::mentions;
using test::pattern;
using test::thrown_by;

/// A chunk that suits every filter; the bytes of its elements are small numbers.
const Shape kChunk = {64};
const Datatype kType = Datatype::of<std::int32_t>();

FilterSpec prepared(const Filter& filter) {
  return prepare_filter(filter, {kType, kChunk}, "a.h5: /d");
}

TEST(KnownFilters, AreInTheOrderOfTheirNumbersWithDifferentNames) {
  const std::vector<KnownFilter> known = known_filters();
  std::vector<std::string> names;
  std::uint16_t last = 0;
  for (const KnownFilter& filter : known) {
    EXPECT_LT(last, filter.id);
    last = filter.id;
    EXPECT_EQ(filter_name(filter.id), filter.name);
    names.push_back(filter.name);
    if (!filter.h5py_name.empty()) names.push_back(filter.h5py_name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(KnownFilters, OfAnyNameWithoutValuesDoAndUndoAChunk) {
  Bytes chunk = pattern(256);
  for (std::size_t i = 0; i < chunk.size(); ++i)
    if (i % 4 > 1) chunk[i] = std::byte{0};
  for (const KnownFilter& known : known_filters()) {
    SCOPED_TRACE(known.name);
    ASSERT_TRUE(known.encodes);
    const FilterSpec spec = prepared(filter_named(known.name));
    EXPECT_EQ(spec.name, known.name);
    const EncodedChunk encoded = encode_chunk({spec}, chunk, kWhere);
    EXPECT_TRUE(decoded({spec}, encoded.bytes, chunk.size(), encoded.filter_mask) == chunk);
    // With each byte missing or changed, decoding ends in an Error or gives other bytes.
    for (std::size_t i = 0; i < encoded.bytes.size(); ++i) {
      Bytes wrong(encoded.bytes.begin(), encoded.bytes.begin() + static_cast<std::ptrdiff_t>(i));
      Bytes out(chunk.size());
      try {
        decode_chunk({spec}, encoded.filter_mask, wrong, out, kWhere);
      } catch (const Error&) {
      }
      wrong = encoded.bytes;
      wrong[i] ^= std::byte{0xFF};
      try {
        decode_chunk({spec}, encoded.filter_mask, wrong, out, kWhere);
      } catch (const Error&) {
      }
    }
  }
}

TEST(KnownFilters, TakeTheValuesOfTheirParameters) {
  for (const KnownFilter& known : known_filters())
    for (const FilterParameter& parameter : known.parameters) {
      SCOPED_TRACE(known.name + " " + std::string(parameter.name));
      EXPECT_LE(parameter.least, parameter.otherwise);
      EXPECT_LE(parameter.otherwise, parameter.most);
      if (parameter.name == "coding") continue;  // its values are bits of a mask
      Filter filter = filter_named(known.name);
      filter.client_data.resize(std::max(filter.client_data.size(), parameter.position + 1));
      filter.client_data[parameter.position] = static_cast<std::uint32_t>(parameter.most + 1);
      EXPECT_TRUE(mentions(thrown_by([&] { prepared(filter); }), "filter " + known.name + ": "));
    }
}

TEST(KnownFilters, AreAskedForAgainAsTheyWereAskedFor) {
  for (const KnownFilter& known : known_filters()) {
    const FilterSpec spec = prepared(filter_named(known.name));
    EXPECT_EQ(prepared(asked_for(spec)).client_data, spec.client_data) << known.name;
  }
}

TEST(KnownFilters, AreTheFunctionsOfFilterByName) {
  EXPECT_EQ(filter_named("fletcher32"), Filter::fletcher32());
  EXPECT_EQ(filter_named("szip"), Filter::szip());
  EXPECT_EQ(filter_named("scaleoffset"), Filter::scale_offset());
  EXPECT_EQ(filter_named("scaleoffset", {5}), Filter::scale_offset(5));
  EXPECT_EQ(filter_named("gzip", {6}), Filter::deflate());
  // The default parameters equal those of the table.
  const std::pair<Filter, std::string_view> made[] = {{Filter::deflate(), "deflate"},
                                                      {Filter::lz4(), "lz4"},
                                                      {Filter::zstd(), "zstd"},
                                                      {Filter::bzip2(), "bzip2"}};
  for (const auto& [filter, name] : made)
    EXPECT_EQ(prepared(filter).client_data, prepared(filter_named(name)).client_data) << name;
}

TEST(KnownFilters, HaveTheRegisteredOnesLast) {
  const auto same = [](const FilterInput& in) { return Bytes(in.bytes.begin(), in.bytes.end()); };
  register_filter(40001, "same", same);
  const KnownFilter last = known_filters().back();
  EXPECT_EQ(last.name, "same");
  EXPECT_FALSE(last.encodes);
  EXPECT_EQ(filter_named("same", {1}), (Filter{40001, true, {1}}));
  unregister_filter(40001);
  const Error error = thrown_by([] { filter_named("same"); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(mentions(error, "unknown filter 'same': expected one of gzip, shuffle, fletcher32"));
}

}  // namespace
}  // namespace onecast::filters
