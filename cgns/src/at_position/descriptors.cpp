#include "api/lookup.hpp"

using namespace onecast::cgns;

extern "C" {

int cg_ndescriptors(int* ndescriptors) {
  return guarded(__func__, [&] {
    *ndescriptors = count(position_for_reading(Label::Descriptor), Label::Descriptor);
  });
}

int cg_descriptor_read(int descr_no, char* descr_name, char** descr_text) {
  return guarded(__func__, [&] {
    Node& node = child_at_position(Label::Descriptor, descr_no);
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
