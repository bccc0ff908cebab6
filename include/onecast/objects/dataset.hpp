#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onecast/filters/filter.hpp"
#include "onecast/objects/elements.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/pending.hpp"
#include "onecast/objects/transfer_request.hpp"
#include "onecast/space/selection.hpp"

namespace onecast {

/// The storage layout: in the dataset's header, in one piece (here or in files that are not HDF5,
/// see Dataset::external_slots), in chunks, or in other datasets.
enum class Layout : std::uint8_t { compact, contiguous, chunked, virtual_dataset };

/// The time at which unwritten elements get the fill value. Names and values are those of HDF5.
enum class FillTime : std::uint8_t { on_allocation, never, if_set };

/// The time at which other programs allocate the space of elements. Values are those of HDF5.
enum class AllocationTime : std::uint8_t { early = 1, late, incremental };

/// A range of bytes in another file that holds elements of a dataset; see Dataset::external_slots.
struct ExternalSlot {
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  std::string file;  ///< name as given
  std::uint64_t offset;
  std::uint64_t size;  ///< kUnlimited: up to the end of the dataset
};

/// Maps elements of a virtual dataset to elements of another dataset: the first element of `mapped`
/// to the first of `source`, and so on; see Dataset::virtual_mappings. An unlimited `mapped` with a
/// limited `source` stands for many sources: block n of `mapped`, counted from 0, is the dataset
/// whose names contain n in place of %b.
struct VirtualMapping {
  std::string file;     ///< name as given; "." is the file of the virtual dataset
  std::string dataset;  ///< the path of the source dataset
  Selection source;     ///< the elements of that dataset
  Selection mapped;     ///< the elements of the virtual dataset
};

/// The folders in which Onecast looks first for the files that a dataset names. They are not
/// stored. A leading "${ORIGIN}" is the folder of the HDF5 file. Names with an absolute path have
/// no prefix, and an environment variable takes precedence, as in the HDF5 library.
struct FilePrefixes {
  std::string external;  ///< for Dataset::external_slots; or HDF5_EXTFILE_PREFIX
  /// For the files of Dataset::virtual_mappings: folders, with ':' between them; or
  /// HDF5_VDS_PREFIX.
  std::string sources;

