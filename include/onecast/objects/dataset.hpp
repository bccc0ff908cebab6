#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onecast/filters/filter.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/pending.hpp"
#include "onecast/space/selection.hpp"

namespace onecast {

/// Where the elements lie: in the dataset's header, in one piece, in chunks, in files that are not
/// HDF5, or in other datasets.
enum class Layout : std::uint8_t { compact, contiguous, chunked, external, virtual_dataset };

/// Bytes of another file that hold elements; see Dataset::external_slots.
struct ExternalSlot {
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  std::string file;  ///< as it is named
  std::uint64_t offset;
  std::uint64_t size;  ///< kUnlimited: up to the end of the dataset
};

/// Elements of a virtual dataset that are those of another; see Dataset::virtual_mappings. The
/// first element of `mapped` is the first of `source`, and so on. An unlimited `mapped` with a
/// source that is not stands for many sources: the n-th block, from 0, is the dataset in whose
/// names %b is n.
struct VirtualMapping {
  std::string file;     ///< as it is named; "." is the file of the virtual dataset
  std::string dataset;  ///< its path
  Selection source;     ///< in that dataset
  Selection mapped;     ///< in the virtual dataset
};

/// How a dataset is stored; see Group::create_dataset.
struct DatasetOptions {
  /// Absent: external or virtual if there are slots or sources, chunked if there is a chunk,
  /// compact if it fits the file's compact_limit, else contiguous. Compact datasets hold at most
  /// 64,000 bytes.
  std::optional<Layout> layout = {};
  /// Elements per chunk in each dimension: at most as many as the dataset may ever have there, and
  /// less than 4 GiB in all. Only chunked datasets can be filtered and grow.
  Shape chunk = {};
  /// What each chunk passes through, in this order.
  std::vector<Filter> filters = {};
  /// One element, in the dataset's type: the value of those that nobody wrote. Absent: zeros.
  std::optional<std::vector<std::byte>> fill_value = {};
  /// Of an external one: where its elements lie, as Dataset::external_slots says. A file that is at
  /// none of these places is made, when it is written to, in the folder of HDF5_EXTFILE_PREFIX or
  /// at its name as it stands. Not for values of variable length.
  std::vector<ExternalSlot> external = {};
  /// Of a virtual one: what it consists of. It is not written to, but its sources are.
  std::vector<VirtualMapping> sources = {};
  /// A committed datatype of the file, equal to the type that the dataset is created with: it then
  /// refers to that. Not inside independent().
  std::optional<Object> committed_type = {};
};

/// A typed array in the file.
///
/// read/write are @independent: they do not communicate, any rank may call them at any time.
/// read_all/write_all are @collective: all ranks call them, each with its own part or none
/// (Selection::none()), and either all succeed or all throw the same Error. `part` absent: all
/// elements. In memory the selected elements lie in C order, points in theirs, one after the other;
/// or, with a `layout`, where its selection says, and as many as it says.
/// `memory_type` absent: the stored type; else values are converted, as HDF5 converts: numbers to
/// any number (out of range: the nearest value, infinity for floats; fractions cut off; NaN becomes
/// the integer 0), strings of fixed length to other lengths and paddings, arrays and enumerations
/// by their base, compounds by the names of their members: those that the target lacks are left
/// out, and those that only it has keep what they had, in memory as in the file (writing, what is
/// there is read for that).
///
/// All throw Error: invalid_argument (a buffer of another size than the part, a part that leaves
/// the array or has overlapping blocks, a type there is no conversion to), io, state (closed; for
/// writing: read-only), unsupported (a layout or filter that cannot be read; writing to
/// virtual datasets), format (damaged).
class Dataset : public Object {
 public:
  /// What it holds; it lives as long as any handle of the file, and resize changes it. They throw
  /// Error (format, unsupported) if the header is damaged or not understood. @independent, as are
  /// all that follow up to read
  [[nodiscard]] const Datatype& datatype() const;
  [[nodiscard]] const Dataspace& dataspace() const;
  [[nodiscard]] const Shape& shape() const { return dataspace().shape(); }
  [[nodiscard]] std::uint64_t element_count() const;
  [[nodiscard]] Layout layout() const;
  /// Elements per chunk in each dimension; empty unless chunked.
  [[nodiscard]] Shape chunk_shape() const;
  /// Where the elements lie, one slot behind the other; empty unless in external files. Files are
  /// looked for in the folder of the environment variable HDF5_EXTFILE_PREFIX, at their name as it
  /// stands, and beside the file.
  [[nodiscard]] std::vector<ExternalSlot> external_slots() const;
  /// What a virtual dataset consists of; empty of all others. Files are looked for as those of
  /// links are, but in the folders of HDF5_VDS_PREFIX. What no mapping and no source has is the
  /// fill value. Where mappings are unlimited, the shape is as large as the sources are when it is
  /// first asked for; or as it was stored, if the option follow_external is off.
  [[nodiscard]] std::vector<VirtualMapping> virtual_mappings() const;

