#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace onecast {

/// The arguments of a filter function: one chunk. They are valid only during the call.
struct FilterInput {
  std::span<const std::byte> bytes;  ///< decoding: bytes of the file, not to be trusted
  std::span<const std::uint32_t>
      client_data;       ///< the filter's parameters, from the Filter Pipeline message
  std::size_t max_size;  ///< a result larger than this is refused
};

/// Decodes or encodes a chunk. Decoding: returns the bytes from which `bytes` were encoded.
/// Encoding: returns the encoded bytes, or an empty vector if the filter cannot be applied to them.
/// An exception becomes an Error (decoding: format, encoding: invalid_argument) that names file,
/// chunk and filter. Several threads may call the function at the same time. It must not use the
/// file for which it is called.
using FilterFunction = std::function<std::vector<std::byte>(const FilterInput&)>;

/// Registers a filter in this process: `decode` reads chunks of filter `id`, and `encode`, if
/// given, writes them. Equal bytes must always be encoded equally. `name` is used in messages. A
/// second registration of an `id` replaces the first. `id` is a number that the registry of filters
/// does not reserve for the HDF5 library (256 to 65535) and not that of one of Onecast's own
/// filters, whose decoders cannot be replaced. With several ranks, register the filter on all ranks
/// that read or write. Thread-safe. @independent
void register_filter(std::uint16_t id, std::string name, FilterFunction decode,
                     FilterFunction encode = {});

/// Removes a registration; chunks that are being decoded are not affected. Returns true if there
/// was one. @independent
bool unregister_filter(std::uint16_t id);

}  // namespace onecast
