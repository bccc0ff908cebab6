#include "cgio/node_data.hpp"

#include <algorithm>
#include <vector>

#include "nodes/hdf5_type.hpp"
#include "transfer/box.hpp"

namespace onecast::cgns::cgio {

namespace {

Dims given_dims(int num_dims, const cgsize_t* dims) {
  check_dimension_count(num_dims, kBadDimensionCount);
  Dims extents;
  for (int i = 0; i < num_dims; ++i) {
    if (given(dims, "dims")[i] < 1)
      throw Failure(words("dimension ", i + 1, " is ", dims[i]), kBadDimension);
    extents.push_back(static_cast<std::uint64_t>(dims[i]));
  }
  return extents;
}

Dataset data_with_value(Node& node) {
  auto data = reached(node).data();
  if (!data) throw Failure(node.path() + " has no value", kNoData);
  return *data;
}

/// Converts a slab. Throws Failure if it is not inside the array. If the range is not a multiple of
/// the stride, it ends with the last element that the stride meets.
Hyperslab hyperslab_of(const Dims& dims, const Slab& slab) {
  Hyperslab part;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t start = given(slab.start, "the start")[i];
    const std::int64_t end = given(slab.end, "the end")[i];
    const std::int64_t stride = given(slab.stride, "the stride")[i];
    const auto extent = static_cast<std::int64_t>(dims[i]);
    const auto wrong = [&](const char* what, std::int64_t value, int code) {
      return Failure(words(what, value, " of dimension ", i + 1, " is not within 1..", extent),
                     code);
    };
    if (start < 1 || start > extent) throw wrong("the start ", start, kBadStart);
    if (end < 1 || end > extent) throw wrong("the end ", end, kBadEnd);
    if (end < start) throw wrong("the start is behind the end ", end, kEndBeforeStart);
    if (stride < 1 || stride > extent) throw wrong("the stride ", stride, kBadStride);
    part.start.push_back(static_cast<std::uint64_t>(start) - 1);
    part.count.push_back(static_cast<std::uint64_t>((end - start) / stride) + 1);
    part.stride.push_back(static_cast<std::uint64_t>(stride));
  }
  return part;
}

std::uint64_t count_of(const Hyperslab& part) { return element_count({part.count}); }

/// Converts to the order of HDF5: the slowest dimension first.
Selection in_order_of(const Hyperslab& part, bool reversed) {
  return Hyperslab{shape_of(part.start, reversed), shape_of(part.count, reversed),
                   shape_of(part.stride, reversed)};
}

/// Selects the elements [first, end) in C order: whole rows as far as possible, and parts of rows
/// at both ends.
Selection run_of(const Shape& shape, std::uint64_t first, std::uint64_t end) {
  std::vector<Interval> blocks;
  std::vector<std::uint64_t> row(shape.size(),
                                 1);  // number of elements for one index of each dimension
  for (std::size_t i = shape.size() - 1; i > 0; --i) row[i - 1] = row[i] * shape[i];
  while (first < end) {
    std::size_t level = 0;  // the slowest dimension in which a whole index fits
    while (first % row[level] != 0 || first + row[level] > end) ++level;
    const std::uint64_t index = first / row[level] % shape[level];
    const std::uint64_t fit = std::min(shape[level] - index, (end - first) / row[level]);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::uint64_t at = first / row[i] % shape[i];
      if (i < level)
        blocks.push_back({at, at + 1});
      else
        blocks.push_back(i == level ? Interval{at, at + fit} : Interval{0, shape[i]});
    }
    first += fit * row[level];
  }
  return Selection::blocks(shape.size(), blocks);
}

}  // namespace

Value given_value(const char* data_type, int num_dims, const cgsize_t* dims, const void* data) {
  const ValueType type = given_type(data_type);
  if (type == ValueType::MT) return {};
  if (type == ValueType::LK) throw Failure("links are made by cgio_create_link", kBadType);
  Value value{type, given_dims(num_dims, dims)};
  if (data != nullptr)
    value.bytes = {static_cast<const std::byte*>(data), element_count(value.dims) * size_of(type)};
  return value;
}

NodeData::NodeData(Node& node)
    : node_(&node), data_(data_with_value(node)), elements_(data_.element_count()) {}

NodeData::NodeData(Node& node, const Slab& stored, const MemorySlab& memory) : NodeData(node) {
  const bool reversed = node.tree().is_reversed();
  const Hyperslab part = hyperslab_of(dims_of(data_, reversed), stored);
  const Dims dims = given_dims(memory.num_dims, memory.dims);
  const Hyperslab in_memory = hyperslab_of(dims, memory.slab);
  if (count_of(part) != count_of(in_memory))
    throw Failure(words(count_of(part), " elements of ", node.path(), " are not as many as the ",
                        count_of(in_memory), " of memory"),
                  kOtherCount);
  part_ = in_order_of(part, reversed);
  memory_ = MemoryLayout(shape_of(dims, reversed), in_order_of(in_memory, reversed));
  elements_ = element_count(dims);
}

NodeData::NodeData(Node& node, cgsize_t first, cgsize_t last) : NodeData(node) {
  const auto wrong = [&](const char* what, cgsize_t value, int code) {
    return Failure(
        words(what, value, " is not within 1..", elements_, ", the elements of ", node.path()),
        code);
  };
  if (first < 1) throw wrong("the start ", first, kBadStart);
  if (last < first) throw wrong("the start is behind the end ", last, kEndBeforeStart);
  if (static_cast<std::uint64_t>(last) > elements_) throw wrong("the end ", last, kBadEnd);
  const auto from = static_cast<std::uint64_t>(first) - 1;
  const auto to = static_cast<std::uint64_t>(last);
  part_ = data_.shape().empty() ? Selection() : run_of(data_.shape(), from, to);
  elements_ = to - from;
}

TransferRequest NodeData::request(ValueType type) const {
  if (!converts(stored_type(), type))
    throw Failure(node_->path() + " is of type " + std::string(text_of(stored_type())) +
                      ", which does not convert to " + std::string(text_of(type)),
                  kBadType);
  return {.part = part_, .memory = memory_, .memory_type = hdf5_type(type)};
}

void NodeData::read(ValueType type, void* out) const {
  const TransferRequest how = request(type);
  data_.read(std::span(static_cast<std::byte*>(given(out, "data")), elements_ * size_of(type)),
             how);
}

void NodeData::write(ValueType type, const void* elements) {
  const TransferRequest how = request(type);
  data_.write_equal(
      std::span(static_cast<const std::byte*>(given(elements, "data")), elements_ * size_of(type)),
      how);
}

}  // namespace onecast::cgns::cgio
