#include "capi/arguments.hpp"

#include <algorithm>

#include "onecast/base/error.hpp"

namespace onecast::capi {
namespace {

static_assert(ONECAST_MAX_RANK == Dataspace::kMaxRank);
static_assert(ONECAST_UNLIMITED == Dataspace::kUnlimited);

Shape optional_shape(const std::uint64_t* first, std::size_t rank, const char* name) {
  return first != nullptr ? shape_of(first, rank, name) : Shape();
}

}  // namespace

Shape shape_of(const std::uint64_t* first, std::size_t rank, const char* name) {
  if (rank > ONECAST_MAX_RANK)
    reject(std::string(name) + ": " + std::to_string(rank) + " dimensions, more than " +
           std::to_string(ONECAST_MAX_RANK));
  const auto numbers = list(first, rank, name);
  return {numbers.begin(), numbers.end()};
}

std::vector<std::string> texts(const char* const* first, std::size_t count) {
  std::vector<std::string> strings;
  strings.reserve(count);
  for (const char* text : list(first, count, "texts"))
    strings.emplace_back(required_text(text, "one of the texts"));
  return strings;
}

void require_plain(const Datatype& type, const std::string& where) {
  if (type.points_elsewhere())
    reject(where + ": " + type.describe() +
           ": for strings, sequences and references there are functions of their own");
}

Dataspace dataspace_of(const onecast_dataspace* space) {
  if (space == nullptr) return {};
  switch (space->kind) {
    case ONECAST_SCALAR:
      return {};
    case ONECAST_NULL_DATASPACE:
      return Dataspace::null();
    case ONECAST_ARRAY:
      if (space->rank == 0) reject("space: an array of no dimensions, or of more than 32");
      if (space->can_grow != 0)
        return {shape_of(space->shape, space->rank, "shape"),
                shape_of(space->max_shape, space->rank, "max_shape")};
      return {shape_of(space->shape, space->rank, "shape")};
  }
  reject("space: kind " + std::to_string(static_cast<int>(space->kind)) + " is not a valid kind");
}

void give_space(onecast_dataspace* out, const Dataspace& space) {
  onecast_dataspace found = {};
  found.kind = static_cast<onecast_dataspace_kind>(0);
  switch (space.kind()) {
    case Dataspace::Kind::scalar:
      found.kind = ONECAST_SCALAR;
      break;
    case Dataspace::Kind::simple:
      found.kind = ONECAST_ARRAY;
      break;
    case Dataspace::Kind::null:
      found.kind = ONECAST_NULL_DATASPACE;
      break;
  }
  found.rank = space.rank();
  std::copy(space.shape().begin(), space.shape().end(), found.shape);
  found.can_grow = space.max_shape().empty() ? 0 : 1;
  const Shape& most = space.max_shape().empty() ? space.shape() : space.max_shape();
  std::copy(most.begin(), most.end(), found.max_shape);
  required(out, "space") = found;
}

Selection selection_of(const onecast_selection* part) {
  if (part == nullptr) return {};
  switch (part->kind) {
    case ONECAST_ALL:
      return {};
    case ONECAST_NONE:
      return Selection::none();
    case ONECAST_HYPERSLAB:
      return Hyperslab{shape_of(part->start, part->rank, "start"),
                       shape_of(part->count, part->rank, "count"),
                       optional_shape(part->stride, part->rank, "stride"),
                       optional_shape(part->block, part->rank, "block")};
    case ONECAST_POINTS: {
      if (part->rank == 0 || part->rank > ONECAST_MAX_RANK)
        reject("points of " + std::to_string(part->rank) + " dimensions");
      std::size_t numbers = 0;
      if (__builtin_mul_overflow(part->rank, part->point_count, &numbers))
        reject("too many points");
      const auto coordinates = list(part->points, numbers, "points");
      return Selection::points(part->rank, {coordinates.begin(), coordinates.end()});
    }
    case ONECAST_SET:
      return required(part->set, "set").value;
  }
  reject("part: kind " + std::to_string(static_cast<int>(part->kind)) + " is not a valid kind");
}

Selection plain_selection_of(const onecast_selection* part) {
  if (part != nullptr && part->memory != nullptr)
    reject("part: this function takes elements one after the other, no part of memory");
  return selection_of(part);
}

std::optional<MemoryLayout> memory_of(const onecast_selection* part) {
  if (part == nullptr || part->memory == nullptr) return std::nullopt;
  const onecast_memory& memory = *part->memory;
  return MemoryLayout(shape_of(memory.shape, memory.rank, "memory: shape"),
                      plain_selection_of(memory.selection));
}

Sharing sharing_of(onecast_sharing sharing) {
  return enumeration_of(static_cast<int>(sharing), Sharing::serve, "sharing");
}

Order order_of(onecast_order order) {
  return enumeration_of(static_cast<int>(order), Order::creation_descending, "order");
}

Filter filter_of(const onecast_filter& filter) {
  if (filter.client_data_count > ONECAST_MAX_CLIENT_DATA)
    reject("filter " + std::to_string(filter.id) + ": client_data_count is " +
           std::to_string(filter.client_data_count));
  return {filter.id,
          filter.optional != 0,
          {filter.client_data, filter.client_data + filter.client_data_count}};
}

}  // namespace onecast::capi
