#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "onecast/objects/elements.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/space/selection.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast {

/// A request for one read or write of a dataset. The functions of Dataset and the lists of
/// File::read_multi and write_multi take it:
///
///     dataset.write_all(values, {.part = Hyperslab{{0, 0}, {10, 20}},
///                                .memory = {{12, 22}, inner}});
///
/// If a request has only a part, the Selection alone can be passed in its place.
struct TransferRequest {
  /// The elements of the dataset; default: all. With Selection::none() a rank takes part in a
  /// collective call without transferring anything.
  Selection part = {};
  /// The layout of the elements in memory. Absent: one after the other, in C order; points in their
  /// own order.
  std::optional<MemoryLayout> memory = {};
  /// The type of the elements in memory. Absent: for numbers their C++ type, for std::byte the
  /// stored type. Elements of other C++ types need a memory type.
  std::optional<Datatype> memory_type = {};
  /// The way in which ranks share elements that several of them want, in read_all, read_multi and
  /// write_equal. Absent: the option of the file.
  std::optional<Sharing> sharing = {};
  /// The handle of a stream, as a number, if the elements are in memory of a device (a GPU). They
  /// are copied when the work is complete that the program has put into this stream before the
  /// call; the copies wait for no other work. Absent: as copies of the CUDA runtime, they wait for
  /// all work that the program has given to the device, except in streams that do not wait for
  /// others. Without effect if the elements are in memory of the process.
  std::optional<std::uintptr_t> stream = {};
  /// The object that made the elements, if they stand for values of variable length or references;
  /// the elements are then bytes of the stored type. It must outlive the call; an _async call
  /// copies it.
  const NewValues* values = nullptr;
  /// An error that keeps this rank from doing its part. The call transfers nothing and throws this
  /// error; a collective call throws it on all ranks (except with Sharing::trust). Layers on top of
  /// Onecast use it if their own arguments were wrong on one rank. `sharing` must be that of the
  /// other ranks.
  std::exception_ptr failure = {};
};

/// The argument of the calls: a request, or its part alone.
template <class T>
concept TransferArgument =
    std::same_as<T, TransferRequest> || std::same_as<T, Selection> || std::same_as<T, Hyperslab>;

/// Only Onecast's own layers use these names.
namespace detail {

/// A request as it is passed on, with the type of the elements in memory.
class RequestView {
 public:
  /// @param of_elements the Datatype of the elements' C++ type; absent: it has none, and either the
  /// request has a memory type or the elements are bytes
  explicit RequestView(const TransferRequest& request,
                       const std::optional<Datatype>& of_elements = {})
      : part(&request.part),
        memory(request.memory ? &*request.memory : nullptr),
        memory_type(request.memory_type ? request.memory_type : of_elements),
        sharing(request.sharing),
        stream(request.stream),
        values(request.values),
        failure(request.failure) {}
  explicit RequestView(const Selection& chosen, std::optional<Datatype> of_elements = {})
      : part(&chosen), memory_type(std::move(of_elements)) {}
  explicit RequestView(const Hyperslab& chosen, std::optional<Datatype> of_elements = {})
      : own_(chosen), part(&*own_), memory_type(std::move(of_elements)) {}
  RequestView(const RequestView& other)
      : own_(other.own_),
        part(own_ ? &*own_ : other.part),
        memory(other.memory),
        memory_type(other.memory_type),
        sharing(other.sharing),
        stream(other.stream),
        values(other.values),
        failure(other.failure) {}
  RequestView& operator=(const RequestView&) = delete;
  ~RequestView() = default;

  /// Runs `prepare` unless the request has failed already. An exception becomes the failure of the
  /// request.
  template <class Prepare>
  void attempt(Prepare&& prepare) {
    if (failure) return;
    try {
      prepare();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  /// Returns a copy that does not refer to the caller's request, except for `values`.
  [[nodiscard]] TransferRequest kept() const {
    return {.part = *part,
            .memory = memory != nullptr ? std::optional(*memory) : std::nullopt,
            .memory_type = memory_type,
            .sharing = sharing,
            .stream = stream,
            .values = values,
            .failure = failure};
  }

 private:
  std::optional<Selection> own_;

 public:
  const Selection* part;
  const MemoryLayout* memory = nullptr;  ///< null: one element after another
  std::optional<Datatype> memory_type;
  std::optional<Sharing> sharing{};
  std::optional<std::uintptr_t> stream{};
  const NewValues* values = nullptr;
  std::exception_ptr failure{};
};

/// The request, completed for elements of type T.
template <class T>
struct TypedRequest : RequestView {
  template <class Request>
  explicit TypedRequest(const Request& request) : RequestView(request, type_of<T>()) {
    static_assert(std::same_as<T, std::string> ||
                      (std::is_trivially_copyable_v<T> && !Text<T> && !std::is_pointer_v<T>),
                  "elements are numbers, structs that can be copied as bytes, or std::string");
    if constexpr (!std::same_as<T, std::byte> && !std::same_as<T, std::string>)
      if (!memory_type) attempt([] { fail_without_type(sizeof(T)); });
  }
};

}  // namespace detail
}  // namespace onecast
