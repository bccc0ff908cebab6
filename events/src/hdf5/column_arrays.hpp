#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hdf5/column_array.hpp"
#include "hdf5/column_form.hpp"
#include "hdf5/encode_columns.hpp"

namespace onecast::events::hdf5 {

/// The options of stored columns.
struct ColumnStorage {
  Compression compression;
  std::uint64_t chunk_bytes = 0;
  std::optional<std::uint64_t> events = {};  ///< the expected number of events, for equal chunks
};

/// The stored arrays of the columns of a new file. All ranks make equal calls, without
/// communication.
class ColumnArrays {
 public:
  ColumnArrays(Group group, ColumnPlan plan, const ColumnStorage& storage);

  /// True if the batch has different offsets for lists whose offsets were equal until now.
  [[nodiscard]] bool parts_company(const ColumnsShape& shape) const;
  /// Gives such lists offsets of their own, before the batch is added and after all chunks are
  /// written. @param writes on one rank @return what keeps that rank from it
  std::exception_ptr part_company(const ColumnsShape& shape, bool writes);
  /// Adds a batch of a rank. @param mine on that rank
  void add(const ColumnsShape& shape, int rank, const ColumnsBatch* mine,
           std::vector<ChunkWork>& works);
  /// Adds the waiting elements of all arrays. @param owner the rank that writes them; none: `ranks`
  /// in turn
  void add_rest(std::optional<int> owner, int ranks, std::vector<ChunkWork>& works);

  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] ColumnArray& array(std::size_t number) { return *arrays_[number]; }
  [[nodiscard]] GroupTexts texts() const;
  /// Returns the array of a column with one number for each event.
  [[nodiscard]] ColumnArray& numbers_of(std::size_t column) {
    return *arrays_[numbers_[column].front()];
  }

  struct State {
    std::uint64_t events = 0;
    std::vector<ColumnArray::State> arrays;
    std::vector<std::optional<std::size_t>> places;
    std::vector<std::size_t> leaders;
    std::vector<StoredColumn> stored;
  };
  /// Returns the state, and forgets earlier ones.
  State state();
  /// Takes back what was added since the last state().
  void take_back(State before);

 private:
  void create(const ColumnsShape& shape);
  std::size_t add_array(std::string name, const Datatype& type, std::uint64_t elements,
                        std::uint64_t events);
  void become_option(std::size_t column);
  [[nodiscard]] std::vector<std::size_t> leaders_with(const ColumnsShape& shape) const;
  void add_places(std::size_t column, const ColumnsShape& shape, int rank, const ColumnsBatch* mine,
                  std::uint64_t base);

  Group group_;
  ColumnPlan plan_;
  ColumnStorage storage_;
  ArrayNames names_;
  std::vector<std::unique_ptr<ColumnArray>> arrays_;
  std::vector<std::vector<std::size_t>> numbers_;   ///< the arrays of numbers of each column
  std::vector<std::optional<std::size_t>> places_;  ///< each column's array of offsets or index
  std::vector<std::size_t>
      leaders_;  ///< the column that made the offsets of each column, or itself
  std::vector<StoredColumn> stored_;
  std::uint64_t events_ = 0;
};

}  // namespace onecast::events::hdf5
