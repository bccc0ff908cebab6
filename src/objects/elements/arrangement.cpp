#include "objects/elements/arrangement.hpp"

#include <cstring>

#include "base/make_error.hpp"

namespace onecast::elements {

Arrangement::Arrangement(const BoundSelection& selection, const MemoryLayout* memory,
                         const Where& where)
    : positions_(selection.positions()) {
  const std::uint64_t wanted = selection.given_count();
  memory_count_ = wanted;
  if (memory == nullptr) return;
  memory_count_ = Dataspace(memory->shape()).element_count();
  memory_.emplace(memory->shape(), memory->selection(), where.text() + ": memory");
  std::uint64_t taken = memory_->element_count();
  if (!memory_->positions().empty()) {
    const std::vector<std::uint64_t>& points = memory->selection().coordinates();
    const Shape& shape = memory->shape();
    for (std::size_t at = 0; at < points.size(); at += shape.size()) {
      std::uint64_t element = 0;
      for (std::size_t d = 0; d < shape.size(); ++d) element = element * shape[d] + points[at + d];
      elements_.push_back(element);
    }
    taken = elements_.size();
  }
  if (taken != wanted)
    throw argument_error("{}: {} elements are selected, {} in memory", where.text(), wanted, taken);
  if (taken == memory_count_ && elements_.empty()) memory_.reset();
}

template <class F>
void Arrangement::for_each_run(F&& each) const {
  std::uint64_t i = 0;
  const auto run = [&](std::uint64_t first, std::uint64_t count) {
    if (positions_.empty()) {
      each(i, first, count);
    } else {
      for (std::uint64_t k = 0; k < count; ++k) each(positions_[i + k], first + k, 1);
    }
    i += count;
  };
  if (!elements_.empty()) {
    for (const std::uint64_t element : elements_) run(element, 1);
  } else if (memory_) {
    memory_->for_each_run(run);
  } else {
    run(0, memory_count_);
  }
}

/// Calls each(index within the part, index in memory, count).
template <class F>
void Arrangement::for_each_run_of_part(std::uint64_t first, std::uint64_t count, F&& each) const {
  if (!elements_.empty()) {
    for (std::uint64_t i = 0; i < count; ++i)
      each(i, elements_[static_cast<std::size_t>(first + i)], 1);
  } else if (memory_) {
    std::uint64_t i = 0;
    memory_->for_each_run_of(first, count, [&](std::uint64_t at, std::uint64_t n) {
      each(i, at, n);
      i += n;
    });
  } else {
    each(0, first, count);
  }
}

void Arrangement::scatter(std::span<const std::byte> packed, std::uint64_t first,
                          std::uint64_t count, std::span<std::byte> memory,
                          std::size_t size) const {
  for_each_run_of_part(first, count, [&](std::uint64_t from, std::uint64_t to, std::uint64_t n) {
    std::memcpy(memory.data() + to * size, packed.data() + from * size, n * size);
  });
}

void Arrangement::gather(std::span<const std::byte> memory, std::uint64_t first,
                         std::uint64_t count, std::span<std::byte> packed, std::size_t size) const {
  for_each_run_of_part(first, count, [&](std::uint64_t to, std::uint64_t from, std::uint64_t n) {
    std::memcpy(packed.data() + to * size, memory.data() + from * size, n * size);
  });
}

void Arrangement::scatter(std::span<const std::byte> packed, std::span<std::byte> memory,
                          std::size_t size) const {
  for_each_run([&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
    std::memcpy(memory.data() + to * size, packed.data() + from * size, count * size);
  });
}

void Arrangement::gather(std::span<const std::byte> memory, std::span<std::byte> packed,
                         std::size_t size) const {
  for_each_run([&](std::uint64_t to, std::uint64_t from, std::uint64_t count) {
    std::memcpy(packed.data() + to * size, memory.data() + from * size, count * size);
  });
}

/// Calls each(index among the given elements, index in memory, count).
template <class F>
void Arrangement::for_each_run_of(std::uint64_t first, std::uint64_t count, F&& each) const {
  has_parts() ? for_each_run_of_part(first, count, each) : for_each_run(each);
}

void Arrangement::scatter(std::span<const std::byte> packed, std::uint64_t first,
                          std::span<std::byte> memory, std::size_t size,
                          device::Copies& copies) const {
  for_each_run_of(first, packed.size() / size,
                  [&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
                    copies.to_device(memory.data() + to * size, packed.data() + from * size,
                                     static_cast<std::size_t>(count) * size);
                  });
}

void Arrangement::gather(std::span<const std::byte> memory, std::uint64_t first,
                         std::span<std::byte> packed, std::size_t size,
                         device::Copies& copies) const {
  for_each_run_of(first, packed.size() / size,
                  [&](std::uint64_t to, std::uint64_t from, std::uint64_t count) {
                    copies.from_device(packed.data() + to * size, memory.data() + from * size,
                                       static_cast<std::size_t>(count) * size);
                  });
}

}  // namespace onecast::elements
