// File, its options, and the records it reports.

#include "onecast/objects/file.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "pending.hpp"
#include "text.hpp"

namespace {

using onecast::Access;
using onecast::Communicator;
using onecast::File;
using onecast::FileLocking;
using onecast::FileOptions;
using onecast::FollowExternal;
using onecast::Group;
using onecast::Independent;
using onecast::IoStats;
using onecast::LoadPolicy;
using onecast::MetadataReport;
using onecast::Profile;
using onecast::Recovered;
using onecast::Sharing;
using onecast::TransferMethod;

template <class Field, class Record>
struct Named {
  const char* name;
  Field Record::* field;
};
template <class Field, class Record>
Named(const char*, Field Record::*) -> Named<Field, Record>;

/// A class of plain fields, with `_asdict()` in their order.
template <class Record, class... Fields>
nb::class_<Record> bind_record(nb::module_& m, const char* name, const char* doc,
                               Named<Fields, Record>... fields) {
  nb::class_<Record> bound(m, name, doc);
  (bound.def_ro(fields.name, fields.field), ...);
  const auto as_dict = [fields...](const Record& record) {
    nb::dict values;
    ((values[fields.name] = record.*(fields.field)), ...);
    return values;
  };
  bound.def("_asdict", as_dict, "The fields as a dict, in order.");
  bound.def("__eq__",
            [as_dict](const Record& a, const Record& b) { return as_dict(a).equal(as_dict(b)); });
  bound.def("__repr__", [as_dict, name = std::string(name)](const Record& record) {
    return name + nb::cast<std::string>(nb::repr(as_dict(record)));
  });
  return bound;
}

void bind_reports(nb::module_& m) {
  bind_record<IoStats>(
      m, "IoStats", "What this process did to the file system and the network for one file.",
      Named{"opens", &IoStats::opens}, Named{"reads", &IoStats::reads},
      Named{"bytes_read", &IoStats::bytes_read}, Named{"writes", &IoStats::writes},
      Named{"bytes_written", &IoStats::bytes_written}, Named{"syncs", &IoStats::syncs},
      Named{"collectives", &IoStats::collectives});
  bind_record<MetadataReport>(
      m, "MetadataReport", "How the metadata of an open file lies.",
      Named{"file_size", &MetadataReport::file_size},
      Named{"metadata_bytes", &MetadataReport::metadata_bytes},
      Named{"small_data_bytes", &MetadataReport::small_data_bytes},
      Named{"pieces", &MetadataReport::pieces}, Named{"page_size", &MetadataReport::page_size},
      Named{"pages", &MetadataReport::pages}, Named{"page_runs", &MetadataReport::page_runs},
      Named{"extents", &MetadataReport::extents},
      Named{"stripes_touched", &MetadataReport::stripes_touched},
      Named{"reads_to_open", &MetadataReport::reads_to_open},
      Named{"page_list_stale", &MetadataReport::page_list_stale},
      Named{"complete", &MetadataReport::complete},
      Named{"objects_in_memory", &MetadataReport::objects_in_memory},
      Named{"memory_bytes", &MetadataReport::memory_bytes},
      Named{"most_memory_bytes", &MetadataReport::most_memory_bytes});
}

void bind_options(nb::module_& m) {
  nb::enum_<LoadPolicy>(m, "LoadPolicy")
      .value("automatic", LoadPolicy::automatic)
      .value("eager", LoadPolicy::eager)
      .value("lazy", LoadPolicy::lazy);
  nb::enum_<FollowExternal>(m, "FollowExternal")
      .value("nowhere", FollowExternal::nowhere)
      .value("everywhere", FollowExternal::everywhere)
      .value("folder", FollowExternal::folder);
  nb::enum_<Profile>(m, "Profile")
      .value("compatible", Profile::compatible)
      .value("latest", Profile::latest);
  nb::enum_<FileLocking>(m, "FileLocking")
      .value("on", FileLocking::on)
      .value("off", FileLocking::off)
      .value("best_effort", FileLocking::best_effort);
  nb::enum_<Recovered>(m, "Recovered")
      .value("nothing", Recovered::nothing)
      .value("complete", Recovered::complete)
      .value("undone", Recovered::undone);
  nb::enum_<Sharing>(m, "Sharing")
      .value("auto", Sharing::automatic)
      .value("trust", Sharing::trust)
      .value("verify", Sharing::verify)
      .value("serve", Sharing::serve);
  nb::enum_<TransferMethod>(m, "TransferMethod")
      .value("auto", TransferMethod::automatic)
      .value("plain", TransferMethod::plain)
      .value("independent", TransferMethod::independent)
      .value("collective", TransferMethod::collective)
      .value("broadcast", TransferMethod::broadcast);
  nb::class_<FileOptions>(m, "FileOptions")
      .def(nb::init<>())
      .def_rw("page_size", &FileOptions::page_size)
      .def_rw("profile", &FileOptions::profile)
      .def_rw("compact_limit", &FileOptions::compact_limit)
      .def_rw("compact_total", &FileOptions::compact_total)
      .def_rw("metadata_budget", &FileOptions::metadata_budget)
      .def_rw("small_data_limit", &FileOptions::small_data_limit)
      .def_rw("load_policy", &FileOptions::load_policy)
      .def_rw("stripe_size", &FileOptions::stripe_size)
      .def_rw("single_writer_stripes", &FileOptions::single_writer_stripes)
      .def_rw("alignment_threshold", &FileOptions::alignment_threshold)
      .def_rw("alignment_interval", &FileOptions::alignment_interval)
      .def_rw("durable", &FileOptions::durable)
      .def_rw("journal", &FileOptions::journal)
      .def_rw("locking", &FileOptions::locking)
      .def_rw("follow_external", &FileOptions::follow_external)
      .def_rw("decode_threads", &FileOptions::decode_threads)
      .def_rw("chunk_cache_bytes", &FileOptions::chunk_cache_bytes)
      .def_rw("sharing", &FileOptions::sharing)
      .def_rw("stripe_count", &FileOptions::stripe_count)
      .def_rw("method", &FileOptions::method)
      .def_rw("collective_buffer", &FileOptions::collective_buffer)
      .def_rw("aggregators", &FileOptions::aggregators)
      .def_rw("hints", &FileOptions::hints)
      .def_rw("mpi_io", &FileOptions::mpi_io);
}

File create(const Text& path, const std::optional<Communicator>& communicator,
            const FileOptions& options) {
  return communicator ? File::create(path.bytes, *communicator, options)
                      : File::create(path.bytes, options);
}

File open(const Text& path, bool writable, const std::optional<Communicator>& communicator,
          const FileOptions& options) {
  const Access access = writable ? Access::read_write : Access::read_only;
  return communicator ? File::open(path.bytes, access, *communicator, options)
                      : File::open(path.bytes, access, options);
}

}  // namespace

