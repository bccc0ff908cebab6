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

enum class Layout : std::uint8_t { compact, contiguous, chunked, other };

/// How a dataset is stored; see Group::create_dataset.
struct DatasetOptions {
  /// Absent: compact if it fits the file's compact_limit, else contiguous. Only those two can be
  /// created; compact datasets hold at most 64 KiB less their header.
  std::optional<Layout> layout;
};

/// A typed array in the file.
///
/// read/write are @independent: they do not communicate, any rank may call them at any time.
/// read_all/write_all are @collective: all ranks call them, each with its own part or none (a
/// hyperslab with a count of 0), and either all succeed or all throw the same Error.
/// Elements lie in C order in memory, contiguous, one per element selected.
class Dataset : public Object {
 public:
  /// @independent, as are all that follow up to read
  [[nodiscard]] Datatype datatype() const;
  [[nodiscard]] Dataspace dataspace() const;
  [[nodiscard]] Shape shape() const { return dataspace().shape(); }
  [[nodiscard]] std::uint64_t element_count() const;
  [[nodiscard]] Layout layout() const;
  /// Elements per chunk in each dimension; empty unless chunked.
  [[nodiscard]] Shape chunk_shape() const;

  /// Reads into `out`: exactly the selected elements, of type `memory_type` (default: the stored
  /// type). Throws invalid_argument if the size is wrong, the selection leaves the array, or the
  /// types differ in more than byte order. @independent
  void read(std::span<std::byte> out, const std::optional<Hyperslab>& part = {},
            const std::optional<Datatype>& memory_type = {}) const;
  /// The same, together. Equal selections are read once and broadcast. @collective @local
  void read_all(std::span<std::byte> out, const std::optional<Hyperslab>& part = {},
                const std::optional<Datatype>& memory_type = {}) const;

  /// Writes the selected elements. To a compact dataset: every rank sees other ranks' elements after
  /// the next flush. @independent
  void write(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part = {},
             const std::optional<Datatype>& memory_type = {});
  /// The same, together. @collective @local
  void write_all(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part = {},
                 const std::optional<Datatype>& memory_type = {});
  /// All ranks write the same bytes: they go to the file once, without communication; flush compares
  /// them. @collective @same; does not communicate
  void write_equal(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part = {},
                   const std::optional<Datatype>& memory_type = {});

  /// The whole dataset as T.
  template <class T>
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(static_cast<std::size_t>(element_count()));
    read(std::as_writable_bytes(std::span(values)), {}, Datatype::of<T>());
    return values;
  }
  template <class T>
  [[nodiscard]] std::vector<T> read_all() const {
    std::vector<T> values(static_cast<std::size_t>(element_count()));
    read_all(std::as_writable_bytes(std::span(values)), {}, Datatype::of<T>());
    return values;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void write(const std::vector<T>& values, const std::optional<Hyperslab>& part = {}) {
    write(std::as_bytes(std::span(values)), part, Datatype::of<T>());
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void write_all(const std::vector<T>& values, const std::optional<Hyperslab>& part = {}) {
    write_all(std::as_bytes(std::span(values)), part, Datatype::of<T>());
  }

  /// Strings of fixed or variable length, without padding. @independent
  [[nodiscard]] std::vector<std::string> read_strings() const;

 private:
  friend class Group;
  explicit Dataset(std::shared_ptr<Node> node) : Object(std::move(node)) {}
};

}  // namespace onecast