  /// What leads to a part of it; see Object::reference. Throws Error (invalid_argument) if the part
  /// leaves the array.
  [[nodiscard]] Reference region_reference(const Selection& part) const;

  /// Reads the part into `out`, which has exactly its size in bytes. What nobody wrote is the fill
  /// value or zeros. @independent
  void read(std::span<std::byte> out, const Selection& part = {},
            const std::optional<Datatype>& memory_type = {}) const;
  /// The same into a part of `out`, an array of layout.shape(). @independent
  void read(std::span<std::byte> out, const MemoryLayout& layout, const Selection& part = {},
            const std::optional<Datatype>& memory_type = {}) const;
  /// The same, together; `sharing`, or the file's, tells how ranks that want the same part share
  /// one read. By default: where all do, one process reads it and all hear it; else each reads its
  /// own. Throws also Error (diverged) with Sharing::verify. @collective @local
  void read_all(std::span<std::byte> out, const Selection& part = {},
                const std::optional<Datatype>& memory_type = {},
                std::optional<Sharing> sharing = {}) const;
  void read_all(std::span<std::byte> out, const MemoryLayout& layout, const Selection& part = {},
                const std::optional<Datatype>& memory_type = {},
                std::optional<Sharing> sharing = {}) const;
  /// This rank cannot ask for its part: takes part in the read_all of the others, which throws
  /// `failure` on all ranks. @collective @local
  [[noreturn]] void fail_read_all(const std::exception_ptr& failure) const;

  /// Writes the part. Of a compact dataset other ranks see it after the next flush, or in a
  /// read_all, which make the changes of all ranks in the order of the ranks. So they do of
  /// filtered chunks, and of those that were never written before: until then this rank keeps them
  /// in memory, as they will be stored. Flush throws Error (diverged), naming both, if two ranks
  /// wrote to one filtered chunk; it then stays as it was, and all else is written. @independent
  void write(std::span<const std::byte> bytes, const Selection& part = {},
             const std::optional<Datatype>& memory_type = {});
  /// The same from a part of `bytes`, an array of layout.shape(). @independent
  void write(std::span<const std::byte> bytes, const MemoryLayout& layout,
             const Selection& part = {}, const std::optional<Datatype>& memory_type = {});
  /// The same, together, on the same dataset. Each rank writes its own part, and all see all parts
  /// afterwards. Where parts overlap, the highest rank's stays in a compact dataset and in filtered
  /// chunks, either elsewhere. Chunks are filtered by one of the ranks that have some of them.
  /// @collective @local
  void write_all(std::span<const std::byte> bytes, const Selection& part = {},
                 const std::optional<Datatype>& memory_type = {});
  void write_all(std::span<const std::byte> bytes, const MemoryLayout& layout,
                 const Selection& part = {}, const std::optional<Datatype>& memory_type = {});
  /// This rank has no elements to write: takes part in the write_all of the others, which throws
  /// `failure` on all ranks. @collective @local
  [[noreturn]] void fail_write_all(const std::exception_ptr& failure);
  /// All ranks write the same bytes: rank 0 writes them, without communication, and flush compares
  /// them, unless `sharing`, or the file's, says otherwise. An error of rank 0 is thrown by flush.
  /// Of chunked datasets other ranks see them after the next flush, or in a read_all, but for one
  /// that trusts. @collective @same; does not communicate
  void write_equal(std::span<const std::byte> bytes, const Selection& part = {},
                   const std::optional<Datatype>& memory_type = {},
                   std::optional<Sharing> sharing = {});

  /// The same three of elements that `values` made, in the stored type. What write() writes in a
  /// file with a communicator all see after the next flush or in a read_all, also this rank. Throw
  /// also Error (invalid_argument) if the elements are not those of `values`. @independent
  void write(std::span<const std::byte> elements, const Selection& part, const NewValues& values);
  /// @collective @local
  void write_all(std::span<const std::byte> elements, const Selection& part,
                 const NewValues& values);
  /// @collective @same; does not communicate
  void write_equal(std::span<const std::byte> elements, const Selection& part,
                   const NewValues& values, std::optional<Sharing> sharing = {});
  /// Strings of fixed or variable length, one for each element of the part. Throws Error
  /// (invalid_argument) if the type is no string or one is too long for it. @independent
  void write_strings(std::span<const std::string> texts, const Selection& part = {});
  /// The same, together. @collective @local
  void write_all_strings(std::span<const std::string> texts, const Selection& part = {});
  /// The same of all ranks alike, as write_equal does. @collective @same; does not communicate
  void write_equal_strings(std::span<const std::string> texts, const Selection& part = {});

