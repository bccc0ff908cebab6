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

/// Where the elements lie: in the dataset's header, in one piece, in chunks, in files that are not
/// HDF5, or in other datasets.
enum class Layout : std::uint8_t { compact, contiguous, chunked, external, virtual_dataset };

/// When a chunk that is partly written gets the fill value elsewhere: HDF5's term and numbers.
enum class FillTime : std::uint8_t { on_allocation, never, if_set };

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
  /// Kept in the file, for programs that go by it; Onecast shows the fill value in any case. Values
  /// of variable length are always filled on allocation, and refuse FillTime::never.
  FillTime fill_time = FillTime::if_set;
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
/// read and write are @independent: they do not communicate, and any rank may call them at any
/// time. read_all and write_all are @collective: all ranks call them, each with its own part or
/// none (Selection::none()), and either all succeed or all throw the same Error. write_equal is
/// @collective @same. A call whose name ends in _async only begins; see Pending.
///
/// Elements in memory are any contiguous range (std::vector, std::array, std::span, an array): of
/// numbers, which are converted from and to their C++ type; of structs, with a
/// TransferRequest::memory_type; of std::string, for strings of fixed and variable length, without
/// padding; or of std::byte, which is the stored type unless the request names another. A single
/// number or struct is one element; a single text can be written. There are
/// exactly as many as the part has, or as TransferRequest::memory says. read<T>() makes a
/// std::vector of T. The request is a TransferRequest, or a Selection alone:
///
///     const auto slice = dataset.read<double>(dataset.rows(0, 10));
///     dataset.write(particles, {.memory_type = particle_type});
///
/// Conversion is that of HDF5: numbers to any number (out of range: the nearest value, infinity for
/// floats; fractions cut off; NaN becomes the integer 0), strings of fixed length to other lengths
/// and paddings, arrays and enumerations by their base, compounds by the names of their members.
/// Members that the target lacks are left out. Members that only the target has keep their value,
/// in memory as in the file (a write reads them first).
///
/// All throw Error: invalid_argument (memory of another size than the part, a part that leaves the
/// array or has overlapping blocks, a type there is no conversion to), io, state (closed; for
/// writing: read-only), unsupported (a layout or filter that cannot be read; writing to virtual
/// datasets), format (damaged).
class Dataset : public Object {
 public:
  /// Empty, until another is assigned: see Object.
  Dataset() = default;

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

  /// Rows [first, end): the elements whose first coordinate is one of these. Throws Error
  /// (invalid_argument) if the dataset has no such rows. @independent
  [[nodiscard]] Selection rows(std::uint64_t first, std::uint64_t end) const;

  /// Reads; what nobody wrote is the fill value or zeros. @independent
  template <StayingElements Out, TransferArgument Request = TransferRequest>
  void read(Out&& out, const Request& request = {}) const {
    read_into(How::alone, out, request);
  }
  template <class T, TransferArgument Request = TransferRequest>
  [[nodiscard]] std::vector<T> read(const Request& request = {}) const {
    return read_new<T>(How::alone, request);
  }
  /// Reads together. By default, where all ranks want one and the same part, rank 0 reads it and
  /// broadcasts it; else each rank reads its own. Throws also Error (diverged) with
  /// Sharing::verify. @collective @local
  template <StayingElements Out, TransferArgument Request = TransferRequest>
  void read_all(Out&& out, const Request& request = {}) const {
    read_into(How::together, out, request);
  }
  template <class T, TransferArgument Request = TransferRequest>
  [[nodiscard]] std::vector<T> read_all(const Request& request = {}) const {
    return read_new<T>(How::together, request);
  }

  /// Writes. Other ranks see data of a compact dataset, of filtered chunks and of chunks that were
  /// never written before after the next flush, or in a read_all; until then this rank keeps it in
  /// memory, and for compact datasets the changes of all ranks are made in the order of the ranks.
  /// Values of variable length in a file with a communicator are seen by all, this rank included,
  /// only then. Flush throws Error (diverged), naming both, if two ranks wrote to one filtered
  /// chunk; the chunk then stays as it was, and all else is written. @independent
  template <AnyElements In, TransferArgument Request = TransferRequest>
  void write(const In& elements, const Request& request = {}) {
    write_from(How::alone, elements, request);
  }
  /// Writes together. Afterwards all ranks see all parts. Where parts overlap, the highest rank's
  /// stays in a compact dataset and in filtered chunks, either elsewhere. One of the ranks that
  /// have a part of a chunk filters it. @collective @local
  template <AnyElements In, TransferArgument Request = TransferRequest>
  void write_all(const In& elements, const Request& request = {}) {
    write_from(How::together, elements, request);
  }
  /// All ranks write the same elements: rank 0 writes them, without communication, and flush
  /// compares them, unless `sharing` says otherwise. Flush throws an error of rank 0. Of chunked
  /// datasets other ranks see the elements after the next flush or in a read_all, with
  /// Sharing::trust after the flush only. @collective @same; does not communicate
  template <AnyElements In, TransferArgument Request = TransferRequest>
  void write_equal(const In& elements, const Request& request = {}) {
    write_from(How::equally, elements, request);
  }

  /// Begin a read or write, which comes after the calls begun before. Its errors, wrong arguments
  /// included, are thrown when it is waited for. The memory is Onecast's until then; no strings.
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
  /// @collective @same; does not communicate
  template <StayingElements In, TransferArgument Request = TransferRequest>
  [[nodiscard]] Pending write_equal_async(In&& elements, const Request& request = {}) {
    return begin_write(How::equally, elements, request);
  }

  /// Changes the shape, within max_shape. What a smaller one leaves out is gone; what a larger one
  /// adds is the fill value. Throws Error: invalid_argument (another rank, beyond max_shape, not
  /// chunked), unsupported (a file whose structure cannot be changed), state. @collective @same;
  /// does not communicate
  void resize(const Shape& shape);

 private:
  friend class Group;
  explicit Dataset(Settled<Node> node) : Object(std::move(node)) {}

  /// Which ranks take part, and what they bring.
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

  void transfer(How how, std::span<std::byte> out, const RequestView& request) const;
  void transfer(How how, std::span<std::string> out, const RequestView& request) const;
  void transfer(How how, std::span<const std::byte> bytes, const RequestView& request);
  void transfer(How how, std::span<const std::string> texts, const RequestView& request);
  Pending begin(How how, std::span<std::byte> out, const RequestView& request) const;
  Pending begin(How how, std::span<const std::byte> bytes, const RequestView& request);
  /// How many elements the request reads. Before memory is taken for them it is certain that there
  /// is a conversion, and that so many elements can be in the file.
  [[nodiscard]] std::size_t count_of(const RequestView& request) const;
  /// How many objects of `size` bytes that is.
  [[nodiscard]] std::size_t room_for(const RequestView& request, std::size_t size) const;

  void read_alone(std::span<std::byte> out, const RequestView& request) const;
  void write_alone(std::span<const std::byte> bytes, const RequestView& request);
  void write_equally(std::span<const std::byte> bytes, const RequestView& request);
};

}  // namespace onecast
