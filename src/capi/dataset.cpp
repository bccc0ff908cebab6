#include "onecast/capi/dataset.h"

#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/collective.hpp"
#include "capi/guard.hpp"
#include "capi/request.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

void read_all(const onecast_object* dataset, const onecast_part* part,
              const onecast_type* memory_type, void* out, size_t size,
              const onecast_sharing* sharing) {
  const Dataset& from = as_dataset(dataset);
  std::optional<Request> request;
  std::span<std::byte> place;
  std::optional<Sharing> how;
  prepare_read_all(from, [&] {
    if (sharing != nullptr) how = sharing_of(*sharing);
    request.emplace(from, part, memory_type);
    place = room(out, size);
  });
  if (request->memory)
    from.read_all(place, *request->memory, request->part, request->type, how);
  else
    from.read_all(place, request->part, request->type, how);
}

void write_equal(onecast_object* dataset, const onecast_part* part, const onecast_type* memory_type,
                 const void* data, size_t size, std::optional<Sharing> sharing) {
  Dataset& to = as_dataset(dataset);
  const Selection where = plain_selection_of(part);
  const Request request(to, part, memory_type);
  to.write_equal(bytes(data, size), where, request.type, sharing);
}

}  // namespace

onecast_status onecast_dataset_open(const onecast_object* group, const char* path,
                                    onecast_object** dataset) {
  return guard_making(dataset, [&] {
    required(dataset, "dataset");
    give_object(dataset, as_group(group).open_dataset(required_text(path, "path")));
  });
}

onecast_status onecast_dataset_get_type(const onecast_object* dataset, onecast_type** type) {
  return guard_making(type, [&] { give_type(type, as_dataset(dataset).datatype()); });
}

onecast_status onecast_dataset_get_space(const onecast_object* dataset, onecast_space* space) {
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
  return guard([&] {
    const Shape found = as_dataset(dataset).chunk_shape();
    required(rank, "rank") = found.size();
    std::copy(found.begin(), found.end(), &required(chunk, "chunk"));
  });
}

onecast_status onecast_dataset_read(const onecast_object* dataset, const onecast_part* part,
                                    const onecast_type* memory_type, void* out, size_t size) {
  return guard([&] {
    const Dataset& from = as_dataset(dataset);
    const Request request(from, part, memory_type);
    if (request.memory)
      from.read(room(out, size), *request.memory, request.part, request.type);
    else
      from.read(room(out, size), request.part, request.type);
  });
}

onecast_status onecast_dataset_read_all(const onecast_object* dataset, const onecast_part* part,
                                        const onecast_type* memory_type, void* out, size_t size) {
  return guard([&] { read_all(dataset, part, memory_type, out, size, nullptr); });
}

onecast_status onecast_dataset_read_all_sharing(const onecast_object* dataset,
                                                const onecast_part* part,
                                                const onecast_type* memory_type, void* out,
                                                size_t size, onecast_sharing sharing) {
  return guard([&] { read_all(dataset, part, memory_type, out, size, &sharing); });
}

onecast_status onecast_dataset_write(onecast_object* dataset, const onecast_part* part,
                                     const onecast_type* memory_type, const void* data,
                                     size_t size) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    const Request request(to, part, memory_type);
    const auto given = bytes(data, size);
    if (request.memory)
      to.write(given, *request.memory, request.part, request.type);
    else
      to.write(given, request.part, request.type);
  });
}

onecast_status onecast_dataset_write_all(onecast_object* dataset, const onecast_part* part,
                                         const onecast_type* memory_type, const void* data,
                                         size_t size) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    std::optional<Request> request;
    std::span<const std::byte> given;
    prepare_write_all(to, [&] {
      request.emplace(to, part, memory_type);
      given = bytes(data, size);
    });
    if (request->memory)
      to.write_all(given, *request->memory, request->part, request->type);
    else
      to.write_all(given, request->part, request->type);
  });
}

onecast_status onecast_dataset_write_equal(onecast_object* dataset, const onecast_part* part,
                                           const onecast_type* memory_type, const void* data,
                                           size_t size) {
  return guard([&] { write_equal(dataset, part, memory_type, data, size, {}); });
}

onecast_status onecast_dataset_write_equal_sharing(onecast_object* dataset,
                                                   const onecast_part* part,
                                                   const onecast_type* memory_type,
                                                   const void* data, size_t size,
                                                   onecast_sharing sharing) {
  return guard([&] { write_equal(dataset, part, memory_type, data, size, sharing_of(sharing)); });
}

onecast_status onecast_dataset_resize(onecast_object* dataset, size_t rank, const uint64_t* shape) {
  return guard([&] {
    Dataset& resized = as_dataset(dataset);
    if (rank > ONECAST_MAX_RANK) reject("a shape of more than 32 dimensions");
    const auto wanted = list(shape, rank, "shape");
    resized.resize({wanted.begin(), wanted.end()});
  });
}
