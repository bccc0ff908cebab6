#include "types/conversion.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "onecast/base/error.hpp"
#include "support/thrown_by.hpp"
#include "types/scalar.hpp"

namespace onecast::types {
namespace {

using test::thrown_by;

std::vector<std::byte> converted(const Datatype& from, ByteView in, const Datatype& to) {
  const Conversion conversion(from, to, "f.h5: /d");
  std::vector<std::byte> out(in.size() / from.size() * to.size(), std::byte{0xee});
  conversion.run(in, out);
  if (conversion.works_in_place()) {
    std::vector<std::byte> same(out.size());
    std::copy(in.begin(), in.end(), same.end() - static_cast<std::ptrdiff_t>(in.size()));
    conversion.run(std::span(same).last(in.size()), same);
    EXPECT_EQ(same, out) << from.describe() << " -> " << to.describe() << ", in place";
  }
  return out;
}

template <class D, class S>
std::vector<D> converted(const std::vector<S>& values) {
  const auto bytes =
      converted(Datatype::of<S>(), std::as_bytes(std::span(values)), Datatype::of<D>());
  std::vector<D> out(values.size());
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

TEST(ConversionTest, ComplexNumbersOfAllForms) {
  const auto pair = [](const char* first, const char* second, const Datatype& part,
                       std::size_t gap) {
    const std::size_t size = part.size();
    return Datatype::compound(2 * (size + gap), {{first, 0, part}, {second, size + gap, part}});
  };
  const Datatype f4 = Datatype::of<float>();
  const Datatype f8 = Datatype::floating(8, ByteOrder::big);
  const Datatype forms[] = {Datatype::complex(f4), Datatype::complex(f8), pair("r", "i", f8, 0),
                            pair("Real", "IMAG", f4, 0), pair("re", "im", f8, 4)};
  const float given[] = {1.5F, -2, 3, 4};
  for (const Datatype& from : forms)
    for (const Datatype& to : forms) {
      SCOPED_TRACE(from.describe() + " -> " + to.describe());
      const auto in = converted(forms[0], std::as_bytes(std::span(given)), from);
      const auto back = converted(to, converted(from, in, to), forms[0]);
      EXPECT_EQ(std::memcmp(back.data(), given, sizeof given), 0);
    }
  // A complex number converts to a pair with any names, as in HDF5 2.0. Pairs convert by name.
  EXPECT_NO_THROW(Conversion(forms[0], pair("x", "y", f8, 0), "f"));
  const Conversion by_name(pair("r", "i", f8, 0), pair("x", "y", f8, 0), "f");
  EXPECT_FALSE(by_name.is_complete());
  for (const Datatype& other :
       {Datatype::of<int>(), f4, Datatype::array(f4, {2}), pair("r", "i", Datatype::of<int>(), 0)})
    EXPECT_THROW(Conversion(forms[0], other, "f"), Error) << other.describe();
}

/// Returns numbers of many magnitudes, and those at the bounds of the types.
template <class T>
std::vector<T> numbers(std::mt19937_64& random) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{T{0}, T{1}, Limits::max(), Limits::lowest(), Limits::min()};
  if constexpr (std::is_floating_point_v<T>) {
    for (const double v : {-0.0, 0.5, -0.5, 1.5, 2.5, 127.9, 128.0, 255.5, -1.0, 1e-310, 65519.9})
      values.push_back(static_cast<T>(v));
    for (const T v : {Limits::infinity(), -Limits::infinity(), Limits::denorm_min()})
      values.push_back(v);
    for (int e = -140; e < 140; ++e)
      values.push_back(std::ldexp(static_cast<T>(random()) - static_cast<T>(9e18), e - 63));
  } else {
    for (int bits = 0; bits < 64; ++bits)
      for (int i = 0; i < 4; ++i) values.push_back(static_cast<T>(random() >> bits));
  }
  return values;
}

/// Returns what a C++ program expects, through the widest type.
template <class D, class S>
D expected(S value) {
  using Limits = std::numeric_limits<D>;
  if constexpr (std::is_floating_point_v<D>) return static_cast<D>(value);
  const auto wide = static_cast<long double>(value);  // exact for 64 bits
  if (std::isnan(wide)) return D{0};
  if (wide <= static_cast<long double>(Limits::min())) return Limits::min();
  if (wide >= static_cast<long double>(Limits::max())) return Limits::max();
  return static_cast<D>(std::trunc(wide));
}

template <class D, class S>
void check_pair(std::mt19937_64& random) {
  const auto values = numbers<S>(random);
  const auto found = converted<D>(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(found[i], expected<D>(values[i]))
        << static_cast<double>(values[i]) << ": " << Datatype::of<S>().describe() << " -> "
        << Datatype::of<D>().describe();
    // The slow conversion gives the same result.
    const Scalar s = load_scalar(Datatype::of<S>(), reinterpret_cast<const std::byte*>(&values[i]));
    D slow{};
    store_scalar(Datatype::of<D>(), s, reinterpret_cast<std::byte*>(&slow));
    EXPECT_EQ(slow, found[i]) << static_cast<double>(values[i]) << ": "
                              << Datatype::of<S>().describe() << " -> "
                              << Datatype::of<D>().describe() << ", slowly";
  }
}

template <class... D, class F>
void for_types(F&& each) {
  (each(D{}), ...);
}
template <class F>
void for_all_numbers(F&& each) {
  for_types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
            std::int64_t, std::uint64_t, float, double, long double>(each);
}

TEST(ConversionTest, EveryNumberToEveryNumber) {
  std::mt19937_64 random(1);
  for_all_numbers([&](auto from) {
    for_all_numbers([&](auto to) { check_pair<decltype(to), decltype(from)>(random); });
  });
}

TEST(ConversionTest, NotANumber) {
  const std::vector<double> nan{std::nan("")};
  EXPECT_EQ(converted<std::int32_t>(nan)[0], 0);
  EXPECT_EQ(converted<std::uint64_t>(nan)[0], 0U);
  EXPECT_TRUE(std::isnan(converted<float>(nan)[0]));
  EXPECT_TRUE(std::isnan(converted<long double>(nan)[0]));
}

TEST(ConversionTest, ByteOrderGoesThereAndBack) {
  std::mt19937_64 random(2);
  std::vector<std::byte> bytes(16 * 1000);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    const Datatype little = Datatype::integer(size, true);
    const Datatype big = Datatype::integer(size, true, ByteOrder::big);
    const auto swapped = converted(little, bytes, big);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(swapped[i / size * size + size - 1 - i % size], bytes[i]);
    EXPECT_EQ(converted(big, swapped, little), bytes);
  }
}

TEST(ConversionTest, OddIntegers) {
  std::mt19937_64 random(3);
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
    for (const std::size_t size : {2U, 3U, 5U, 8U, 11U})
      for (const std::uint16_t precision : std::initializer_list<std::uint16_t>{1, 7, 9, 12, 16})
        for (const std::uint16_t offset : std::initializer_list<std::uint16_t>{0, 3}) {
          if (offset + std::size_t{precision} > 8 * size) continue;
          for (const bool is_signed : {true, false}) {
            const Datatype odd = Datatype::integer(size, is_signed, order, {offset, precision});
            std::vector<std::int64_t> values;
            const std::int64_t low = is_signed ? -(std::int64_t{1} << (precision - 1)) : 0;
            const std::int64_t high = low + (std::int64_t{1} << precision) - 1;
            for (int i = 0; i < 50; ++i)
              values.push_back(low + static_cast<std::int64_t>(random() % (1ULL << precision)));
            values.insert(values.end(), {low, high, low - 1, high + 1});
            const Datatype native = Datatype::of<std::int64_t>();
            const auto stored = converted(native, std::as_bytes(std::span(values)), odd);
            const auto back = converted(odd, stored, native);
            for (std::size_t i = 0; i < values.size(); ++i) {
              std::int64_t found = 0;
              std::memcpy(&found, back.data() + 8 * i, 8);
              EXPECT_EQ(found, std::clamp(values[i], low, high)) << odd.describe();
            }
          }
        }
}

double number(const Datatype& type, std::initializer_list<int> bytes) {
  std::vector<std::byte> in;
  for (const int b : bytes) in.push_back(static_cast<std::byte>(b));
  double value = 0;
  Conversion(type, Datatype::of<double>(), "d")
      .run(in, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

TEST(ConversionTest, KnownFloats) {
  const Datatype half = Datatype::floating(2);
  EXPECT_EQ(number(half, {0x00, 0x3c}), 1.0);
  EXPECT_EQ(number(half, {0x01, 0x00}), 0x1p-24);
  EXPECT_EQ(number(half, {0xff, 0x7b}), 65504.0);
  EXPECT_EQ(number(half, {0x00, 0xfc}), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(number(half, {0x01, 0x7e})));
  EXPECT_EQ(number(Datatype::floating(2, ByteOrder::big), {0x3c, 0x01}), 1 + 0x1p-10);
  EXPECT_EQ(number(Datatype::bfloat16(), {0xc0, 0x3f}), 1.5);
  EXPECT_EQ(number(Datatype::float80(10), {0, 0, 0, 0, 0, 0, 0, 0xa0, 0x00, 0x40}), 2.5);
  const Datatype quad = Datatype::floating(16, ByteOrder::big);
  EXPECT_EQ(number(quad, {0xbf, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), -1.5);
  // The first value is a tie, which goes to the even neighbour; the second is just above it.
  EXPECT_EQ(number(quad, {0x3f, 0xff, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0}), 1.0);
  EXPECT_EQ(number(quad, {0x3f, 0xff, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1}), 1 + 0x1p-52);
  // This is the F format of the VAX: 1.0 is 0x4080 in its first word.
  const Datatype vax = Datatype::floating(4, ByteOrder::vax, {0, 32},
                                          {31, 23, 8, 0, 23, 129, Normalization::implied});
  EXPECT_EQ(number(vax, {0x80, 0x40, 0, 0}), 1.0);
  EXPECT_EQ(number(vax, {0xc0, 0xc1, 0, 0}), -6.0);
}

TEST(ConversionTest, FloatsToShortFloatsAndBack) {
  std::mt19937_64 random(4);
  const Datatype native = Datatype::of<float>();
  for (const Datatype& type : {Datatype::floating(2), Datatype::bfloat16(ByteOrder::big)}) {
    // All values come back unchanged.
    std::vector<std::byte> all(2 * 65536);
    for (std::size_t i = 0; i < 65536; ++i) {
      const auto bits = static_cast<std::uint16_t>(i);
      std::memcpy(all.data() + 2 * i, &bits, 2);
    }
    const auto wide = converted(type, all, native);
    const auto again = converted(native, wide, type);
    const auto wide_again = converted(type, again, native);
    for (std::size_t i = 0; i < 65536; ++i) {
      float a = 0;
      float b = 0;
      std::memcpy(&a, wide.data() + 4 * i, 4);
      std::memcpy(&b, wide_again.data() + 4 * i, 4);
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << i;
      float slow = 0;
      store_scalar(native, load_scalar(type, all.data() + 2 * i),
                   reinterpret_cast<std::byte*>(&slow));
      ASSERT_TRUE(a == slow || (std::isnan(a) && std::isnan(slow))) << i;
    }
  }
}

std::string text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ConversionTest, Strings) {
  const auto to = [](std::string_view in, StringPadding from, std::size_t size, StringPadding pad) {
    return text(converted(Datatype::string(in.size(), from), std::as_bytes(std::span(in)),
                          Datatype::string(size, pad)));
  };
  using P = StringPadding;
  using namespace std::string_literals;
  EXPECT_EQ(to("ab\0xy"s, P::null_terminated, 4, P::null_padded), "ab\0\0"s);
  EXPECT_EQ(to("abcde", P::null_padded, 3, P::null_padded), "abc");
  EXPECT_EQ(to("abcde", P::null_padded, 3, P::null_terminated), "ab\0"s);
  EXPECT_EQ(to("ab  ", P::space_padded, 3, P::null_padded), "ab\0"s);
  EXPECT_EQ(to("ab\0\0"s, P::null_padded, 5, P::space_padded), "ab   ");
}

TEST(ConversionTest, CompoundsGoByName) {
  const Datatype stored =
      Datatype::compound(14, {{"a", 0, Datatype::integer(2, true, ByteOrder::big)},
                              {"b", 2, Datatype::array(Datatype::floating(4, ByteOrder::big), {2})},
                              {"c", 10, Datatype::of<std::int32_t>()}});
  const Datatype memory =
      Datatype::compound(25, {{"b", 0, Datatype::array(Datatype::of<double>(), {2})},
                              {"none", 16, Datatype::of<std::int8_t>()},
                              {"a", 17, Datatype::of<std::int64_t>()}});
  std::vector<std::byte> in;
  for (const int b : {0xff, 0xfe, 0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0, 1, 2, 3, 4})
    in.push_back(static_cast<std::byte>(b));
  const auto out = converted(stored, in, memory);
  double b[2];
  std::int64_t a = 0;
  std::memcpy(b, out.data(), 16);
  std::memcpy(&a, out.data() + 17, 8);
  EXPECT_EQ(b[0], 1.0);
  EXPECT_EQ(b[1], -2.0);
  EXPECT_EQ(a, -2);
  EXPECT_EQ(out[16], std::byte{0xee}) << "a member that is not stored is left alone";
  EXPECT_FALSE(Conversion(stored, memory, "d").is_complete());
}

TEST(ConversionTest, EnumerationsAreTheirBase) {
  const Datatype base = Datatype::integer(2, true, ByteOrder::big);
  const Datatype colors = Datatype::enumeration(base, {{"red", 1}, {"blue", 2}});
  const std::vector<std::byte> in{std::byte{0}, std::byte{2}};
  EXPECT_EQ(converted(colors, in, Datatype::of<std::int8_t>())[0], std::byte{2});
}

TEST(ConversionTest, WhatThereIsNoConversionFor) {
  const Datatype i4 = Datatype::of<int>();
  const std::pair<Datatype, Datatype> pairs[] = {
      {i4, Datatype::string(4)},
      {Datatype::string(4), i4},
      {Datatype::opaque(4), i4},
      {i4, Datatype::bitfield(4)},
      {Datatype::reference(), Datatype::of<long>()},
      {Datatype::array(i4, {2}), Datatype::array(i4, {3})},
      {Datatype::sequence(i4), Datatype::sequence(Datatype::of<long>())},
      {Datatype::integer(32, true), i4},
      {Datatype::enumeration(i4, {{"a", 1}}), Datatype::enumeration(i4, {{"b", 1}})},
  };
  for (const auto& [from, to] : pairs) {
    const Error error = thrown_by([&, f = from, t = to] { Conversion(f, t, "f.h5: /d"); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(
        std::string(error.what()).rfind("f.h5: /d: datatype: there is no conversion from ", 0), 0U)
        << error.what();
  }
}

}  // namespace
}  // namespace onecast::types
