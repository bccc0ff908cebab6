#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hdf5/event_run.hpp"
#include "onecast/objects/group.hpp"

/// Reads of files that are not to be trusted: what they lack is an Error (format) that names it.
namespace onecast::events::hdf5 {

[[noreturn]] void fail_format(const Object& where, const std::string& what);

/// The dataset of that name; throws Error (format) if there is none.
Dataset need_dataset(const Group& group, const std::string& path);
/// An attribute that is a text, or that is one number.
std::string text_attribute(const Object& object, const char* name);
std::int64_t number_attribute(const Object& object, const char* name);
/// All texts of a one-dimensional dataset.
std::vector<std::string> texts_of(const Dataset& dataset);

/// Bytes that a dataset may have: chunks that nobody wrote take no space in the file, so that it
/// can say that it has any size.
std::uint64_t most_bytes(const Dataset& dataset);
/// Throws Error (format) if it says that it has more.
void require_stored(const Dataset& dataset);

/// Numbers of a table: rows of `width` numbers, or of one where the dataset has one dimension.
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
  /// Bytes [start, end). Throws Error (format) that begins with the row if they are not there.
  void read(std::uint64_t start, std::uint64_t end, std::vector<std::byte>& out,
            const std::string& row) const;
  /// Reads them to out[at, ...), which grows if it has to. Returns where they end.
  std::uint64_t read_to(std::vector<std::byte>& out, std::uint64_t at, std::uint64_t start,
                        std::uint64_t end, const std::string& row) const;

  /// From now on chunks can be read as they are stored. A dataset without chunks is an Error
  /// (format).
  void decode_later();
  /// Where the byte lies in its chunk.
  [[nodiscard]] std::uint64_t place_in_chunk(std::uint64_t start) const {
    return start % decoder_->chunk_bytes();
  }
  /// Reads the chunks with bytes [start, end), behind those that become the first `at` unpacked
  /// bytes. Returns where they will end. Throws as read().
  std::uint64_t read_chunks(EventRun& run, std::uint64_t at, std::uint64_t start, std::uint64_t end,
                            const std::string& row) const;

 private:
  void check(std::uint64_t at, std::uint64_t start, std::uint64_t end,
             const std::string& row) const;

  Dataset dataset_;
  std::optional<ChunkDecoder> decoder_;
  std::uint64_t size_ = 0;     ///< bytes
  std::uint64_t element_ = 1;  ///< bytes of an element
  std::uint64_t most_ = 0;     ///< that may be there at once
};

}  // namespace onecast::events::hdf5