void bind_multi(nb::class_<File>& file);  // multi.cpp

void bind_file(nb::module_& m) {
  bind_reports(m);
  bind_options(m);
  nb::class_<Communicator>(m, "Communicator", "The processes that open a file together.")
      .def_prop_ro("rank", &Communicator::rank)
      .def_prop_ro("size", &Communicator::size);

  nb::class_<Independent>(m, "Independent").def("end", &Independent::end, core_call());
  nb::class_<File> bound(m, "File");
  bound
      .def_static("create", &create, nb::arg("path"), nb::arg("communicator").none(),
                  nb::arg("options"), core_call())
      .def_static("open", &open, nb::arg("path"), nb::arg("writable"),
                  nb::arg("communicator").none(), nb::arg("options"), core_call())
      .def_static(
          "recover",
          [](const Text& path, FileLocking locking) { return File::recover(path.bytes, locking); },
          nb::arg("path"), nb::arg("locking"), core_call())
      .def("root", &File::root, core_read())
      .def_prop_ro("path", [](const File& file) { return Text{file.path()}; })
      .def_prop_ro("writable", [](const File& file) { return file.access() == Access::read_write; })
      .def_prop_ro("profile", &File::profile)
      .def_prop_ro("is_open", &File::is_open)
      .def("same_file", &File::same_file)
      .def_prop_ro("communicator", &File::communicator)
      .def("flush", &File::flush, core_call())
      .def("flush_async",
           [](File& file) {
             const CoreCall call;
             return std::make_unique<PendingTransfer>(file.flush_async());
           })
      .def("adopt", &File::adopt, core_call())
      .def("close", &File::close, core_call())
      .def(
          "abandon", [](File& file, const Text& reason) { file.abandon(reason.bytes); },
          nb::arg("reason"), core_call())
      .def("independent", &File::independent, core_call())
      .def(
          "prefetch_all",
          [](File& file, const Text& path, bool recursive) {
            file.prefetch_all(path.bytes, recursive);
          },
          core_call())
      .def("io_stats", &File::io_stats, core_read())
      .def("metadata_report", &File::metadata_report, core_read())
      .def("explain", &File::explain, core_read())
      .def_prop_ro("unused_hints", &File::unused_hints);
  bind_multi(bound);
}
