#include "onecast/capi/file.h"

#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>

#include "capi/arguments.hpp"
#include "capi/file_option_members.hpp"
#include "capi/growing_struct.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/objects/file_option_table.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

constexpr std::uint64_t kNotGiven = UINT64_MAX;

template <class Theirs, class Ours>
Theirs in_c(const Ours& value) {
  return static_cast<Theirs>(value);
}
template <class Theirs, class Number>
Theirs in_c(const std::optional<Number>& value) {
  return value.value_or(kNotGiven);
}

template <class Ours, class Theirs>
void take(Ours& option, Theirs given, const char* name) {
  if constexpr (std::is_enum_v<Ours>) {
    constexpr auto kLast = static_cast<Ours>(names_of(Ours{}).size() - 1);
    option = enumeration_of(static_cast<int>(given), kLast, name);
  } else {
    option = static_cast<Ours>(given);
  }
}
template <class Number, class Theirs>
void take(std::optional<Number>& option, Theirs given, const char* /*name*/) {
  if (given != kNotGiven) option = given;
}

template <class F>
void for_each_member(F&& work) {
  std::apply([&](const auto&... member) { (work(member), ...); }, kOptionMembers);
}

onecast_file_options default_options() {
  const FileOptions all;
  onecast_file_options options = {};
  options.size = sizeof options;
  for_each_member([&]<class Ours, class Theirs>(const OptionMember<Ours, Theirs>& member) {
    options.*member.theirs = in_c<Theirs>(all.*member.ours);
  });
  return options;
}

}  // namespace

namespace onecast::capi {

FileOptions file_options_of(const onecast_file_options* options) {
  const onecast_file_options given =
      completed(default_options(), options, "onecast_file_options_init");
  FileOptions all;
  for_each_member(
      [&](const auto& member) { take(all.*member.ours, given.*member.theirs, member.name); });
  for (const onecast_hint& hint : list(given.hints, given.hint_count, "hints"))
    all.hints[required_text(hint.name, "name of a hint")] =
        required_text(hint.value, "value of a hint");
  return all;
}

Access access_of(onecast_access access) {
  return enumeration_of(static_cast<int>(access), Access::read_write, "access");
}

}  // namespace onecast::capi

onecast_status onecast_file_options_init(onecast_file_options* options, size_t size) {
  return guard([&] { give_options(options, size, default_options()); });
}

onecast_status onecast_file_create(const char* path, const onecast_file_options* options,
                                   onecast_file** file) {
  return guard_making(file, [&] {
    required(file, "file");
    *file = new onecast_file{File::create(required_text(path, "path"), file_options_of(options))};
  });
}

onecast_status onecast_file_open(const char* path, onecast_access access,
                                 const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    required(file, "file");
    *file = new onecast_file{
        File::open(required_text(path, "path"), access_of(access), file_options_of(options))};
  });
}

onecast_status onecast_file_close(onecast_file** file) {
  return guard([&] {
    const std::unique_ptr<onecast_file> closed(std::exchange(required(file, "file"), nullptr));
    if (closed == nullptr) return;
    closed->independent.clear();
    closed->file.close();
  });
}

void onecast_file_abandon(onecast_file** file, const char* reason) {
  if (file == nullptr || *file == nullptr) return;
  const std::unique_ptr<onecast_file> abandoned(std::exchange(*file, nullptr));
  static_cast<void>(guard([&] {
    abandoned->independent.clear();
    abandoned->file.abandon(reason != nullptr ? reason : "it abandoned the file");
  }));
}

onecast_status onecast_file_flush(onecast_file* file) {
  return guard([&] { required(file, "file").file.flush(); });
}

onecast_status onecast_file_start_swmr(onecast_file* file) {
  return guard([&] { required(file, "file").file.start_swmr(); });
}

onecast_status onecast_file_is_swmr(const onecast_file* file, int* is_swmr) {
  return guard(
      [&] { required(is_swmr, "is_swmr") = required(file, "file").file.is_swmr() ? 1 : 0; });
}

onecast_status onecast_file_refresh(onecast_file* file) {
  return guard([&] { required(file, "file").file.refresh(); });
}

onecast_status onecast_file_rollback(onecast_file* file) {
  return guard([&] { required(file, "file").file.rollback(); });
}

onecast_status onecast_file_root(onecast_file* file, onecast_object** root) {
  return guard_making(root, [&] {
    required(root, "root");
    give_object(root, required(file, "file").file.root());
  });
}

