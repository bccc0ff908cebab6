#include "onecast/capi/dataset.h"

#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/transfers.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

onecast_status read_bytes(const onecast_object* dataset, const onecast_selection* part,
                          const onecast_type* memory_type, void* out, size_t size, Way way) {
  return guard([&] {
    const Dataset& from = as_dataset(dataset);
    const auto asked = plain_read(from, part, memory_type, out, size);
    read(from, way, asked.bytes, asked.request);
  });
}

onecast_status write_bytes(onecast_object* dataset, const onecast_selection* part,
                           const onecast_type* memory_type, const void* data, size_t size,
                           Way way) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    const auto asked = plain_write(to, part, memory_type, data, size);
    write(to, way, asked.bytes, asked.request);
  });
}

}  // namespace

onecast_status onecast_dataset_open(const onecast_object* group, const char* path,
                                    onecast_object** dataset) {
  return guard_making(dataset, [&] {
    required(dataset, "dataset");
    give_object(dataset, as_group(group).open_dataset(required_text(path, "path")));
  });
}

onecast_status onecast_dataset_set_prefixes(onecast_object* dataset, const char* external,
                                            const char* sources) {
  return guard([&] {
    FilePrefixes prefixes;
    if (external != nullptr) prefixes.external = external;
    if (sources != nullptr) prefixes.sources = sources;
    as_dataset(dataset).set_prefixes(std::move(prefixes));
  });
}

onecast_status onecast_dataset_get_type(const onecast_object* dataset, onecast_type** type) {
  return guard_making(type, [&] { give_type(type, as_dataset(dataset).datatype()); });
}

onecast_status onecast_dataset_get_space(const onecast_object* dataset, onecast_dataspace* space) {
  return guard([&] { give_space(space, as_dataset(dataset).dataspace()); });
}

onecast_status onecast_dataset_get_layout(const onecast_object* dataset, onecast_layout* layout) {
  return guard([&] {
    required(layout, "layout") = static_cast<onecast_layout>(
        static_cast<int>(as_dataset(dataset).layout()) + ONECAST_LAYOUT_COMPACT);
  });
}

onecast_status onecast_dataset_get_chunk(const onecast_object* dataset, size_t* rank,
                                         uint64_t* chunk) {
  return guard_counting(rank, [&] {
    const Shape found = as_dataset(dataset).chunk_shape();
    required(rank, "rank") = found.size();
    std::copy(found.begin(), found.end(), &required(chunk, "chunk"));
  });
}

onecast_status onecast_dataset_read(const onecast_object* dataset, const onecast_selection* part,
                                    const onecast_type* memory_type, void* out, size_t size) {
  return read_bytes(dataset, part, memory_type, out, size, Way::alone);
}

onecast_status onecast_dataset_read_all(const onecast_object* dataset,
                                        const onecast_selection* part,
                                        const onecast_type* memory_type, void* out, size_t size) {
  return read_bytes(dataset, part, memory_type, out, size, Way::together);
}

onecast_status onecast_dataset_write(onecast_object* dataset, const onecast_selection* part,
                                     const onecast_type* memory_type, const void* data,
                                     size_t size) {
  return write_bytes(dataset, part, memory_type, data, size, Way::alone);
}

onecast_status onecast_dataset_write_all(onecast_object* dataset, const onecast_selection* part,
                                         const onecast_type* memory_type, const void* data,
                                         size_t size) {
  return write_bytes(dataset, part, memory_type, data, size, Way::together);
}

onecast_status onecast_dataset_write_equal(onecast_object* dataset, const onecast_selection* part,
                                           const onecast_type* memory_type, const void* data,
                                           size_t size) {
  return write_bytes(dataset, part, memory_type, data, size, Way::equally);
}

onecast_status onecast_dataset_resize(onecast_object* dataset, size_t rank, const uint64_t* shape) {
  return guard([&] {
    Dataset& resized = as_dataset(dataset);
    if (rank > ONECAST_MAX_RANK) reject("a shape of more than 32 dimensions");
    const auto wanted = list(shape, rank, "shape");
    resized.resize({wanted.begin(), wanted.end()});
  });
}
