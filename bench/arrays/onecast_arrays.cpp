// Onecast writes and reads arrays of which each rank has a part.
#include <span>
#include <vector>

#include "../programs/onecast_program.hpp"
#include "arrays.h"

namespace {

using onecast::Dataset;
using onecast::File;
using onecast::Selection;

struct State {
  std::optional<File> file;
  std::vector<Dataset> arrays;
};

State& state_of(const ArrayJob* job) { return *static_cast<State*>(job->state); }

std::string_view setting_of(const ArrayJob* job) { return job->bench->options.setting; }

onecast::FileOptions options_of(const ArrayJob* job) {
  onecast::FileOptions options;
  options.method = onecast_bench::method_of(setting_of(job));
  if (setting_of(job) == "serve") options.sharing = onecast::Sharing::serve;
  // Without this, small arrays would be part of the metadata.
  if (!setting_of(job).ends_with("compact")) options.compact_limit = 0;
  if (setting_of(job) == "auto_reserved_compact") options.metadata_reserve = 2U << 20U;
  return options;
}

onecast::Datatype type_of(const BenchArray& array) {
  if (array.element == 1) return onecast::Datatype::of<std::uint8_t>();
  if (array.element == 4) return onecast::Datatype::of<std::int32_t>();
  if (array.type[0] == 'i') return onecast::Datatype::of<std::int64_t>();
  return onecast::Datatype::of<double>();
}

Selection selection_of(const ArrayPart& part) {
  if (arrays_elements(&part) == 0) return Selection::none();
  return onecast::Hyperslab{{part.start[0], part.start[1]}, {part.count[0], part.count[1]}};
}

void create(const ArrayJob* job) {
  State& state = state_of(job);
  state.file = File::create(job->bench->options.file, onecast_bench::world(), options_of(job));
  for (const BenchArray& array : std::span(job->arrays, static_cast<std::size_t>(job->count)))
    state.arrays.push_back(state.file->root().create_dataset(
        array.name, {type_of(array), onecast::Dataspace({array.shape[0], array.shape[1]})}));
  state.file->flush();
}

std::span<const std::byte> data_of(const ArrayJob* job, int a, const ArrayPart& part) {
  return std::as_bytes(std::span(job->data[a], arrays_bytes(&job->arrays[a], &part)));
}

std::span<std::byte> room_of(const ArrayJob* job, int a, const ArrayPart& part) {
  return std::as_writable_bytes(std::span(job->read[a], arrays_bytes(&job->arrays[a], &part)));
}

void write_at_once(const ArrayJob* job) {
  std::vector<onecast::WriteRequest> requests;
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = arrays_own_part(job, a);
    requests.push_back({state_of(job).arrays[static_cast<std::size_t>(a)], data_of(job, a, part),
                        selection_of(part)});
  }
  state_of(job).file->write_multi(requests);
}

void read_at_once(const ArrayJob* job) {
  std::vector<onecast::ReadRequest> requests;
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = arrays_read_part(job, a);
    requests.push_back({state_of(job).arrays[static_cast<std::size_t>(a)], room_of(job, a, part),
                        selection_of(part)});
  }
  state_of(job).file->read_multi(requests);
}

void write(const ArrayJob* job) {
  const std::string_view setting = setting_of(job);
  if (setting == "multi") return write_at_once(job);
  for (int a = 0; a < job->count; ++a) {
    Dataset& array = state_of(job).arrays[static_cast<std::size_t>(a)];
    const ArrayPart part = arrays_own_part(job, a);
    const auto bytes = data_of(job, a, part);
    if (setting.starts_with("equal"))
      array.write_equal(bytes, selection_of(part));
    else if (setting == "alone")
      array.write(bytes, selection_of(part));
    else
      array.write_all(bytes, selection_of(part));
  }
}

void read(const ArrayJob* job) {
  if (setting_of(job) == "multi") return read_at_once(job);
  for (int a = 0; a < job->count; ++a) {
    const Dataset& array = state_of(job).arrays[static_cast<std::size_t>(a)];
    const ArrayPart part = arrays_read_part(job, a);
    const auto bytes = room_of(job, a, part);
    if (setting_of(job) == "alone")
      array.read(bytes, selection_of(part));
    else
      array.read_all(bytes, selection_of(part));
  }
}

void open(const ArrayJob* job, int writable) {
  State& state = state_of(job);
  const auto access = writable != 0 ? onecast::Access::read_write : onecast::Access::read_only;
  state.file =
      File::open(job->bench->options.file, access, onecast_bench::world(), options_of(job));
  for (const BenchArray& array : std::span(job->arrays, static_cast<std::size_t>(job->count)))
    state.arrays.push_back(state.file->root().open_dataset(array.name));
}

void flush(const ArrayJob* job) { state_of(job).file->flush(); }

void close(const ArrayJob* job) {
  state_of(job).file->close();
  state_of(job).arrays.clear();
}

void modify(const ArrayJob* job) {
  onecast::Group root = state_of(job).file->root();
  root.create_dataset("reserved",
                      {onecast::Datatype::of<double>(), onecast::Dataspace({BENCH_RESERVED})});
  root.set_attribute("changed", 1);
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_program(argc, argv, [](Bench& bench) {
    const ArrayCalls calls{create, write, flush, close, open, read, modify};
    State state;
    arrays_run(&bench, &calls, &state);
  });
}