onecast_status onecast_file_path(const onecast_file* file, const char** path) {
  return guard([&] { required(path, "path") = required(file, "file").file.path().c_str(); });
}

onecast_status onecast_file_get_access(const onecast_file* file, onecast_access* access) {
  return guard([&] {
    required(access, "access") = static_cast<onecast_access>(required(file, "file").file.access());
  });
}

onecast_status onecast_file_get_profile(const onecast_file* file, onecast_profile* profile) {
  return guard([&] {
    required(profile, "profile") =
        static_cast<onecast_profile>(required(file, "file").file.profile());
  });
}

onecast_status onecast_file_get_ranks(const onecast_file* file, int* rank, int* size) {
  return guard([&] {
    const Communicator communicator = required(file, "file").file.communicator();
    if (rank != nullptr) *rank = communicator.rank();
    if (size != nullptr) *size = communicator.size();
  });
}

onecast_status onecast_file_independent_begin(onecast_file* file) {
  return guard([&] {
    onecast_file& opened = required(file, "file");
    opened.independent.push_back(opened.file.independent());
  });
}

onecast_status onecast_file_independent_end(onecast_file* file) {
  return guard([&] {
    auto& begun = required(file, "file").independent;
    if (begun.empty())
      throw Error(ErrorCode::state,
                  file->file.path() + ": onecast_file_independent_end without a begin");
    begun.pop_back();
  });
}

onecast_status onecast_file_prefetch_all(onecast_file* file, const char* path, int recursive) {
  return guard([&] {
    required(file, "file").file.prefetch_all(required_text(path, "path"), recursive != 0);
  });
}

onecast_status onecast_file_adopt(onecast_file* file, int* had_none) {
  return guard([&] {
    const bool none = required(file, "file").file.adopt();
    if (had_none != nullptr) *had_none = none ? 1 : 0;
  });
}

onecast_status onecast_file_explain(const onecast_file* file, char** text) {
  return guard_making(text, [&] {
    required(text, "text");
    *text = returned_text(required(file, "file").file.explain());
  });
}

onecast_status onecast_file_unused_hints(const onecast_file* file, size_t* count, char*** names) {
  return guard_listing(names, count, [&] {
    const auto& unused = required(file, "file").file.unused_hints();
    required(count, "count");
    required(names, "names");
    *names = returned_texts(unused);
    *count = unused.size();
  });
}

onecast_status onecast_file_recover(const char* path, onecast_locking locking,
                                    onecast_recovered* recovered) {
  return guard([&] {
    FileLocking how{};
    take(how, locking, "locking");
    const Recovered found = File::recover(required_text(path, "path"), how);
    if (recovered != nullptr) *recovered = static_cast<onecast_recovered>(found);
  });
}

onecast_status onecast_file_io_stats(const onecast_file* file, onecast_io_stats* stats,
                                     size_t size) {
  return guard([&] {
    const IoStats all = required(file, "file").file.io_stats();
    const onecast_io_stats given = {all.opens,
                                    all.reads,
                                    all.bytes_read,
                                    all.writes,
                                    all.bytes_written,
                                    all.syncs,
                                    all.collectives,
                                    all.file_nanoseconds,
                                    all.exchange_nanoseconds,
                                    all.shared_bytes};
    give_struct(stats, size, given, "stats");
  });
}

onecast_status onecast_file_metadata_report(const onecast_file* file,
                                            onecast_metadata_report* report, size_t size) {
  return guard([&] {
    const MetadataReport all = required(file, "file").file.metadata_report();
    onecast_metadata_report given = {};
    given.file_size = all.file_size;
    given.metadata_bytes = all.metadata_bytes;
    given.small_data_bytes = all.small_data_bytes;
    given.pieces = all.pieces;
    given.page_size = all.page_size;
    given.pages = all.pages;
    given.page_runs = all.page_runs;
    given.extents = all.extents;
    given.stripes_touched = all.stripes_touched;
    given.reads_to_open = all.reads_to_open;
    given.page_list_stale = all.page_list_stale ? 1 : 0;
    given.complete = all.complete ? 1 : 0;
    given.objects_in_memory = all.objects_in_memory;
    given.memory_bytes = all.memory_bytes;
    given.most_memory_bytes = all.most_memory_bytes;
    given.stripe_size = all.stripe_size;
    given.free_bytes = all.free_bytes;
    give_struct(report, size, given, "report");
  });
}
