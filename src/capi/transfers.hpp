#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "onecast/objects/dataset.hpp"

/// The five operations of C on top of those of C++, for elements of any form. A rank whose
/// arguments are wrong still takes part in a collective call, and passes its failure.
namespace onecast::capi {

/// The ranks that take part in a call, as Dataset::How.
enum class Way : std::uint8_t { alone, together, equally };

void read(const Dataset& from, Way way, std::span<std::byte> out, const TransferRequest& request);
/// Writes bytes or strings.
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
Pending read_async(const Dataset& from, Way way, std::span<std::byte> out,
                   const TransferRequest& request);
Pending write_async(Dataset& to, Way way, std::span<const std::byte> elements,
                    const TransferRequest& request);

/// Converts `part` and `memory_type` to a request. Throws Error (invalid_argument).
TransferRequest request_of(const onecast_selection* part,
                           const onecast_type* memory_type = nullptr);
/// Converts a part for elements that hold their values, which C reads and writes as they are in
/// memory.
TransferRequest plain_request_of(const Dataset& dataset, const onecast_selection* part,
                                 const onecast_type* memory_type);
/// The elements that C passed, or room for them, and the request, which holds the failure if an
/// argument is wrong.
template <class Bytes>
struct PlainTransfer {
  Bytes bytes{};
  TransferRequest request{};
};
PlainTransfer<std::span<std::byte>> plain_read(const Dataset& from, const onecast_selection* part,
                                               const onecast_type* memory_type, void* out,
                                               size_t size);
PlainTransfer<std::span<const std::byte>> plain_write(const Dataset& to,
                                                      const onecast_selection* part,
                                                      const onecast_type* memory_type,
                                                      const void* data, size_t size);
/// Converts a part for values that do not lie in memory as elements: throws if the part has a
/// memory.
TransferRequest values_request_of(const onecast_selection* part);

/// The sharing of the call, if the part has one. request_of() refuses a wrong value.
std::optional<Sharing> sharing_in(const onecast_selection* part);

/// Returns the request that `prepare` makes of the part. If it throws, returns a request with that
/// failure, so that the rank still takes part in the collective call.
template <class Prepare>
TransferRequest attempt(const onecast_selection* part, Prepare&& prepare) {
  try {
    return prepare();
  } catch (...) {
    return {.sharing = sharing_in(part), .failure = std::current_exception()};
  }
}

/// The elements that stand for values, and the values.
struct MadeElements {
  std::vector<std::byte> bytes;
  NewValues values;
};

/// Writes the elements that make(dataset, elements) makes to a part without memory.
template <class Make>
onecast_status write_values(onecast_object* dataset, const onecast_selection* part, Way way,
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

/// Reads the stored elements of a part, after check(dataset), into the list that give(dataset,
/// elements) returns.
template <class Out, class Check, class Give>
onecast_status read_values(const onecast_object* dataset, const onecast_selection* part, Way way,
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