  friend bool operator==(const FilePrefixes&, const FilePrefixes&) = default;
};

/// The options for creating a dataset; see DatasetDescription.
struct DatasetOptions {
  /// Absent: contiguous if there are external slots, virtual if there are sources, chunked if there
  /// is a chunk, compact if the data fits the file's compact_limit, else contiguous. Compact
  /// datasets hold at most 64,000 bytes.
  std::optional<Layout> layout = {};
  /// Elements per chunk in each dimension: at most the maximum extent of the dataset, and less than
  /// 4 GiB in all. Only chunked datasets can have filters and be resized.
  Shape chunk = {};
  /// The filters that are applied to each chunk, in this order.
  std::vector<Filter> filters = {};
  /// The value of unwritten elements: one element of the dataset's type. Absent: zeros.
  std::optional<std::vector<std::byte>> fill_value = {};
  /// The fill time that the file stores for other programs. Onecast returns the fill value for
  /// unwritten elements in any case. Elements with values of variable length are always filled on
  /// allocation; FillTime::never is refused for them.
  FillTime fill_time = FillTime::if_set;
  /// The allocation time that the file stores for other programs. Onecast gives contiguous data its
  /// space at once, and chunks when they are written. Absent: incremental for chunks,
  /// early for other data.
  std::optional<AllocationTime> allocation_time = {};
  /// The slots in other files that hold the elements of a contiguous dataset; see
  /// Dataset::external_slots. A write creates a file that does not exist, in the first folder in
  /// which Onecast looks for it. Such a dataset cannot hold values of variable length. Empty: the
  /// elements are in this file.
  std::vector<ExternalSlot> external = {};
  /// The mappings of a virtual dataset. A virtual dataset cannot be written; its sources can.
  std::vector<VirtualMapping> sources = {};
  /// See Dataset::set_prefixes.
  std::optional<FilePrefixes> prefixes = {};
  /// A committed datatype of the file. It must equal the type with which the dataset is created.
  /// The dataset then refers to it. Not allowed in an independent section.
  std::optional<Object> committed_type = {};
  /// True: the dataset tracks the order in which its attributes are created.
  bool attribute_order = false;
  /// True: the dataset has times, see Object::times.
  bool times = false;
  DenseLimits dense_attributes = {};
};

/// A dataset to be created; see Group::create_dataset:
///
///     group.create_dataset("x", {.type = Datatype::of<float>(),
///                                .space = Dataspace({0, 3}, {Dataspace::kUnlimited, 3}),
///                                .options = {.chunk = {64, 3}}});
struct DatasetDescription {
  Datatype type;
  /// At most 32 dimensions. Only chunked datasets can have a max_shape.
  Dataspace space = {};
  /// Empty, or the whole value: space.element_count() elements in C order. Unless the dataset is
  /// compact, rank 0 writes it, and the next flush throws the error of that write. Without data,
  /// elements are zeros unless the options say otherwise.
  std::span<const std::byte> data = {};
  DatasetOptions options = {};
  /// The object that made the elements of `data`, and the fill value, if they stand for values of
  /// variable length or references.
  const NewValues* values = nullptr;
  /// The type of the elements of `data`. Absent: `type`.
  std::optional<Datatype> memory_type = {};
};

/// A dataset: a typed array in the file.
///
/// read and write are @independent: they do not communicate, and any rank may call them at any
/// time. read_all and write_all are @collective: all ranks call them, each with its own part or
/// none (Selection::none()); they succeed on all ranks or throw one Error on all. write_equal is
/// @replicated. A function whose name ends in _async only begins a call; see Pending.
///
/// Elements in memory are any contiguous range (std::vector, std::array, std::span, an array): of
/// numbers, which are converted from and to their C++ type; of structs, with a
/// TransferRequest::memory_type; of std::string, for strings of fixed and variable length, without
/// padding; or of std::byte, which has the stored type unless the request names another. A single
/// number or struct is one element; a single text can be written. The number of elements is that of
/// the part, or of TransferRequest::memory. read<T>() returns a std::vector of T. The request is a
/// TransferRequest, or a Selection alone:
///
///     const auto slice = dataset.read<double>(dataset.rows(0, 10));
///     dataset.write(particles, {.memory_type = particle_type});
///
/// Conversion follows HDF5: numbers to numbers (out of range: the nearest value, infinity for
/// floating-point types; fractions are cut off; NaN becomes the integer 0), strings of fixed length
/// to other lengths and paddings, arrays and enumerations by their base type, compounds by the
/// names of their members. Members that the target lacks are left out. Members that only the target
/// has keep their value, in memory as in the file (a write reads them first).
///
/// All functions throw Error: invalid_argument (memory of another size than the part, a part
/// outside of the array or with overlapping blocks, no conversion between the types), io, state
/// (closed; for writing: read-only), unsupported (a layout or filter that cannot be read; writing
/// to a virtual dataset), format (damaged).
class Dataset : public Object {
 public:
  /// Makes an empty handle: see Object.
  Dataset() = default;

  /// The type and the dataspace. The references are valid as long as any handle of the file exists;
  /// resize changes the dataspace. Throws Error (format, unsupported) if the header is damaged or
  /// unknown.
  /// @independent
  [[nodiscard]] const Datatype& datatype() const;
  [[nodiscard]] const Dataspace& dataspace() const;
  [[nodiscard]] const Shape& shape() const { return dataspace().shape(); }
  [[nodiscard]] std::uint64_t element_count() const;
  [[nodiscard]] Layout layout() const;
  /// Elements per chunk in each dimension; empty if the dataset is not chunked. @independent
  [[nodiscard]] Shape chunk_shape() const;
  /// The slots that hold the elements, in order; empty if the data is not in external files.
  /// Onecast looks for the files in the folder of FilePrefixes::external or of the environment
  /// variable HDF5_EXTFILE_PREFIX, at their name as stored, and in the folder of the HDF5 file.
  /// @independent
  [[nodiscard]] std::vector<ExternalSlot> external_slots() const;
  /// The mappings of a virtual dataset; empty for other datasets. Onecast looks for source files as
  /// for the files of external links, but with FilePrefixes::sources or HDF5_VDS_PREFIX. Elements
  /// without a mapping or without a source have the fill value. With unlimited mappings, the shape
  /// follows from the sources when it is first requested; it is the stored shape if the option
  /// follow_external is off. @independent
  [[nodiscard]] std::vector<VirtualMapping> virtual_mappings() const;

