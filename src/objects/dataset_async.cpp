#include <utility>

#include "objects/file_state.hpp"
#include "objects/pending_call.hpp"
#include "onecast/objects/dataset.hpp"

namespace onecast {
namespace {

/// call(dataset), later. Nothing is looked at before.
template <class Call>
Pending begin(const std::shared_ptr<Node>& node, const Dataset& dataset, Call call) {
  return begin_call(*node->file, [of = dataset, call = std::move(call)]() mutable { call(of); });
}

}  // namespace

Pending Dataset::read_async(std::span<std::byte> out, const Selection& part,
                            const std::optional<Datatype>& memory_type) const {
  return begin(node_.now(), *this, [=](const Dataset& d) { d.read(out, part, memory_type); });
}
Pending Dataset::read_async(std::span<std::byte> out, const MemoryLayout& layout,
                            const Selection& part,
                            const std::optional<Datatype>& memory_type) const {
  return begin(node_.now(), *this,
               [=](const Dataset& d) { d.read(out, layout, part, memory_type); });
}
Pending Dataset::write_async(std::span<const std::byte> bytes, const Selection& part,
                             const std::optional<Datatype>& memory_type) {
  return begin(node_.now(), *this, [=](Dataset& d) { d.write(bytes, part, memory_type); });
}
Pending Dataset::write_async(std::span<const std::byte> bytes, const MemoryLayout& layout,
                             const Selection& part, const std::optional<Datatype>& memory_type) {
  return begin(node_.now(), *this, [=](Dataset& d) { d.write(bytes, layout, part, memory_type); });
}
Pending Dataset::write_async(std::span<const std::byte> elements, const Selection& part,
                             NewValues values) {
  return begin(node_.now(), *this,
               [=, values = std::move(values)](Dataset& d) { d.write(elements, part, values); });
}

Pending Dataset::read_all_async(std::span<std::byte> out, const Selection& part,
                                const std::optional<Datatype>& memory_type,
                                std::optional<Sharing> sharing) const {
  return begin(node_.now(), *this,
               [=](const Dataset& d) { d.read_all(out, part, memory_type, sharing); });
}
Pending Dataset::read_all_async(std::span<std::byte> out, const MemoryLayout& layout,
                                const Selection& part, const std::optional<Datatype>& memory_type,
                                std::optional<Sharing> sharing) const {
  return begin(node_.now(), *this,
               [=](const Dataset& d) { d.read_all(out, layout, part, memory_type, sharing); });
}
Pending Dataset::write_all_async(std::span<const std::byte> bytes, const Selection& part,
                                 const std::optional<Datatype>& memory_type) {
  return begin(node_.now(), *this, [=](Dataset& d) { d.write_all(bytes, part, memory_type); });
}
Pending Dataset::write_all_async(std::span<const std::byte> bytes, const MemoryLayout& layout,
                                 const Selection& part,
                                 const std::optional<Datatype>& memory_type) {
  return begin(node_.now(), *this,
               [=](Dataset& d) { d.write_all(bytes, layout, part, memory_type); });
}
Pending Dataset::write_all_async(std::span<const std::byte> elements, const Selection& part,
                                 NewValues values) {
  return begin(node_.now(), *this, [=, values = std::move(values)](Dataset& d) {
    d.write_all(elements, part, values);
  });
}

Pending Dataset::fail_read_all_async(std::exception_ptr failure) const {
  return begin(node_.now(), *this,
               [failure = std::move(failure)](const Dataset& d) { d.fail_read_all(failure); });
}
Pending Dataset::fail_write_all_async(std::exception_ptr failure) {
  return begin(node_.now(), *this,
               [failure = std::move(failure)](Dataset& d) { d.fail_write_all(failure); });
}

}  // namespace onecast
