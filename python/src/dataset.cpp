// Dataset: reading into and writing from the memory of arrays.

#include "onecast/objects/dataset.hpp"

#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "buffer.hpp"

namespace {

using onecast::Dataset;
using onecast::Datatype;
using onecast::Hyperslab;
using Part = std::optional<Hyperslab>;

using Read = void (Dataset::*)(std::span<std::byte>, const Part&,
                               const std::optional<Datatype>&) const;
using Write = void (Dataset::*)(std::span<const std::byte>, const Part&,
                                const std::optional<Datatype>&);

template <Read kRead>
void read_into(const Dataset& dataset, nb::handle out, const Part& part) {
  const WriteBuffer buffer(out);
  const CoreCall call;
  (dataset.*kRead)(buffer.bytes(), part, {});
}

template <Write kWrite>
void write_from(Dataset& dataset, nb::handle data, const Part& part) {
  const ReadBuffer buffer(data);
  const CoreCall call;
  (dataset.*kWrite)(buffer.bytes(), part, {});
}

std::vector<std::string> strings_of(const Dataset& dataset) {
  const CoreCall call;
  return dataset.read_strings();
}

nb::object chunk_shape(const Dataset& dataset) {
  const onecast::Shape shape = dataset.chunk_shape();
  if (shape.empty()) return nb::none();
  nb::list extents;
  for (const std::uint64_t extent : shape) extents.append(extent);
  return nb::tuple(extents);
}

}  // namespace

void bind_dataset(nb::module_& m) {
  const auto part = nb::arg("part").none();
  nb::class_<Dataset, onecast::Object>(m, "Dataset")
      .def_prop_ro("datatype", &Dataset::datatype, core_call())
      .def_prop_ro("dataspace", &Dataset::dataspace, core_call())
      .def_prop_ro("layout", &Dataset::layout, core_call())
      .def_prop_ro("chunk_shape", &chunk_shape, "None unless chunked.")
      .def("read", &read_into<&Dataset::read>, nb::arg("out"), part)
      .def("read_all", &read_into<&Dataset::read_all>, nb::arg("out"), part)
      .def("write", &write_from<&Dataset::write>, nb::arg("data"), part)
      .def("write_all", &write_from<&Dataset::write_all>, nb::arg("data"), part)
      .def("write_equal", &write_from<&Dataset::write_equal>, nb::arg("data"), part)
      .def("strings", [](const Dataset& dataset) { return list_of_bytes(strings_of(dataset)); });
}