  /// Sets where Onecast looks for the files that the dataset names, for all handles of the dataset
  /// on this rank, as long as this handle or one that is made later exists. The shape of a virtual
  /// dataset with unlimited mappings is found anew. @independent
  void set_prefixes(FilePrefixes prefixes);

  /// The number of bytes that the elements take in the file, without values of variable length. For
  /// a chunked dataset these are the bytes of its chunks after the filters, including chunks that
  /// wait for the next flush on this rank; for external files, the bytes in these; for a virtual
  /// dataset, 0. @independent
  [[nodiscard]] std::uint64_t storage_size() const;

  /// Returns a reference to a part of the dataset; see Object::reference. Throws Error
  /// (invalid_argument) if the part is not inside the array. @replicated or @independent like
  /// reference()
  [[nodiscard]] Reference region_reference(const Selection& part) const;

  /// Selects rows [first, end): the elements whose first coordinate is in this range. Throws Error
  /// (invalid_argument) if the dataset has no such rows. @independent
  [[nodiscard]] Selection rows(std::uint64_t first, std::uint64_t end) const;

  /// Reads on this rank alone. Unwritten elements have the fill value, or zeros. @independent
  template <StayingElements Out, TransferArgument Request = TransferRequest>
  void read(Out&& out, const Request& request = {}) const {
    read_into(How::alone, out, request);
  }
  template <class T, TransferArgument Request = TransferRequest>
  [[nodiscard]] std::vector<T> read(const Request& request = {}) const {
    return read_new<T>(How::alone, request);
  }
  /// Reads in one collective call. By default, if all ranks want one part, rank 0 reads it and
  /// broadcasts it; otherwise each rank reads its own part. Also throws Error (diverged) with
  /// Sharing::verify. @collective @local
  template <StayingElements Out, TransferArgument Request = TransferRequest>
  void read_all(Out&& out, const Request& request = {}) const {
    read_into(How::together, out, request);
  }
  template <class T, TransferArgument Request = TransferRequest>
  [[nodiscard]] std::vector<T> read_all(const Request& request = {}) const {
    return read_new<T>(How::together, request);
  }

  /// Writes on this rank alone. Other ranks see data of a compact dataset, of filtered chunks and
  /// of new chunks after the next flush, or in a read_all. Until then this rank keeps the data in
  /// memory, and in a file with a communicator no rank, including this one, sees values of variable
  /// length. Changes of several ranks to a compact dataset are made in rank order. If two ranks
  /// wrote to one filtered chunk, the flush throws Error (diverged), which names both; the chunk
  /// stays unchanged, and all other data is written. @independent
  template <AnyElements In, TransferArgument Request = TransferRequest>
  void write(const In& elements, const Request& request = {}) {
    write_from(How::alone, elements, request);
  }
  /// Writes in one collective call. Afterwards all ranks see all parts. Where parts overlap, a
  /// compact dataset and filtered chunks get the value of the highest rank; other data gets the
  /// value of any of the ranks. A chunk is filtered by one of the ranks that have a part of it.
  /// @collective @local
  template <AnyElements In, TransferArgument Request = TransferRequest>
  void write_all(const In& elements, const Request& request = {}) {
    write_from(How::together, elements, request);
  }
  /// Writes elements that are equal on all ranks. Rank 0 writes them, without communication, and
  /// the next flush compares the elements of all ranks, unless `sharing` says otherwise. That flush
  /// throws an error of rank 0. Other ranks see elements of a chunked dataset after the next flush
  /// or in a read_all; with Sharing::trust only after the flush. @replicated
  template <AnyElements In, TransferArgument Request = TransferRequest>
  void write_equal(const In& elements, const Request& request = {}) {
    write_from(How::equally, elements, request);
  }

