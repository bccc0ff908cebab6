#pragma once

#include <concepts>
#include <cstddef>
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

/// What one read or write of a dataset moves, and how. The calls of Dataset, and the lists of
/// File::read_multi and write_multi, take it:
///
///     dataset.write_all(values, {.part = Hyperslab{{0, 0}, {10, 20}}, .memory = {{12, 22},
///     inner}});
///
/// Where only a part is to be told, they take the Selection itself.
struct TransferRequest {
  /// Elements of the dataset; default: all. With Selection::none() a rank takes part in a
  /// collective call and moves nothing.
  Selection part = {};
  /// Which elements of an array in memory they are. Absent: the memory holds them alone, in C
  /// order, points in their own order.
  std::optional<MemoryLayout> memory = {};
  /// Type of the elements in memory. Absent: of numbers their C++ type, of std::byte the stored
  /// type; elements of another C++ type need it.
  std::optional<Datatype> memory_type = {};
  /// How ranks share what they have in common; for read_all, read_multi and write_equal. Absent:
  /// as the file says.
  std::optional<Sharing> sharing = {};
  /// What made the elements, if they stand for values of variable length or references: they are
  /// bytes of the stored type. It must stay until the call returns; an _async call copies it.
  const NewValues* values = nullptr;
  /// Why this rank cannot do its part, if so: the call moves nothing and throws this, a collective
  /// call on all ranks (but see Sharing::trust). For layers on top, whose own arguments were wrong
  /// on one rank. `sharing` is that of the other ranks.
  std::exception_ptr failure = {};
};

/// What the calls take: a request, or only its part.
template <class T>
concept TransferArgument =
    std::same_as<T, TransferRequest> || std::same_as<T, Selection> || std::same_as<T, Hyperslab>;

/// For Onecast's own layers: a request as it is passed on, with the type that the C++ type of the
/// elements stands for.
class RequestView {
 public:
  /// @param of_elements the C++ type's; absent: it has none, and the request tells or the elements
  /// are bytes
  explicit RequestView(const TransferRequest& request,
                       const std::optional<Datatype>& of_elements = {});
  explicit RequestView(const Selection& chosen, std::optional<Datatype> of_elements = {});
  explicit RequestView(const Hyperslab& chosen, std::optional<Datatype> of_elements = {});
  RequestView(const RequestView& other);
  RequestView& operator=(const RequestView&) = delete;
  ~RequestView() = default;

  /// Elements of this size are neither bytes nor numbers: without a type the request fails.
  void require_type(std::size_t element_size);
  /// Runs `prepare`, if nothing failed before; what it throws becomes the failure of the request.
  template <class Prepare>
  void attempt(Prepare&& prepare) {
    if (failure) return;
    try {
      prepare();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  /// What stays when the caller's memory of it has gone, but for `values`.
  [[nodiscard]] TransferRequest kept() const;

 private:
  std::optional<Selection> own_;

 public:
  const Selection* part;
  const MemoryLayout* memory = nullptr;  ///< null: one element after the other
  std::optional<Datatype> memory_type;
  std::optional<Sharing> sharing{};
  const NewValues* values = nullptr;
  std::exception_ptr failure{};
};

namespace detail {

/// The request with what elements of type T add to it.
template <class T>
struct TypedRequest : RequestView {
  template <class Request>
  explicit TypedRequest(const Request& request) : RequestView(request, type_of<T>()) {
    static_assert(std::same_as<T, std::string> ||
                      (std::is_trivially_copyable_v<T> && !Text<T> && !std::is_pointer_v<T>),
                  "elements are numbers, structs that can be copied as bytes, or std::string");
    if constexpr (!std::same_as<T, std::byte> && !std::same_as<T, std::string>)
      if (!memory_type) require_type(sizeof(T));
  }
};

}  // namespace detail
}  // namespace onecast
