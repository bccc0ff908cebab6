// Binds File, its options, and the records that it reports.

#include "onecast/objects/file.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>

#include "bindings.hpp"
#include "file_object.hpp"
#include "forgotten.hpp"
#include "onecast/base/error.hpp"
#include "onecast/objects/file_option_table.hpp"
#include "pending.hpp"
#include "text.hpp"

namespace {

using onecast::Access;
using onecast::Communicator;
using onecast::File;
using onecast::FileLocking;
using onecast::FileOption;
using onecast::FileOptions;
using onecast::Group;
using onecast::Independent;
using onecast::IoStats;
using onecast::MetadataReport;
using onecast::Recovered;

template <class Field, class Record>
struct Named {
  const char* name;
  Field Record::* field;
};
template <class Field, class Record>
Named(const char*, Field Record::*) -> Named<Field, Record>;

/// Binds a class of plain fields, whose `_asdict()` keeps their order.
template <class Record, class... Fields>
nb::class_<Record> bind_record(nb::module_& m, const char* name, const char* doc,
                               Named<Fields, Record>... fields) {
  nb::class_<Record> bound(m, name, doc);
  (bound.def_ro(fields.name, fields.field), ...);
  const auto as_dict = [fields...](const Record& record) {
    Typed<nb::dict, "dict[str, int]"> values;
    ((values[fields.name] = record.*(fields.field)), ...);
    return values;
  };
  bound.def("_asdict", as_dict, "The fields as a dict, in order.");
  bound.def(
      "__eq__",
      [as_dict](const Record& a, const Record& b) { return as_dict(a).equal(as_dict(b)); },
      nb::is_operator(), kEquals);
  bound.def("__repr__", [as_dict, name = std::string(name)](const Record& record) {
    return name + nb::cast<std::string>(nb::repr(as_dict(record)));
  });
  return bound;
}

void bind_reports(nb::module_& m) {
  bind_record<IoStats>(
      m, "IoStats",
      "The calls that this process made to the file system and the network for one file.",
      Named{"opens", &IoStats::opens}, Named{"reads", &IoStats::reads},
      Named{"bytes_read", &IoStats::bytes_read}, Named{"writes", &IoStats::writes},
      Named{"bytes_written", &IoStats::bytes_written}, Named{"syncs", &IoStats::syncs},
      Named{"collectives", &IoStats::collectives},
      Named{"file_nanoseconds", &IoStats::file_nanoseconds},
      Named{"exchange_nanoseconds", &IoStats::exchange_nanoseconds},
      Named{"shared_bytes", &IoStats::shared_bytes});
  bind_record<MetadataReport>(
      m, "MetadataReport", "A report on the metadata of an open file.",
      Named{"file_size", &MetadataReport::file_size},
      Named{"metadata_bytes", &MetadataReport::metadata_bytes},
      Named{"small_data_bytes", &MetadataReport::small_data_bytes},
      Named{"pieces", &MetadataReport::pieces}, Named{"page_size", &MetadataReport::page_size},
      Named{"pages", &MetadataReport::pages}, Named{"page_runs", &MetadataReport::page_runs},
      Named{"extents", &MetadataReport::extents}, Named{"free_bytes", &MetadataReport::free_bytes},
      Named{"stripes_touched", &MetadataReport::stripes_touched},
      Named{"stripe_size", &MetadataReport::stripe_size},
      Named{"reads_to_open", &MetadataReport::reads_to_open},
      Named{"page_list_stale", &MetadataReport::page_list_stale},
      Named{"complete", &MetadataReport::complete},
      Named{"objects_in_memory", &MetadataReport::objects_in_memory},
      Named{"memory_bytes", &MetadataReport::memory_bytes},
      Named{"most_memory_bytes", &MetadataReport::most_memory_bytes});
}

/// Contains the enumerations of the options that are choices.
struct Choices {};

/// Binds each option as a property. For a choice, an enumeration of its name is in the class
/// `choices`.
void bind_options(nb::module_& m) {
  nb::enum_<Recovered>(m, "Recovered")
      .value("nothing", Recovered::nothing)
      .value("complete", Recovered::complete)
      .value("undone", Recovered::undone)
      .value("unmarked", Recovered::unmarked);
  nb::class_<FileOptions> bound(m, "FileOptions");
  bound.def(nb::init<>()).def_rw("problem", &FileOptions::problem);
  const nb::class_<Choices> choices(m, "choices");
  const auto bind = [&]<class T>(const FileOption<T>& option) {
    if constexpr (std::is_enum_v<T>) {
      nb::enum_<T> choice(choices, option.name.data());
      const auto names = names_of(T{});
      for (std::size_t i = 0; i < names.size(); ++i)
        choice.value(names[i].data(), static_cast<T>(i));
    }
    bound.def_rw(option.name.data(), option.field);
  };
  std::apply([&](const auto&... option) { (bind(option), ...); }, onecast::kFileOptions);
}

/// Throws Error (state) at the end of the program, when nobody would close the file.
void require_program() {
  if (is_left_behind()) throw onecast::Error(onecast::ErrorCode::state, "the program ends");
}

File create(const Text& path, const std::optional<Communicator>& communicator,
            const FileOptions& options) {
  require_program();
  return communicator ? File::create(path.bytes, *communicator, options)
                      : File::create(path.bytes, options);
}

File open(const Text& path, bool writable, const std::optional<Communicator>& communicator,
          const FileOptions& options) {
  require_program();
  const Access access = writable ? Access::read_write : Access::read_only;
  return communicator ? File::open(path.bytes, access, *communicator, options)
                      : File::open(path.bytes, access, options);
}

File create_in(const nb::object& bytes, const Text& name, bool is_remote,
               const std::optional<Communicator>& communicator, const FileOptions& options) {
  require_program();
  const auto object = bytes_of_object(bytes, name.bytes, is_remote);
  const CoreCall call;
  return File::create(object, communicator.value_or(Communicator()), options);
}

File open_in(const nb::object& bytes, const Text& name, bool is_remote, bool writable,
             const std::optional<Communicator>& communicator, const FileOptions& options) {
  require_program();
  const auto object = bytes_of_object(bytes, name.bytes, is_remote);
  const CoreCall call;
  return File::open(object, writable ? Access::read_write : Access::read_only,
                    communicator.value_or(Communicator()), options);
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
      .def_static("create_in", &create_in, nb::arg("bytes"), nb::arg("name"), nb::arg("is_remote"),
                  nb::arg("communicator").none(), nb::arg("options"))
      .def_static("open_in", &open_in, nb::arg("bytes"), nb::arg("name"), nb::arg("is_remote"),
                  nb::arg("writable"), nb::arg("communicator").none(), nb::arg("options"))
      .def_static(
          "recover",
          [](const Text& path, FileLocking locking) { return File::recover(path.bytes, locking); },
          nb::arg("path"), nb::arg("locking"), core_call())
      .def("root", &File::root, core_read())
      .def_prop_ro("path", [](const File& file) { return Text{file.path()}; })
      .def_prop_ro("writable", [](const File& file) { return file.access() == Access::read_write; })
      .def_prop_ro("profile", &File::profile)
      .def_prop_ro("userblock_size", &File::userblock_size, core_read())
      .def_prop_ro("is_open", &File::is_open)
      .def("same_file", &File::same_file)
      .def_prop_ro("communicator", &File::communicator)
      .def("flush", &File::flush, core_call())
      .def("rollback", &File::rollback, core_call())
      .def("start_swmr", &File::start_swmr, core_call())
      .def_prop_ro("is_swmr", &File::is_swmr)
      .def("refresh", &File::refresh, core_call())
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
  m.def("let_go_of_object", &let_go_of_object, nb::arg("file"));
}