  /// The same six, begun: what they do comes when those begun before are done, and their errors,
  /// wrong arguments included, when it is waited for. `out`, `bytes` and `elements` are Onecast's
  /// until then. @independent
  [[nodiscard]] Pending read_async(std::span<std::byte> out, const Selection& part = {},
                                   const std::optional<Datatype>& memory_type = {}) const;
  [[nodiscard]] Pending read_async(std::span<std::byte> out, const MemoryLayout& layout,
                                   const Selection& part = {},
                                   const std::optional<Datatype>& memory_type = {}) const;
  [[nodiscard]] Pending write_async(std::span<const std::byte> bytes, const Selection& part = {},
                                    const std::optional<Datatype>& memory_type = {});
  [[nodiscard]] Pending write_async(std::span<const std::byte> bytes, const MemoryLayout& layout,
                                    const Selection& part = {},
                                    const std::optional<Datatype>& memory_type = {});
  [[nodiscard]] Pending write_async(std::span<const std::byte> elements, const Selection& part,
                                    NewValues values);
  /// @collective @local
  [[nodiscard]] Pending read_all_async(std::span<std::byte> out, const Selection& part = {},
                                       const std::optional<Datatype>& memory_type = {},
                                       std::optional<Sharing> sharing = {}) const;
  [[nodiscard]] Pending read_all_async(std::span<std::byte> out, const MemoryLayout& layout,
                                       const Selection& part = {},
                                       const std::optional<Datatype>& memory_type = {},
                                       std::optional<Sharing> sharing = {}) const;
  [[nodiscard]] Pending write_all_async(std::span<const std::byte> bytes,
                                        const Selection& part = {},
                                        const std::optional<Datatype>& memory_type = {});
  [[nodiscard]] Pending write_all_async(std::span<const std::byte> bytes,
                                        const MemoryLayout& layout, const Selection& part = {},
                                        const std::optional<Datatype>& memory_type = {});
  [[nodiscard]] Pending write_all_async(std::span<const std::byte> elements, const Selection& part,
                                        NewValues values);
  /// This rank has nothing to begin, and all shall hear why, when they wait. @collective @local
  [[nodiscard]] Pending fail_read_all_async(std::exception_ptr failure) const;
  [[nodiscard]] Pending fail_write_all_async(std::exception_ptr failure);

  /// Changes the shape, within max_shape. What a smaller one leaves out is gone; what a larger one
  /// adds is the fill value. Throws Error: invalid_argument (another rank, beyond max_shape, not
  /// chunked), unsupported (a file whose structure cannot be changed), state. @collective @same;
  /// does not communicate
  void resize(const Shape& shape);

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
  void write(const std::vector<T>& values, const Selection& part = {}) {
    write(std::as_bytes(std::span(values)), part, Datatype::of<T>());
  }
  /// The same, together. @collective @local
  template <class T>
    requires std::is_arithmetic_v<T>
  void write_all(const std::vector<T>& values, const Selection& part = {}) {
    write_all(std::as_bytes(std::span(values)), part, Datatype::of<T>());
  }

  /// Strings of fixed or variable length, without padding. Throws Error (invalid_argument) if the
  /// type is no string. @independent
  [[nodiscard]] std::vector<std::string> read_strings(const Selection& part = {}) const;
  /// Elements as they are stored, for VariableValues. @independent
  [[nodiscard]] std::vector<std::byte> read_elements(const Selection& part = {}) const;

 private:
  friend class Group;
  explicit Dataset(Settled<Node> node) : Object(std::move(node)) {}
  // `memory` null: one element after the other.
  void read_alone(std::span<std::byte> out, const MemoryLayout* memory, const Selection& part,
                  const std::optional<Datatype>& memory_type) const;
  void write_alone(std::span<const std::byte> bytes, const MemoryLayout* memory,
                   const Selection& part, const std::optional<Datatype>& memory_type,
                   const NewValues& values = {});
  void write_equally(std::span<const std::byte> bytes, const Selection& part,
                     const std::optional<Datatype>& memory_type, const NewValues& values,
                     std::optional<Sharing> sharing);
  /// element_count(), after checking, before memory is taken for them, that so many elements of
  /// this type can be in the file.
  [[nodiscard]] std::size_t stored_count(const Datatype& memory_type) const;
};

}  // namespace onecast
