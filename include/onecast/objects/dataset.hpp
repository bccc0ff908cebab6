#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onecast/objects/object.hpp"

namespace onecast {

/// Where the elements lie: in the dataset's header, in one piece, in chunks, or in a way that
/// Onecast cannot read (a newer chunk index, virtual, in external files).
enum class Layout : std::uint8_t { compact, contiguous, chunked, other };

/// How a dataset is stored; see Group::create_dataset.
struct DatasetOptions {
  /// Absent: compact if it fits the file's compact_limit, else contiguous. Only those two can be
  /// created; compact datasets hold at most 64,000 bytes.
  std::optional<Layout> layout;
};

/// A typed array in the file.
///
/// read/write are @independent: they do not communicate, any rank may call them at any time.
/// read_all/write_all are @collective: all ranks call them, each with its own part or none (a
/// hyperslab with a count of 0), and either all succeed or all throw the same Error. In memory the
/// selected elements lie in C order, one after the other. `part` absent: all elements.
/// `memory_type` absent: the stored type; else it may differ from that in byte order only.
///
/// All throw Error: invalid_argument (a buffer of another size than the part, a part that leaves
/// the array or has overlapping blocks, another type), io, state (closed; for writing: read-only),
/// unsupported (a layout or filter that cannot be read; writing to chunks or to variable-length
/// strings), format (damaged).
class Dataset : public Object {
 public:
  /// What it holds. They throw Error (format, unsupported) if the header is damaged or not
  /// understood. @independent, as are all that follow up to read
  [[nodiscard]] Datatype datatype() const;
  [[nodiscard]] Dataspace dataspace() const;
  [[nodiscard]] Shape shape() const { return dataspace().shape(); }
  [[nodiscard]] std::uint64_t element_count() const;
  [[nodiscard]] Layout layout() const;
  /// Elements per chunk in each dimension; empty unless chunked.
  [[nodiscard]] Shape chunk_shape() const;

  /// Reads the part into `out`, which has exactly its size in bytes. What nobody wrote is the fill
  /// value or zeros. @independent
  void read(std::span<std::byte> out, const std::optional<Hyperslab>& part = {},
            const std::optional<Datatype>& memory_type = {}) const;
  /// The same, together. Where all ranks ask for the same part of the same dataset, one process
  /// reads it and all hear it; else each reads its own. @collective @local
  void read_all(std::span<std::byte> out, const std::optional<Hyperslab>& part = {},
                const std::optional<Datatype>& memory_type = {}) const;

  /// Writes the part. Of a compact dataset other ranks see it after the next flush, which makes the
  /// changes of all ranks in the order of the ranks. @independent
  void write(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part = {},
             const std::optional<Datatype>& memory_type = {});
  /// The same, together, on the same dataset. Each rank writes its own part; of a compact dataset
  /// all see all parts afterwards, the highest rank's where they overlap. @collective @local
  void write_all(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part = {},
                 const std::optional<Datatype>& memory_type = {});
  /// All ranks write the same bytes: rank 0 writes them, without communication, and flush compares
  /// them. An error of rank 0 is thrown by flush. @collective @same; does not communicate
  void write_equal(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part = {},
                   const std::optional<Datatype>& memory_type = {});

  /// The whole dataset as T, element_count() of them. @independent
  template <class T>
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(stored_count(Datatype::of<T>()));
    read(std::as_writable_bytes(std::span(values)), {}, Datatype::of<T>());
    return values;
  }
  /// The same, together. @collective
  template <class T>
  [[nodiscard]] std::vector<T> read_all() const {
    std::vector<T> values(stored_count(Datatype::of<T>()));
    read_all(std::as_writable_bytes(std::span(values)), {}, Datatype::of<T>());
    return values;
  }
  /// `values`: one for each element of the part. @independent
  template <class T>
    requires std::is_arithmetic_v<T>
  void write(const std::vector<T>& values, const std::optional<Hyperslab>& part = {}) {
    write(std::as_bytes(std::span(values)), part, Datatype::of<T>());
  }
  /// The same, together. @collective @local
  template <class T>
    requires std::is_arithmetic_v<T>
  void write_all(const std::vector<T>& values, const std::optional<Hyperslab>& part = {}) {
    write_all(std::as_bytes(std::span(values)), part, Datatype::of<T>());
  }

  /// All elements, strings of fixed or variable length, without padding. Throws Error
  /// (invalid_argument) if the type is no string. @independent
  [[nodiscard]] std::vector<std::string> read_strings() const;

 private:
  friend class Group;
  explicit Dataset(std::shared_ptr<Node> node) : Object(std::move(node)) {}
  /// element_count(), after checking, before memory is taken for them, that so many elements of
  /// this type can be in the file.
  [[nodiscard]] std::size_t stored_count(const Datatype& memory_type) const;
};

}  // namespace onecast
