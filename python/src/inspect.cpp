// Binds the check of files and the contents of headers, as plain dicts for tools.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "bindings.hpp"
#include "dense_limits.hpp"
#include "onecast/check/check.hpp"
#include "onecast/objects/details.hpp"
#include "onecast/objects/forecast.hpp"
#include "text.hpp"

namespace {

using onecast::CheckOptions;
using onecast::CheckProgress;
using onecast::CheckReport;
using onecast::Dataset;
using onecast::FileOptions;
using onecast::Finding;
using onecast::NamedCount;
using onecast::Object;
using onecast::PlannedTransfer;

const char* name_of(Finding::Kind kind) {
  constexpr const char* kNames[] = {"damage", "overlap", "unsupported", "note"};
  return kNames[static_cast<std::size_t>(kind)];
}

nb::dict counts_of(const std::vector<NamedCount>& counts) {
  nb::dict values;
  for (const NamedCount& c : counts) values[c.name.c_str()] = c.count;
  return values;
}

nb::dict finding_of(const Finding& finding) {
  nb::dict values;
  values["kind"] = name_of(finding.kind);
  values["path"] = Text{finding.path};
  values["address"] = finding.address;
  values["structure"] = finding.structure;
  values["field"] = finding.field;
  values["what"] = Text{finding.what};
  return values;
}

Report report_of(const CheckReport& report) {
  Report values;
  values["file_size"] = report.file_size;
  values["user_block"] = report.user_block;
  values["end_of_file"] = report.end_of_file;
  values["superblock_version"] = report.superblock_version;
  values["walked"] = report.walked;
  values["damaged"] = report.is_damaged();
  values["finding_counts"] = counts_of(report.finding_counts);
  nb::list findings;
  for (const Finding& f : report.findings) findings.append(finding_of(f));
  values["findings"] = findings;
  values["objects"] = counts_of(report.objects);
  nb::list structures;
  for (const auto& s : report.structures) {
    nb::dict total;
    total["structure"] = s.structure;
    total["use"] = s.use;
    total["count"] = s.count;
    total["bytes"] = s.bytes;
    structures.append(total);
  }
  values["structures"] = structures;
  nb::list filters;
  for (const auto& f : report.filters) {
    nb::dict total;
    total["filters"] = f.filters;
    total["datasets"] = f.datasets;
    total["chunks"] = f.chunks;
    total["stored_bytes"] = f.stored_bytes;
    total["plain_bytes"] = f.plain_bytes;
    filters.append(total);
  }
  values["filters"] = filters;
  values["metadata_bytes"] = report.metadata_bytes;
  values["metadata_pieces"] = report.metadata_pieces;
  values["raw_data_bytes"] = report.raw_data_bytes;
  values["compact_bytes"] = report.compact_bytes;
  values["free_bytes"] = report.free_bytes;
  values["unaccounted_bytes"] = report.unaccounted_bytes;
  return values;
}

using CheckWatcher = Typed<nb::handle, "collections.abc.Callable[[int, int], object]">;

/// Returns a function that calls `progress` from time to time; `progress` can stop the check by
/// raising.
std::function<void(const CheckProgress&)> caller_of(nb::handle progress) {
  using Clock = std::chrono::steady_clock;
  return [progress, last = Clock::time_point()](const CheckProgress& now) mutable {
    constexpr std::chrono::milliseconds kPause(100);
    if (Clock::now() - last < kPause) return;
    last = Clock::now();
    const HeldGil gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) call_python(nb::borrow(progress), now.objects_done, now.objects_known);
  };
}

Report check(const Text& path, bool data, std::uint64_t limit, CheckWatcher progress) {
  CheckOptions options;
  options.data = data;
  options.limit = limit;
  options.progress = caller_of(progress);
  return report_of(during<ReleasedGil>([&] { return onecast::check_file(path.bytes, options); }));
}

Report details(const Object& object) {
  const auto found = during<CoreCall>([&] { return onecast::details_of(object); });
  Report values;
  values["address"] = found.address;
  values["header_version"] = found.header_version;
  values["reference_count"] = found.reference_count;
  values["comment"] = nb::none();
  if (found.comment) values["comment"] = Text{*found.comment};
  values["modification_time"] = found.modification_time;
  values["committed_type"] = found.committed_type;
  values["type"] = found.type;
  values["link_limits"] = to_python(found.links);
  values["attribute_limits"] = to_python(found.attributes);
  return values;
}

