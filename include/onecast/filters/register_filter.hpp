#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace onecast {

/// What a registered filter is given for one chunk. Nothing of it may be kept.
struct FilterInput {
  std::span<const std::byte> bytes;  ///< reading: what the filter wrote, not to be trusted
  std::span<const std::uint32_t> client_data;  ///< its parameters, from the Filter Pipeline message
  std::size_t max_size;                        ///< a result larger than this is refused
};

/// Reading: returns what `bytes` were made of. Writing: returns what to make of `bytes`; none, if
/// the filter cannot be applied to them. Whatever it throws becomes an Error (reading: format,
/// writing: invalid_argument) that names file, chunk and filter. Called on any thread, by several
/// at once; it must not use the file it is called for.
using FilterFunction = std::function<std::vector<std::byte>(const FilterInput&)>;

/// Lets this process read chunks of filter `id`, and write them if there is `encode`, which must
/// make the same of the same bytes, always; `name` serves messages. A second registration of
/// the same number replaces the first. Allowed are the numbers that the registry of filters leaves
/// to others than the library, 256 to 65535, but for filters that Onecast has: their decoders
/// cannot be replaced. On several ranks, register on all that read or
/// write. Safe on any thread.
/// @independent
void register_filter(std::uint16_t id, std::string name, FilterFunction decode,
                     FilterFunction encode = {});

/// Takes a registration back; chunks being decoded are not disturbed. Returns whether there was
/// one.
/// @independent
bool unregister_filter(std::uint16_t id);

}  // namespace onecast