  /// Begins read or write. The call is made after all calls that were begun before it.
  /// Pending::wait() throws its errors, including invalid arguments. Until wait() returns, a read's
  /// memory must not be used and a write's memory must not be changed. Strings are not supported.
  /// @independent
  template <StayingElements Out, TransferArgument Request = TransferRequest>
  [[nodiscard]] Pending read_async(Out&& out, const Request& request = {}) const {
    return begin_read(How::alone, out, request);
  }
  template <StayingElements In, TransferArgument Request = TransferRequest>
  [[nodiscard]] Pending write_async(In&& elements, const Request& request = {}) {
    return begin_write(How::alone, elements, request);
  }
  /// @collective @local
  template <StayingElements Out, TransferArgument Request = TransferRequest>
  [[nodiscard]] Pending read_all_async(Out&& out, const Request& request = {}) const {
    return begin_read(How::together, out, request);
  }
  template <StayingElements In, TransferArgument Request = TransferRequest>
  [[nodiscard]] Pending write_all_async(In&& elements, const Request& request = {}) {
    return begin_write(How::together, elements, request);
  }
  /// @replicated
  template <StayingElements In, TransferArgument Request = TransferRequest>
  [[nodiscard]] Pending write_equal_async(In&& elements, const Request& request = {}) {
    return begin_write(How::equally, elements, request);
  }

  /// Changes the shape, within max_shape. Elements outside of a smaller shape are lost; new
  /// elements of a larger shape have the fill value. Throws Error: invalid_argument (another number
  /// of dimensions, beyond max_shape, not chunked), unsupported (a file whose structure cannot be
  /// changed), state. @replicated
  void resize(const Shape& shape);

 private:
  friend class Group;
  explicit Dataset(detail::WaitingPointer<nodes::Node> node) : Object(std::move(node)) {}

  /// The ranks that take part: this rank alone, all ranks together, or all ranks with equal
  /// elements.
  enum class How : std::uint8_t { alone, together, equally };

  template <class Out, class Request>
  void read_into(How how, Out& out, const Request& request) const {
    const detail::TypedRequest<detail::ElementOf<Out>> typed(request);
    transfer(how, detail::room_in(out), typed);
  }
  template <class T, class Request>
  std::vector<T> read_new(How how, const Request& request) const {
    static_assert(!std::same_as<T, bool>, "std::vector<bool> holds no elements: read signed char");
    detail::TypedRequest<T> typed(request);
    std::vector<T> values;
    typed.attempt([&] {
      if constexpr (std::same_as<T, std::string>)
        values.resize(count_of(typed));
      else
        values.resize(room_for(typed, sizeof(T)));
    });
    transfer(how, detail::room_in(values), typed);
    return values;
  }
  template <class In, class Request>
  void write_from(How how, const In& elements, const Request& request) {
    if constexpr (Text<In>) {
      const std::string text{std::string_view(elements)};
      transfer(how, std::span(&text, 1), detail::TypedRequest<std::string>(request));
    } else {
      const detail::TypedRequest<detail::ElementOf<const In>> typed(request);
      transfer(how, detail::bytes_in(elements), typed);
    }
  }
  template <class Out, class Request>
  Pending begin_read(How how, Out& out, const Request& request) const {
    const detail::TypedRequest<detail::ElementOf<Out>> typed(request);
    return begin(how, detail::room_in(out), typed);
  }
  template <class In, class Request>
  Pending begin_write(How how, const In& elements, const Request& request) {
    const detail::TypedRequest<detail::ElementOf<const In>> typed(request);
    return begin(how, detail::bytes_in(elements), typed);
  }

  void transfer(How how, std::span<std::byte> out, const detail::RequestView& request) const;
  void transfer(How how, std::span<std::string> out, const detail::RequestView& request) const;
  void transfer(How how, std::span<const std::byte> bytes, const detail::RequestView& request);
  void transfer(How how, std::span<const std::string> texts, const detail::RequestView& request);
  Pending begin(How how, std::span<std::byte> out, const detail::RequestView& request) const;
  Pending begin(How how, std::span<const std::byte> bytes, const detail::RequestView& request);
  /// Returns the number of elements that the request reads. Checks, before memory is allocated,
  /// that there is a conversion and that the file can hold so many elements.
  [[nodiscard]] std::size_t count_of(const detail::RequestView& request) const;
  /// Returns the number of objects of `size` bytes that hold the elements that the request reads.
  [[nodiscard]] std::size_t room_for(const detail::RequestView& request, std::size_t size) const;

  void read_alone(std::span<std::byte> out, const detail::RequestView& request) const;
  void write_alone(std::span<const std::byte> bytes, const detail::RequestView& request);
  void write_sources(std::span<const std::byte> stored, const detail::RequestView& request);
  void write_equally(std::span<const std::byte> bytes, const detail::RequestView& request);
};

}  // namespace onecast
