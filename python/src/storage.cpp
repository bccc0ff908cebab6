// Binds the storage of datasets: filters, chunks, fill values.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "buffer.hpp"
#include "dense_limits.hpp"
#include "onecast/filters/known_filters.hpp"
#include "onecast/objects/dataset.hpp"
#include "text.hpp"

namespace {

using onecast::AllocationTime;
using onecast::DatasetOptions;
using onecast::FillTime;
using onecast::Filter;
using onecast::Layout;
using onecast::Object;
using onecast::Shape;

/// (file, offset, size)
using Slot = std::tuple<Text, std::uint64_t, std::uint64_t>;
/// (mapped, file, dataset, source), as Dataset.virtual_mappings() has it
using Source = std::tuple<onecast::Selection, Text, Text, onecast::Selection>;

DatasetOptions options(std::optional<Layout> layout, Shape chunk, std::vector<Filter> filters,
                       Memory fill_value, const std::vector<Slot>& external,
                       const std::vector<Source>& sources,
                       const std::optional<Object>& committed_type, bool track_attributes,
                       FillTime fill_time, bool track_times,
                       std::optional<AllocationTime> allocation_time, const Text& external_prefix,
                       const Limits& dense_attributes) {
  DatasetOptions made;
  made.attribute_order = track_attributes;
  made.times = track_times;
  made.dense_attributes = to_limits(dense_attributes);
  made.fill_time = fill_time;
  made.allocation_time = allocation_time;
  if (!external_prefix.bytes.empty()) made.prefixes.emplace().external = external_prefix.bytes;
  made.committed_type = committed_type;
  made.layout = layout;
  made.chunk = std::move(chunk);
  made.filters = std::move(filters);
  for (const auto& [file, offset, size] : external)
    made.external.push_back({file.bytes, offset, size});
  for (const auto& [mapped, file, dataset, source] : sources)
    made.sources.push_back({file.bytes, dataset.bytes, source, mapped});
  if (!fill_value.is_none()) {
    const ReadBuffer buffer(fill_value);
    made.fill_value.emplace(buffer.bytes().begin(), buffer.bytes().end());
  }
  return made;
}

}  // namespace

void bind_storage(nb::module_& m) {
  nb::enum_<AllocationTime>(m, "AllocationTime",
                            "The time at which other programs allocate the space of elements.")
      .value("early", AllocationTime::early)
      .value("late", AllocationTime::late)
      .value("incremental", AllocationTime::incremental);
  nb::enum_<FillTime>(m, "FillTime", "The time at which unwritten elements get the fill value.")
      .value("alloc", FillTime::on_allocation)
      .value("never", FillTime::never)
      .value("ifset", FillTime::if_set);
  nb::class_<Filter>(m, "Filter", "A filter for the chunks of a new dataset.")
      .def(
          "__init__",
          [](Filter* self, std::uint16_t id, bool optional, std::vector<std::uint32_t> values) {
            new (self) Filter{id, optional, std::move(values)};
          },
          nb::arg("id"), nb::arg("optional"), nb::arg("client_data"))
      .def_static(
          "named",
          [](const Text& name, std::vector<std::uint32_t> values) {
            return onecast::filter_named(name.bytes, std::move(values));
          },
          nb::arg("name"), nb::arg("client_data"))
      .def_ro("id", &Filter::id)
      .def_ro("client_data", &Filter::client_data)
      .def_static("deflate", &Filter::deflate, nb::arg("level"))
      .def_static("shuffle", &Filter::shuffle)
      .def_static("fletcher32", &Filter::fletcher32)
      .def_static(
          "szip",
          [](bool entropy_coding, std::uint32_t pixels) {
            return Filter::szip(
                entropy_coding ? Filter::Szip::entropy_coding : Filter::Szip::nearest_neighbour,
                pixels);
          },
          nb::arg("entropy_coding"), nb::arg("pixels_per_block"))
      .def_static("lzf", &Filter::lzf)
      .def_static("scale_offset", &Filter::scale_offset, nb::arg("bits"))
      .def_static("scale_offset_decimal", &Filter::scale_offset_decimal, nb::arg("decimals"));
  nb::class_<DatasetOptions>(m, "DatasetOptions", "The options for creating a dataset.")
      .def(
          "__init__",
          [](DatasetOptions* self, std::optional<Layout> layout, Shape chunk,
             std::vector<Filter> filters, Memory fill_value, const std::vector<Slot>& external,
             const std::vector<Source>& sources, const std::optional<Object>& committed_type,
             bool track_attributes, FillTime fill_time, bool track_times,
             std::optional<AllocationTime> allocation_time, const Text& external_prefix,
             const Limits& dense_attributes) {
            new (self) DatasetOptions(options(layout, std::move(chunk), std::move(filters),
                                              fill_value, external, sources, committed_type,
                                              track_attributes, fill_time, track_times,
                                              allocation_time, external_prefix, dense_attributes));
          },
          nb::arg("layout") = nb::none(), nb::arg("chunk") = Shape(),
          nb::arg("filters") = std::vector<Filter>(), nb::arg("fill_value").none() = nb::none(),
          nb::arg("external") = std::vector<Slot>(), nb::arg("sources") = std::vector<Source>(),
          nb::arg("committed_type") = nb::none(), nb::arg("track_attributes") = false,
          nb::arg("fill_time") = FillTime::if_set, nb::arg("track_times") = false,
          nb::arg("allocation_time") = nb::none(), nb::arg("external_prefix") = Text(),
          nb::arg("dense_attributes") = to_python(DatasetOptions().dense_attributes));
}
