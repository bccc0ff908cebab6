#include <vector>

#include "api/lookup.hpp"

using namespace onecast::cgns;

namespace {

/// The descriptors at the current position, except those with a fixed name, which other functions
/// read: cg_state_read, cg_convergence_read, cg_subreg_bcname_read, cg_subreg_gcname_read.
std::vector<Node*> descriptors_here() {
  Node& node = position_for_reading(Label::Descriptor);
  std::vector<Node*> found = node.children(Label::Descriptor);
  std::erase_if(found, [&](Node* each) {
    const auto* row = named_row(node.label(), each->name());
    return row != nullptr && row->label == Label::Descriptor;
  });
  return found;
}

}  // namespace

extern "C" {

int cg_ndescriptors(int* ndescriptors) {
  return guarded(__func__, [&] { *ndescriptors = static_cast<int>(descriptors_here().size()); });
}

int cg_descriptor_read(int descr_no, char* descr_name, char** descr_text) {
  return guarded(__func__, [&] {
    const auto found = descriptors_here();
    if (descr_no < 1 || static_cast<std::size_t>(descr_no) > found.size())
      throw Failure(words("descriptor ", descr_no, " is not in 1..", found.size(), " of ",
                          session().position.node().path()),
                    CG_NODE_NOT_FOUND);
    Node& node = *found[static_cast<std::size_t>(descr_no) - 1];
    give_name(node, descr_name);
    *descr_text = allocated(read_text(node));
  });
}

int cg_descriptor_write(const char* descr_name, const char* descr_text) {
  return guarded(__func__, [&] {
    if (descr_text == nullptr) throw Failure("the text of a descriptor is NULL");
    create(position_for_writing(Label::Descriptor), descr_name, Label::Descriptor,
           Value::text(descr_text));
  });
}

}  // extern "C"
