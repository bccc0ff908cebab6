#include "objects/copy/referenced_objects.hpp"

#include <algorithm>

#include "base/buffer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/copy/boxes.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"
#include "objects/values/copy_values.hpp"
#include "objects/values/references.hpp"

namespace onecast::copy {
namespace {

bool has_references(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::reference:
      return true;
    case TypeClass::array:
    case TypeClass::sequence:
      return has_references(type.base());
    case TypeClass::compound:
      return std::ranges::any_of(
          type.members(), [](const CompoundMember& member) { return has_references(member.type); });
    default:
      return false;
  }
}

}  // namespace

void for_each_referenced(Node& source, bool with_attributes,
                         const std::function<void(Node&, Address)>& each) {
  FileState& file = file_of(source);
  const auto look = [&](const Datatype& type, ByteView elements) {
    ValueCopy::for_each_reference(file, type, elements, [&](Address address) {
      each(values::referenced_node(file, address), address);
    });
  };
  if (with_attributes)
    for (const Attribute& a : ObjectAccess::object(file.handle(source)).attributes())
      if (has_references(a.datatype())) look(a.datatype(), a.bytes());
  if (source.kind != ObjectKind::dataset || !has_references(source.dataset().type)) return;
  const DatasetInfo& info = source.dataset();
  any_layout::require_stored(source);
  look(info.type, info.fill_value);
  for_each_stored_box(source, [&](const Box& box) {
    const BoundSelection part(info.space, box.selection(), source);
    Buffer bytes(static_cast<std::size_t>(part.element_count()) * info.type.size());
    read_known_to_all(source, part, bytes.span());
    look(info.type, bytes.span());
  });
}

}  // namespace onecast::copy
