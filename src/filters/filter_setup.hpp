#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/filters/filter.hpp"
#include "onecast/filters/known_filters.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::filters {

/// The properties of a new dataset that filters need.
struct FilteredDataset {
  const Datatype& type;
  const Shape& chunk;  ///< the shape of a chunk, in elements
  /// One element in `type`; empty: zeros, the default; absent: unwritten elements are undefined.
  std::optional<std::span<const std::byte>> fill_value = std::span<const std::byte>{};
};

using ClientData = std::vector<std::uint32_t>;

/// The input from which a filter makes its client data: the user's values and the dataset.
class FilterSetup {
 public:
  /// `name` is the filter's name, for errors.
  FilterSetup(const Filter& filter, std::string_view name, const FilteredDataset& dataset,
              const std::string& where)
      : filter_(filter), name_(name), dataset_(dataset), where_(where) {}

  /// The user's values.
  [[nodiscard]] const ClientData& given() const { return filter_.client_data; }
  [[nodiscard]] const FilteredDataset& dataset() const { return dataset_; }
  [[nodiscard]] const Datatype& type() const { return dataset_.type; }

  /// Throws Error (invalid_argument): "where: filter NAME: what".
  [[noreturn]] void fail(std::string_view what) const;
  /// Fails if the user gave more than `count` values.
  void expect_at_most(std::size_t count) const;
  /// The user's value, or the default; fails if it is out of range.
  [[nodiscard]] std::uint32_t value(const FilterParameter& parameter) const;

  /// Converts a count for the client data; fails if it needs more than 32 bits.
  [[nodiscard]] std::uint32_t narrow(std::uint64_t count, std::string_view what) const;
  [[nodiscard]] std::uint32_t element_bytes() const;
  [[nodiscard]] std::uint64_t chunk_elements() const;
  [[nodiscard]] std::uint32_t chunk_bytes() const;
  /// 0: little-endian, 1: big-endian.
  [[nodiscard]] std::uint32_t byte_order(const Datatype& number) const;

 private:
  const Filter& filter_;
  std::string_view name_;
  const FilteredDataset& dataset_;
  const std::string& where_;
};

}  // namespace onecast::filters
