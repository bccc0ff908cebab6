// Binds Dataset: reads into and writes from the memory of arrays.

#include "onecast/objects/dataset.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "brackets.hpp"
#include "buffer.hpp"
#include "element_form.hpp"
#include "pending.hpp"
#include "plain_types.hpp"
#include "text.hpp"

namespace {

using onecast::Dataset;
using onecast::Datatype;
using onecast::MemoryLayout;
using onecast::Selection;
using onecast::Shape;
using onecast::TransferRequest;

using Slots = Typed<nb::list, "list[tuple[str, int, int]]">;
using Mappings = Typed<nb::list, "list[tuple[Selection, str, str, Selection]]">;

void read_into(const Dataset& dataset, AnyMemory out, const Selection& part, Form form) {
  const WriteBuffer buffer(out);
  const TransferRequest request = request_of(buffer, part, form);
  const CoreRead call;
  dataset.read(buffer.bytes(), request);
}

void read_all(const Dataset& dataset, AnyMemory out, const Selection& part, Form form,
              std::optional<onecast::Sharing> sharing) {
  const WriteBuffer buffer(out);
  const TransferRequest request = request_of(buffer, part, form, sharing);
  const CoreCall call;
  dataset.read_all(buffer.bytes(), request);
}

void write_from(Dataset& dataset, AnyMemory data, const Selection& part, Form form) {
  const ReadBuffer buffer(data);
  const TransferRequest request = request_of(buffer, part, form);
  const CoreCall call;
  dataset.write(buffer.bytes(), request);
}

void write_all(Dataset& dataset, AnyMemory data, const Selection& part, Form form) {
  const ReadBuffer buffer(data);
  const TransferRequest request = request_of(buffer, part, form);
  const CoreCall call;
  dataset.write_all(buffer.bytes(), request);
}

void write_equal(Dataset& dataset, AnyMemory data, const Selection& part, Form form,
                 std::optional<onecast::Sharing> sharing) {
  const ReadBuffer buffer(data);
  const TransferRequest request = request_of(buffer, part, form, sharing);
  const CoreCall call;
  dataset.write_equal(buffer.bytes(), request);
}

/// Takes part in the collective call with a failure, which all ranks then throw.
void fail_read_all(const Dataset& dataset, const std::string& why,
                   std::optional<onecast::Sharing> sharing) {
  const CoreCall call;
  dataset.read_all(std::span<std::byte>(),
                   TransferRequest{.sharing = sharing, .failure = failure_of(why)});
}

void fail_write_all(Dataset& dataset, const std::string& why) {
  const CoreCall call;
  dataset.write_all(std::span<const std::byte>(), TransferRequest{.failure = failure_of(why)});
}

/// Reads into the part `memory` of an array.
void read_into_part(const Dataset& dataset, AnyMemory out, Shape shape, const Selection& memory,
                    const Selection& part, Form form) {
  const WriteBuffer buffer(out);
  TransferRequest request = request_of(buffer, part, form);
  request.memory = MemoryLayout(std::move(shape), memory);
  const CoreRead call;
  dataset.read(buffer.bytes(), request);
}

std::vector<std::string> strings_of(const Dataset& dataset) {
  const CoreRead call;
  return dataset.read<std::string>();
}

Slots external_slots(const Dataset& dataset) {
  const auto slots = during<CoreRead>([&] { return dataset.external_slots(); });
  Slots list;
  for (const onecast::ExternalSlot& slot : slots)
    list.append(nb::make_tuple(Text{slot.file}, slot.offset, slot.size));
  return list;
}

Mappings virtual_mappings(const Dataset& dataset) {
  const auto mappings = during<CoreRead>([&] { return dataset.virtual_mappings(); });
  Mappings list;
  for (const onecast::VirtualMapping& m : mappings)
    list.append(nb::make_tuple(m.mapped, Text{m.file}, Text{m.dataset}, m.source));
  return list;
}

std::optional<Extents> chunk_shape(const Dataset& dataset) {
  const onecast::Shape shape = dataset.chunk_shape();
  if (shape.empty()) return std::nullopt;
  return tuple_of(shape);
}

/// Returns the shape, which programs request often, without creating a Dataspace object.
std::optional<Extents> shape_of(const Dataset& dataset) {
  const auto* space = during<CoreRead>([&] { return &dataset.dataspace(); });
  if (space->kind() == onecast::Dataspace::Kind::null) return std::nullopt;
  return tuple_of(space->shape());
}

/// Returns None if the type is not plain.
Typed<nb::object, "numpy.dtype[typing.Any] | None"> plain_dtype(const Dataset& dataset) {
  const Datatype* type = during<CoreRead>([&] { return &dataset.datatype(); });
  const auto plain = plain_type(*type);
  return plain ? plain->dtype : nb::none();
}

}  // namespace

void bind_dataset(nb::module_& m) {
  const auto part = nb::arg("part");
  const auto form = nb::arg("form").none() = nb::none();
  nb::class_<Dataset, onecast::Object> bound(m, "Dataset");
  // These properties return copies: a copy that is kept, as in a cache, must not keep the file
  // open.
  bound.def_prop_ro("datatype", &Dataset::datatype, core_read(), nb::rv_policy::copy)
      .def_prop_ro("dataspace", &Dataset::dataspace, core_read(), nb::rv_policy::copy)
      .def_prop_ro("layout", &Dataset::layout, core_read())
      .def_prop_ro("shape", &shape_of, "The shape; None for a null dataspace.")
      .def_prop_ro("chunk_shape", &chunk_shape,
                   "The chunk shape; None if the dataset is not chunked.")
      .def_prop_ro("plain_dtype", &plain_dtype)
      .def("read_brackets", &read_brackets, nb::arg("args").none(),
           "Returns NotImplemented for arguments that are not simple.")
      .def("external_slots", &external_slots, "Lists (file, offset, size) of each slot.")
      .def("virtual_mappings", &virtual_mappings,
           "Lists (part of this dataset, file, dataset, part of that dataset) of each mapping.")
      .def("read", &read_into, nb::arg("out"), part, form)
      .def("read_all", &read_all, nb::arg("out"), part, form,
           nb::arg("sharing").none() = nb::none())
      .def("fail_read_all", &fail_read_all, nb::arg("why"), nb::arg("sharing").none() = nb::none())
      .def("fail_write_all", &fail_write_all, nb::arg("why"))
      .def(
          "set_prefixes",
          [](Dataset& dataset, const Text& external, const Text& sources) {
            dataset.set_prefixes({external.bytes, sources.bytes});
          },
          core_call(), nb::arg("external"), nb::arg("sources"))
      .def("storage_size", &Dataset::storage_size, core_read())
      .def("resize", &Dataset::resize, core_call(), nb::arg("shape"))
      .def("read_into_part", &read_into_part, nb::arg("out"), nb::arg("shape"), nb::arg("memory"),
           part, form)
      .def("write", &write_from, nb::arg("data"), part, form)
      .def("write_all", &write_all, nb::arg("data"), part, form)
      .def("write_equal", &write_equal, nb::arg("data"), part, form,
           nb::arg("sharing").none() = nb::none())
      .def("strings", [](const Dataset& dataset) { return list_of_bytes(strings_of(dataset)); });
  bind_chunks(bound);
  bind_new_elements(bound);
  bind_async(bound);
}
