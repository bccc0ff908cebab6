#include "objects/codec/selection_codec.hpp"
#include "objects/files/file_state.hpp"
#include "objects/values/place_of_header.hpp"
#include "onecast/objects/dataset.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

using namespace handles;

Reference Object::reference() const {
  file_of(*node_).require_open();
  Reference reference;
  reference.address = place_of_header(*node_).value;
  return reference;
}

Reference Object::attribute_reference(std::string_view name) const {
  Reference reference;
  reference.kind = ReferenceKind::revised_attribute;
  reference.attribute = attribute(name).name();
  reference.address = place_of_header(*node_).value;
  return reference;
}

Reference Dataset::region_reference(const Selection& part) const {
  file_of(*node_).require_open();
  const BoundSelection must_be_inside(dataspace(), part, *node_);
  Reference reference;
  reference.kind = ReferenceKind::region;
  reference.region = encode_selection(part);
  reference.rank = dataspace().rank();
  reference.address = place_of_header(*node_).value;
  return reference;
}

}  // namespace onecast
