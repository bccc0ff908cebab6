#include "objects/values/overwritten_values.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "objects/any_layout/selected_elements.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/private_heap.hpp"
#include "objects/values/heap_reader.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/store_values.hpp"
#include "onecast/base/error.hpp"

namespace onecast::values {

void OverwrittenValues::note(Node& dataset, const BoundSelection& selection) {
  if (dataset.is_local() || (dataset.is_new() && !file_.comm().is_self())) return;
  try {
    const DatasetInfo& info = dataset.dataset();
    // Elements that were never written share the fill value.
    const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
    if (!uses_heap(info.type) || !std::ranges::all_of(info.fill_value, is_zero)) return;
    std::vector<std::byte> elements(
        static_cast<std::size_t>(selection.element_count() * info.type.size()));
    read_selected(dataset, selection, elements);
    note(info.type, elements);
  } catch (const std::exception&) {
    return;
  }
}

void OverwrittenValues::note(const Datatype& type, std::span<const std::byte> elements) {
  const FileContext& context = file_.store().file();
  for_each_place(type, elements, [&](const Datatype& t, std::span<const std::byte> element) {
    if (t.type_class() == TypeClass::reference) return;
    const auto place = decode<VariableLengthReference>(element, {}, context);
    const Address collection = place.id.collection;
    if (collection.value != 0 && collection < PrivateHeap::first_place(context))
      overwritten_[collection].insert(place.id.index);
  });
}

void OverwrittenValues::drop() {
  HeapReader reader(file_);
  for (const auto& [collection, objects] : overwritten_) {
    try {
      heap_of(file_).drop(collection, reader.collection(collection), objects);
    } catch (const Error&) {
      continue;  // a damaged value keeps its space
    }
  }
  overwritten_.clear();
}

}  // namespace onecast::values
