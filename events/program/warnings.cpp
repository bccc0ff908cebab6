#include "warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "components/file_kind.hpp"
#include "hdf5/element_types.hpp"
#include "hdf5/stored_events.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"

namespace onecast::events {
namespace {

/// The number of complete events, if the writer was interrupted.
std::optional<std::uint64_t> events_of_interrupted_writer(const std::string& path) {
  if (kind_of_file(path) == FileKind::hdf5) {
    const auto events = hdf5::open_events(path);
    return events->is_interrupted() ? std::optional(events->size()) : std::nullopt;
  }
  const ByteFile file = ByteFile::open(path);
  const auto index = pds::Index::of(file, pds::read_header(file));
  return index.incomplete_bytes() != 0 ? std::optional<std::uint64_t>(index.entries().size())
                                       : std::nullopt;
}

}  // namespace

bool is_of_interrupted_writer(const std::string& path) {
  return events_of_interrupted_writer(path).has_value();
}

void warn_of_interrupted_writer(const std::string& path) {
  std::optional<std::uint64_t> events;
  try {
    events = events_of_interrupted_writer(path);
  } catch (const Error&) {  // of another kind: its source knows it
  }
  if (events)
    fmt::print(stderr,
               "onecast-events: {}: its writer was interrupted; it has {} complete events\n", path,
               *events);
}

void warn_of_numbers_in_pds(const ProductList& products) {
  const auto count = std::ranges::count_if(products.products, [&](const Product& product) {
    return hdf5::element_type(product, products.serializer).has_value();
  });
  if (count != 0)
    fmt::print(stderr,
               "onecast-events: {} of {} products are numbers (serializer {}): PDS keeps them as "
               "bytes, filled up with zeros to whole words of 4 bytes, and not the serializer\n",
               count, products.size(), products.serializer);
}

}  // namespace onecast::events
