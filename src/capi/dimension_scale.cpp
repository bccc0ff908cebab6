#include "onecast/capi/dimension_scale.h"

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/objects/dimension_scales.hpp"

using namespace onecast;
using namespace onecast::capi;

onecast_status onecast_scale_make(onecast_object* dataset, const char* name) {
  return guard([&] { make_scale(as_dataset(dataset), name != nullptr ? name : ""); });
}

onecast_status onecast_scale_check(const onecast_object* dataset, int* scale) {
  return guard([&] { required(scale, "scale") = is_scale(as_dataset(dataset)) ? 1 : 0; });
}

onecast_status onecast_scale_get_name(const onecast_object* scale, char** name) {
  return guard_making(name, [&] {
    required(name, "name");
    *name = returned_text(scale_name(as_dataset(scale)));
  });
}

onecast_status onecast_scale_attach(onecast_object* dataset, size_t dimension,
                                    onecast_object* scale) {
  return guard([&] { attach_scale(as_dataset(dataset), dimension, as_dataset(scale)); });
}

onecast_status onecast_scale_detach(onecast_object* dataset, size_t dimension,
                                    onecast_object* scale) {
  return guard([&] { detach_scale(as_dataset(dataset), dimension, as_dataset(scale)); });
}

onecast_status onecast_scale_is_attached(const onecast_object* dataset, size_t dimension,
                                         const onecast_object* scale, int* attached) {
  return guard([&] {
    required(attached, "attached");
    *attached = is_attached(as_dataset(dataset), dimension, as_dataset(scale)) ? 1 : 0;
  });
}

onecast_status onecast_scale_get_count(const onecast_object* dataset, size_t dimension,
                                       size_t* count) {
  return guard_counting(
      count, [&] { required(count, "count") = scales_of(as_dataset(dataset), dimension).size(); });
}

onecast_status onecast_scale_open(const onecast_object* dataset, size_t dimension, size_t number,
                                  onecast_object** scale) {
  return guard_making(scale, [&] {
    const auto scales = scales_of(as_dataset(dataset), dimension);
    if (number >= scales.size())
      reject("number: the dimension has " + std::to_string(scales.size()) + " scales");
    give_object(scale, scales[number]);
  });
}

onecast_status onecast_dimension_set_label(onecast_object* dataset, size_t dimension,
                                           const char* label) {
  return guard(
      [&] { set_dimension_label(as_dataset(dataset), dimension, required_text(label, "label")); });
}

onecast_status onecast_dimension_get_label(const onecast_object* dataset, size_t dimension,
                                           char** label) {
  return guard_making(label, [&] {
    required(label, "label");
    *label = returned_text(dimension_label(as_dataset(dataset), dimension));
  });
}
