#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hdf5/event_run.hpp"
#include "onecast/objects/group.hpp"

/// Reads files that are not trusted: whatever is missing is an Error (format) that names it.
namespace onecast::events::hdf5 {

[[noreturn]] void throw_format(const Object& where, const std::string& what);
/// Throws with what fmt::format makes of these arguments.
template <class... Arguments>
[[noreturn]] void fail_format(const Object& where, fmt::format_string<Arguments...> what,
                              Arguments&&... arguments) {
  throw_format(where, fmt::format(what, std::forward<Arguments>(arguments)...));
}

/// Returns the dataset of that name; throws Error (format) if there is none.
Dataset need_dataset(const Group& group, const std::string& path);
/// Reads an attribute that is a text, or one number.
std::string text_attribute(const Object& object, const char* name);
std::int64_t number_attribute(const Object& object, const char* name);
/// Returns all texts of a one-dimensional dataset.
std::vector<std::string> texts_of(const Dataset& dataset);

/// Returns the largest plausible size of a dataset. Chunks that were never written take no space in
/// the file, so the file can claim any size.
std::uint64_t most_bytes(const Dataset& dataset);
/// Throws Error (format) if the dataset claims a larger size.
void require_stored(const Dataset& dataset);

/// A table of numbers: rows of `width` numbers, or of one number if the dataset has one dimension.
class NumberTable {
 public:
  NumberTable() = default;
  NumberTable(Dataset dataset, std::uint64_t width);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] const Dataset& dataset() const { return dataset_; }
  [[nodiscard]] std::vector<std::uint64_t> read(std::uint64_t first, std::uint64_t rows) const;

 private:
  Dataset dataset_;
  std::uint64_t rows_ = 0;
};

/// A one-dimensional dataset of bytes, or of elements that are read as their bytes.
class ByteTable {
 public:
  ByteTable() = default;
  explicit ByteTable(Dataset dataset);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const Dataset& dataset() const { return dataset_; }
  /// Reads bytes [start, end). Throws Error (format) that begins with `row` if they do not exist.
  void read(std::uint64_t start, std::uint64_t end, std::vector<std::byte>& out,
            const std::string& row) const;
  /// Reads them to out[at, ...), which grows if necessary. Returns the end of the bytes in `out`.
  std::uint64_t read_to(std::vector<std::byte>& out, std::uint64_t at, std::uint64_t start,
                        std::uint64_t end, const std::string& row) const;

  /// From this call on, chunks can be read as they are stored. Throws Error (format) if the dataset
  /// is not chunked.
  void decode_later();
  /// Returns the position of the byte in its chunk.
  [[nodiscard]] std::uint64_t position_in_chunk(std::uint64_t start) const {
    return start % decoder_->chunk_bytes();
  }
  /// Reads the chunks with bytes [start, end), which are unpacked after the first `at` bytes.
  /// Returns where they will end. Throws as read().
  std::uint64_t read_chunks(EventRun& run, std::uint64_t at, std::uint64_t start, std::uint64_t end,
                            const std::string& row) const;

 private:
  void check(std::uint64_t at, std::uint64_t start, std::uint64_t end,
             const std::string& row) const;

  Dataset dataset_;
  std::optional<ChunkDecoder> decoder_;
  std::uint64_t size_ = 0;     ///< bytes
  std::uint64_t element_ = 1;  ///< bytes of an element
  std::uint64_t most_ = 0;     ///< bytes that may be read at once
};

}  // namespace onecast::events::hdf5
