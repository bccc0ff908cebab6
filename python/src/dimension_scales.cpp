// Binds dimension scales.

#include "onecast/objects/dimension_scales.hpp"

#include <nanobind/stl/vector.h>

#include <cstddef>

#include "bindings.hpp"
#include "text.hpp"

namespace {

using onecast::Dataset;

}  // namespace

void bind_dimension_scales(nb::module_& m) {
  const auto dataset = nb::arg("dataset");
  const auto dimension = nb::arg("dimension");
  const auto scale = nb::arg("scale");
  m.def(
      "make_scale", [](Dataset& made, const Text& name) { onecast::make_scale(made, name.bytes); },
      scale, nb::arg("name"), core_call());
  m.def("is_scale", &onecast::is_scale, dataset, core_read());
  m.def(
      "scale_name", [](const Dataset& found) { return Text{onecast::scale_name(found)}; }, scale,
      core_read());
  m.def("attach_scale", &onecast::attach_scale, dataset, dimension, scale, core_call());
  m.def("detach_scale", &onecast::detach_scale, dataset, dimension, scale, core_call());
  m.def("is_attached", &onecast::is_attached, dataset, dimension, scale, core_read());
  m.def("scales_of", &onecast::scales_of, dataset, dimension, core_read());
  m.def(
      "set_dimension_label",
      [](Dataset& found, std::size_t at, const Text& label) {
        onecast::set_dimension_label(found, at, label.bytes);
      },
      dataset, dimension, nb::arg("label"), core_call());
  m.def(
      "dimension_label",
      [](const Dataset& found, std::size_t at) {
        return Text{onecast::dimension_label(found, at)};
      },
      dataset, dimension, core_read());
}
