#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hdf5/column_plan.hpp"
#include "onecast/events/outputer.hpp"

/// Encodes events as arrays of columns, in the lanes' threads.
namespace onecast::events::hdf5 {

using SharedBytes = std::shared_ptr<std::vector<std::byte>>;

/// What all ranks must know of a batch.
struct ColumnsShape {
  std::uint64_t events = 0;
  bool is_ascending = true;
  Identity first, last;
  /// True if the columns of the identity agree with the events' identities.
  bool has_identities = true;
  /// The shape of one column.
  struct Column {
    std::uint64_t elements = 0;
    std::uint64_t like = 0;  ///< the first column whose lists have equal offsets
    bool is_text = true;     ///< false if it may not be text, as some bytes are not UTF-8
  };
  std::vector<Column> columns{};

  [[nodiscard]] std::vector<std::uint64_t> as_numbers() const;
  static ColumnsShape from_numbers(std::span<const std::uint64_t> numbers);
};

struct ColumnsBatch : EncodedBatch {
  ColumnsShape shape;
  /// The numbers of each column: the elements as they are stored.
  std::vector<std::vector<SharedBytes>> numbers;
  /// The end of each event, in elements, for each column with offsets that differ from those of all
  /// columns before it, and for each column with missing numbers.
  std::vector<std::vector<std::uint64_t>> ends;
};

/// Throws Error (format) that begins with `where` and names event and product if the bytes are not
/// whole elements, or if there are several numbers where one is expected.
void require_elements(const ColumnPlan& plan, const Event& event, const std::string& where);

std::unique_ptr<ColumnsBatch> encode_columns(const ColumnPlan& plan, const Batch& batch);

}  // namespace onecast::events::hdf5
