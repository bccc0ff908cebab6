#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "onecast/objects/dataset.hpp"

/// The five verbs of C over those of C++, for elements of any form. A rank whose arguments are
/// wrong takes part in a collective call all the same, with its failure.
namespace onecast::capi {

/// How the ranks of a call meet.
enum class Way : std::uint8_t { alone, together, equally };

void read(const Dataset& from, Way way, std::span<std::byte> out, const TransferRequest& request);
/// Bytes or strings.
template <class Elements>
void write(Dataset& to, Way way, const Elements& elements, const TransferRequest& request) {
  switch (way) {
    case Way::alone:
      return to.write(elements, request);
    case Way::together:
      return to.write_all(elements, request);
    case Way::equally:
      return to.write_equal(elements, request);
  }
}
/// Begun.
Pending read_async(const Dataset& from, Way way, std::span<std::byte> out,
                   const TransferRequest& request);
Pending write_async(Dataset& to, Way way, std::span<const std::byte> elements,
                    const TransferRequest& request);

/// What `part` and `memory_type` ask for. Throws Error (invalid_argument).
TransferRequest request_of(const onecast_part* part, const onecast_type* memory_type = nullptr);
/// For elements that C reads and writes as they are in memory: none that stand for others.
TransferRequest plain_request_of(const Dataset& dataset, const onecast_part* part,
                                 const onecast_type* memory_type);
/// Elements as C gave them, or room for them, and the request; what is wrong is in the request.
template <class Bytes>
struct PlainTransfer {
  Bytes bytes{};
  TransferRequest request{};
};
PlainTransfer<std::span<std::byte>> plain_read(const Dataset& from, const onecast_part* part,
                                               const onecast_type* memory_type, void* out,
                                               size_t size);
PlainTransfer<std::span<const std::byte>> plain_write(const Dataset& to, const onecast_part* part,
                                                      const onecast_type* memory_type,
                                                      const void* data, size_t size);
/// For values that are no elements of memory: the part has no memory.
TransferRequest values_request_of(const onecast_part* part);

/// How the ranks of the call share, if the part says so. A wrong value is told by request_of().
std::optional<Sharing> sharing_in(const onecast_part* part);

/// What `prepare` makes of the part; or a request with the failure to do that, which the other
/// ranks can still meet.
template <class Prepare>
TransferRequest attempt(const onecast_part* part, Prepare&& prepare) {
  try {
    return prepare();
  } catch (...) {
    return {.sharing = sharing_in(part), .failure = std::current_exception()};
  }
}

/// Elements that stand for values, and the values.
struct MadeElements {
  std::vector<std::byte> bytes;
  NewValues values;
};

/// Writes what make(elements) makes, to a part without memory.
template <class Make>
onecast_status write_values(onecast_object* dataset, const onecast_part* part, Way way,
                            Make&& make) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    MadeElements made;
    const TransferRequest request = attempt(part, [&] {
      TransferRequest asked = values_request_of(part);
      make(to, made);
      if (!made.values.empty() || to.datatype().points_elsewhere()) asked.values = &made.values;
      return asked;
    });
    write(to, way, made.bytes, request);
  });
}

/// give(dataset, elements as they are stored) after a check of what else was given.
template <class Out, class Check, class Give>
onecast_status read_values(const onecast_object* dataset, const onecast_part* part, Way way,
                           size_t* count, Out** out, Check&& check, Give&& give) {
  return guard_listing(out, count, [&] {
    const Dataset& from = as_dataset(dataset);
    const TransferRequest request = attempt(part, [&] {
      required(count, "count");
      required(out, "out");
      check(from);
      return values_request_of(part);
    });
    const std::vector<std::byte> elements =
        way == Way::together ? from.read_all<std::byte>(request) : from.read<std::byte>(request);
    *out = give(from, elements);
    *count = elements.size() / from.datatype().size();
  });
}

}  // namespace onecast::capi
