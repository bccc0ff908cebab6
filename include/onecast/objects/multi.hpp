#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "onecast/objects/dataset.hpp"

namespace onecast {

/// The datasets that the lists of the ranks name in one call.
enum class Datasets : std::uint8_t {
  same,  ///< the same datasets in the same order on all ranks, else all ranks throw Error
         ///< (diverged)
  own,   ///< its own datasets on each rank, any number of them, or none
};

/// One write in a list for File::write_multi: elements and request as Dataset::write_all takes
/// them, except strings. It refers to the elements.
///
///     file.write_multi(std::vector<WriteRequest>{{pressure, p, inner}, {density, d, inner}});
struct WriteRequest {
  template <StayingElements In, TransferArgument Request = TransferRequest>
  WriteRequest(Dataset to, In&& elements, const Request& request = {})
      : dataset(std::move(to)),
        bytes(detail::bytes_in(elements)),
        how(detail::TypedRequest<detail::ElementOf<const std::remove_reference_t<In>>>(request)
                .kept()) {}

  Dataset dataset;
  std::span<const std::byte> bytes;
  TransferRequest how;
};

/// One read in a list for File::read_multi: elements and request as Dataset::read_all takes them.
/// It refers to the elements.
struct ReadRequest {
  template <StayingElements Out, TransferArgument Request = TransferRequest>
  ReadRequest(Dataset from, Out&& elements, const Request& request = {})
      : dataset(std::move(from)),
        out(detail::room_in(elements)),
        how(detail::TypedRequest<detail::ElementOf<std::remove_reference_t<Out>>>(request).kept()) {
  }

  Dataset dataset;
  std::span<std::byte> out;
  TransferRequest how;
};

}  // namespace onecast
