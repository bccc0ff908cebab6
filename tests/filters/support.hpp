#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filters/filters.hpp"
#include "onecast/base/error.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

/// The common part of the filter tests.
namespace onecast::test {

using namespace filters;

using Bytes = std::vector<std::byte>;

inline const std::string kWhere = "a.h5: address 0x800: chunk (0)";

inline FilterSpec filter(std::uint16_t id, std::vector<std::uint32_t> client_data = {}) {
  return {id, false, "", std::move(client_data)};
}

/// Decodes in both ways, whose results must be equal.
inline Bytes decoded(const std::vector<FilterSpec>& pipeline, const Bytes& chunk, std::size_t size,
                     std::uint32_t mask = 0) {
  Bytes in_place = chunk;
  decode_chunk(pipeline, mask, in_place, size, kWhere);
  Bytes out(in_place.size());
  decode_chunk(pipeline, mask, chunk, out, kWhere);
  EXPECT_EQ(out, in_place);
  return in_place;
}

/// Returns the Error of decoding, whose text always begins with the place.
inline Error refusal(const std::vector<FilterSpec>& pipeline, const Bytes& chunk, std::size_t size,
                     std::uint32_t mask = 0) {
  Error error = thrown_by([&] { decoded(pipeline, chunk, size, mask); });
  EXPECT_EQ(std::string(error.what()).rfind(kWhere + ": ", 0), 0U) << error.what();
  return error;
}

inline bool mentions(const Error& error, std::string_view text) {
  return std::string_view(error.what()).find(text) != std::string_view::npos;
}

Bytes hex(std::string_view digits);
Bytes ones(std::size_t size);

/// A chunk as another program stored it; see make_oracle.py.
struct OracleCase {
  struct Filter {
    std::uint16_t id;
    std::vector<std::uint32_t> client_data;
  };

  const char* name;
  Bytes data;
  std::vector<Filter> filters;
  std::string_view digits;  ///< hexadecimal digits of the chunk

  [[nodiscard]] std::vector<FilterSpec> pipeline() const {
    std::vector<FilterSpec> specs;
    for (const Filter& f : filters) specs.push_back(filter(f.id, f.client_data));
    return specs;
  }
  [[nodiscard]] Bytes chunk() const { return hex(digits); }
};

const std::vector<OracleCase>& oracle();

}  // namespace onecast::test
