#include "objects/committed_types.hpp"

#include "objects/file_state.hpp"

namespace onecast {

void set_committed_types(Node& node) {
  for (const AttributeEntry* a : node.attributes().entries()) {
    if (a->committed_type == nullptr) continue;
    // Memory of the file's arena: attributes that have one were made by this process.
    const ByteView bytes = a->StoredAttribute::datatype();
    ByteWriter out({const_cast<std::byte*>(bytes.data()), bytes.size()});
    encode(out, node.file->store->file(), reference_to(*a->committed_type));
  }
}

}  // namespace onecast
