#include "objects/values/waiting_writes.hpp"

#include <algorithm>

#include "base/interval_set.hpp"
#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/packer.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

struct NewValuesAccess {
  static void keep(NewValues& values, std::span<const std::byte> value) { values.keep(value); }
};

VariableWrite waiting_write(Node& dataset, const Selection& part,
                            std::span<const std::byte> elements, const NewValues& values) {
  WaitingSpace& space = file_of(dataset).changes().waiting;
  Packer packed;
  for (std::size_t i = 0; i < values.size(); ++i)
    packed.small_block(values.value(static_cast<std::uint32_t>(i + 1)));
  return {dataset.id(), part, WaitingBytes(space, elements), WaitingBytes(space, packed.out)};
}

NewValues values_of(const VariableWrite& write) {
  NewValues values;
  const std::vector<std::byte> packed = write.values.bytes();
  for (Unpacker u(packed); !u.at_end();) NewValuesAccess::keep(values, u.small_block());
  return values;
}

namespace {

bool is_of(const VariableWrite& write, const Node& dataset) {
  return write.dataset.is_new == dataset.is_new() && write.dataset.identity == dataset.identity();
}

}  // namespace

void require_none_waiting(Node& dataset, const Selection& part) {
  IntervalSet waiting;
  for (const VariableWrite& w : file_of(dataset).changes().variable_writes)
    if (is_of(w, dataset))
      BoundSelection(dataset.dataspace(), w.part, dataset)
          .for_each_run(
              [&](std::uint64_t first, std::uint64_t count) { waiting.add(first, first + count); });
  if (waiting.intervals().empty()) return;
  BoundSelection(dataset.dataspace(), part, dataset)
      .for_each_run([&](std::uint64_t first, std::uint64_t count) {
        if (waiting.overlaps(first, first + count))
          throw state_error(
              "{}: read: this rank wrote values to elements that it reads, and "
              "they have no place before the next flush: flush(), or read_all",
              dataset.where());
      });
}

namespace {

/// Returns the elements of `part` of an array of shape `before` that are also in the shape `next`.
std::vector<std::byte> kept_elements(const Node& dataset, const VariableWrite& write,
                                     std::size_t size, const Shape& before, const Shape& next) {
  const BoundSelection part(Dataspace(before), write.part, dataset);
  const std::size_t last = before.size() - 1;
  std::vector<std::byte> kept;
  const std::vector<std::byte> elements = write.elements.bytes();
  const std::byte* element = elements.data();
  const auto keep_in_row = [&](std::uint64_t first, std::uint64_t count) {
    std::uint64_t rest = first / before[last];
    bool inside = true;
    for (std::size_t d = last; d-- > 0; rest /= before[d])
      inside = inside && rest % before[d] < next[d];
    const std::uint64_t column = first % before[last];
    const std::uint64_t left = inside && column < next[last] ? next[last] - column : 0;
    kept.insert(kept.end(), element, element + std::min(count, left) * size);
    element += count * size;
  };
  part.for_each_run([&](std::uint64_t first, std::uint64_t count) {
    while (count > 0) {
      const std::uint64_t n = std::min(count, before[last] - first % before[last]);
      keep_in_row(first, n);
      first += n;
      count -= n;
    }
  });
  return kept;
}

}  // namespace

void resize_waiting_writes(Node& dataset, const Shape& before, const Shape& next) {
  Shape both(before);
  for (std::size_t d = 0; d < both.size(); ++d) both[d] = std::min(both[d], next[d]);
  const Selection left(Hyperslab{Shape(both.size(), 0), both});
  const std::size_t size = dataset.dataset().type.size();
  auto& writes = file_of(dataset).changes().variable_writes;
  for (VariableWrite& w : writes) {
    if (!is_of(w, dataset)) continue;
    w.elements = WaitingBytes(file_of(dataset).changes().waiting,
                              kept_elements(dataset, w, size, before, next));
    w.part = w.part.kind() == Selection::Kind::all ? left : w.part.clipped(both);
  }
  std::erase_if(writes, [](const VariableWrite& w) { return w.elements.empty(); });
}

}  // namespace onecast::values