Reports header(const Object& object) {
  const auto found = during<CoreCall>([&] { return onecast::header_of(object); });
  Reports records;
  for (const onecast::HeaderRecord& r : found) {
    nb::list fields;
    for (const onecast::HeaderField& f : r.fields) {
      nb::dict field;
      field["address"] = f.address;
      field["size"] = f.size;
      field["name"] = f.name;
      field["value"] = Text{f.value};
      fields.append(field);
    }
    nb::dict record;
    record["title"] = r.title;
    record["address"] = r.address;
    record["size"] = r.size;
    record["fields"] = fields;
    record["problem"] = nb::none();
    if (!r.problem.empty()) record["problem"] = Text{r.problem};
    records.append(record);
  }
  return records;
}

Report storage(const Dataset& dataset) {
  const auto found = during<CoreCall>([&] { return onecast::storage_of(dataset); });
  Report values;
  values["layout"] = found.layout;
  values["layout_version"] = found.layout_version;
  values["chunk_index"] = found.chunk_index;
  values["address"] = found.address;
  values["size"] = found.size;
  nb::list filters;
  for (const auto& f : found.filters) {
    nb::dict filter;
    filter["id"] = f.id;
    filter["name"] = Text{f.name};
    filter["optional"] = f.optional;
    filter["client_data"] = f.client_data;
    filters.append(filter);
  }
  values["filters"] = filters;
  nb::list external;
  for (const auto& e : found.external) {
    nb::dict part;
    part["file"] = Text{e.file};
    part["offset"] = e.offset;
    part["size"] = nb::none();
    if (e.size != onecast::ExternalSlot::kUnlimited) part["size"] = e.size;
    external.append(part);
  }
  values["external"] = external;
  values["fill"] = found.fill;
  values["fill_value"] = nb::bytes(found.fill_value.data(), found.fill_value.size());
  values["allocation_time"] = found.allocation_time;
  values["fill_time"] = found.fill_time;
  return values;
}

Report forecast(const Text& path, const PlannedTransfer& planned, const FileOptions& options) {
  const auto found =
      during<CoreRead>([&] { return onecast::forecast_transfer(path.bytes, planned, options); });
  Report values;
  values["method"] = found.method;
  values["sentence"] = found.sentence;
  values["bytes"] = found.bytes;
  values["pieces"] = found.pieces;
  values["ranks"] = found.ranks;
  values["stripes"] = found.stripes;
  values["stripe_size"] = found.stripe_size;
  values["stripe_count"] = found.stripe_count;
  values["stripe_source"] = found.stripe_source;
  values["aggregators"] = found.aggregators;
  return values;
}

void bind_forecast(nb::module_& m) {
  nb::enum_<PlannedTransfer::Pattern>(m, "Pattern")
      .value("contiguous", PlannedTransfer::Pattern::contiguous)
      .value("interleaved", PlannedTransfer::Pattern::interleaved)
      .value("same", PlannedTransfer::Pattern::same);
  nb::class_<PlannedTransfer>(m, "PlannedTransfer")
      .def(nb::init<>())
      .def_rw("reading", &PlannedTransfer::reading)
      .def_rw("pattern", &PlannedTransfer::pattern)
      .def_rw("first", &PlannedTransfer::first)
      .def_rw("bytes", &PlannedTransfer::bytes)
      .def_rw("piece", &PlannedTransfer::piece)
      .def_rw("chunk", &PlannedTransfer::chunk)
      .def_rw("ranks", &PlannedTransfer::ranks)
      .def_rw("nodes", &PlannedTransfer::nodes);
  m.def("forecast", &forecast);
}

}  // namespace

void bind_inspect(nb::module_& m) {
  bind_forecast(m);
  m.def("check", &check, nb::arg("path"), nb::arg("data"), nb::arg("limit"),
        nb::arg("progress").none());
  m.def("details", &details);
  m.def("header", &header);
  m.def("storage", &storage);
  m.def("committed_type_of", [](const Object& object, const Text& attribute) {
    const CoreCall call;
    return onecast::committed_type_of(object, attribute.bytes);
  });
}
