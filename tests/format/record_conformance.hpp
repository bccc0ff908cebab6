#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "bytes.hpp"
#include "format/record.hpp"
#include "onecast/base/error.hpp"

/// Checks that every on-disk record must pass, for sample values. A test file contains
///
///     template <>
///     struct onecast::Samples<BogusMessage> {
///       static std::vector<BogusMessage> values(const FileContext&) { return {{}}; }
///     };
///     INSTANTIATE_TYPED_TEST_SUITE_P(Objects, RecordConformance, testing::Types<BogusMessage,
///     ...>);
///
/// The samples are run with several sizes of offsets and lengths, so addresses and lengths in them
/// must fit into 4 bytes. Views in them must outlive the test (string literals, statics). A record
/// that needs context from an outer record has `R context() const`, which returns a fresh record
/// with only the context members. A record that ends in "all bytes that are left" says so by
/// `static constexpr bool kOpenEnded = true`: it may decode when cut short.
namespace onecast::format {

template <class R>
struct Samples;

inline const FileContext kSampleFiles[] = {{"sample-8-8.h5", 8, 8},
                                           {"sample-4-4.h5", 4, 4},
                                           {"sample-8-4.h5", 8, 4},
                                           {"sample-4-8.h5", 4, 8}};

template <class R>
R blank(const R& sample) {
  if constexpr (requires { sample.context(); }) {
    return sample.context();
  } else {
    return R{};
  }
}

/// Decodes from a copy of the exact size, so that a sanitizer sees every read outside. Views in the
/// result point into `copy`, which the caller keeps.
template <class R>
R decode_exact(ByteView bytes, const R& sample, const FileContext& file,
               std::unique_ptr<std::byte[]>& copy) {
  copy = std::make_unique<std::byte[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  ByteReader in(ByteView(copy.get(), bytes.size()), Address{0x1000}, file);
  R value = blank(sample);
  decode_into(in, value);
  return value;
}

/// Returns true if the bytes decode, false if an Error refuses them; anything else is a defect.
/// What decodes must encode again.
template <class R>
bool decodes_or_errs(ByteView bytes, const R& sample, const FileContext& file) {
  std::unique_ptr<std::byte[]> copy;
  try {
    const R value = decode_exact(bytes, sample, file, copy);
    encoded(file, value);
    describe(file, value);
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported);
    EXPECT_NE(std::strstr(error.what(), file.name.c_str()), nullptr) << error.what();
    return false;
  }
}

template <class R>
bool has_checksum(const FileContext& file, const R& value) {
  const auto rows = describe(file, value);
  return !rows.empty() && rows.back().value == "lookup3";
}

template <class R>
class RecordConformance : public testing::Test {
 protected:
  template <class F>
  void for_each_sample(F&& test) {
    for (const FileContext& file : kSampleFiles) {
      std::size_t index = 0;
      for (const R& sample : Samples<R>::values(file)) {
        SCOPED_TRACE(testing::Message()
                     << R::kTitle << ", sample " << index++ << " of " << file.name);
        test(file, sample, encoded(file, sample));
      }
      EXPECT_GT(index, 0U);
    }
  }

  static constexpr bool open_ended() {
    if constexpr (requires { R::kOpenEnded; }) {
      return R::kOpenEnded;
    } else {
      return false;
    }
  }
};

TYPED_TEST_SUITE_P(RecordConformance);

TYPED_TEST_P(RecordConformance, RoundTrip) {
  this->for_each_sample([](const FileContext& file, const auto& sample, const auto& bytes) {
    std::unique_ptr<std::byte[]> copy;
    const auto decoded = decode_exact(ByteView(bytes), sample, file, copy);
    EXPECT_EQ(encoded(file, decoded), bytes);
  });
}

TYPED_TEST_P(RecordConformance, DescribeCoversEveryByte) {
  this->for_each_sample([](const FileContext& file, const auto& sample, const auto& bytes) {
    std::size_t end = 0;
    for (const FieldDescription& row : describe(file, sample)) {
      EXPECT_EQ(row.offset, end) << row.name;
      EXPECT_FALSE(row.name.empty());
      end = row.offset + row.size;
    }
    EXPECT_EQ(end, bytes.size());
  });
}

TYPED_TEST_P(RecordConformance, TruncationIsAnError) {
  this->for_each_sample([](const FileContext& file, const auto& sample, const auto& bytes) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const bool decoded = decodes_or_errs(ByteView(bytes).first(size), sample, file);
      EXPECT_TRUE(!decoded || TestFixture::open_ended()) << "decodes from " << size << " bytes";
    }
  });
}

TYPED_TEST_P(RecordConformance, DamageIsAnErrorOrAValue) {
  this->for_each_sample([](const FileContext& file, const auto& sample, auto bytes) {
    const bool checked = has_checksum(file, sample);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::byte original = bytes[i];
      for (unsigned flip = 0; flip < 10; ++flip) {
        const unsigned changed =
            flip < 8 ? std::to_integer<unsigned>(original) ^ 1U << flip : (flip == 8 ? 0xffU : 0U);
        bytes[i] = static_cast<std::byte>(changed);
        if (bytes[i] == original) continue;
        const bool decoded = decodes_or_errs(ByteView(bytes), sample, file);
        EXPECT_FALSE(decoded && checked) << "the checksum misses a change at byte " << i;
      }
      bytes[i] = original;
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(RecordConformance, RoundTrip, DescribeCoversEveryByte,
                            TruncationIsAnError, DamageIsAnErrorOrAValue);

}  // namespace onecast::format
