#include "objects/any_layout/selected_elements.hpp"

#include <algorithm>
#include <cstring>

#include "base/make_error.hpp"
#include "base/sieve.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunked_read.hpp"
#include "objects/contiguous/external_data.hpp"
#include "objects/contiguous/late_allocation.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/mapped_elements.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "space/selection_parts.hpp"

namespace onecast::any_layout {
namespace {

[[noreturn]] void refuse(const Node& dataset, const std::string& what) {
  throw unsupported_error("{}: not supported: {}", dataset.where(), what);
}

/// Throws unless compact or contiguous data is as long as the dataspace says.
void check_length(const Node& dataset, std::uint64_t stored, std::uint64_t needed) {
  if (stored < needed)
    throw format_error(
        "{}: address {:#x}: Data Layout Message: Size: {} bytes are "
        "stored, {} are needed",
        dataset.where(), dataset.address.value, stored, needed);
}

std::uint64_t byte_count(const Node& dataset, const DatasetInfo& info) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(info.space.element_count(), info.type.size(), &bytes))
    throw format_error("{}: more than 2^64 bytes", dataset.where());
  return bytes;
}

template <class F>
void for_each_byte_run(const BoundSelection& selection, std::size_t element, F&& each) {
  std::size_t done = 0;
  selection.for_each_run([&](std::uint64_t first, std::uint64_t count) {
    const auto size = static_cast<std::size_t>(count) * element;
    each(first * element, done, size);
    done += size;
  });
}

/// Calls each(offset, size of a run, distance, number of runs, position of the first in memory) for
/// series of equally spaced runs.
template <class F>
void for_each_byte_series(const BoundSelection& selection, std::size_t element, F&& each) {
  std::size_t done = 0;
  selection.for_each_series(
      [&](std::uint64_t at, std::uint64_t count, std::uint64_t stride, std::uint64_t runs) {
        const auto size = static_cast<std::size_t>(count) * element;
        each(at * element, size, stride * element, runs, done);
        done += size * static_cast<std::size_t>(runs);
      });
}

/// Goes through the series of a selection with the packed elements in windows: `window` holds a
/// part of them at a time. Calls `begin(first byte, bytes)` for each part, then add(offset, size of
/// a run, distance, number of runs, memory), then end(first byte, bytes).
template <class Begin, class Add, class End>
void in_windows(const BoundSelection& selection, std::size_t element, Buffer& window, Begin&& begin,
                Add&& add, End&& end) {
  const std::size_t all = static_cast<std::size_t>(selection.element_count()) * element;
  std::size_t first = 0;
  std::size_t last = 0;
  const auto part = [&] { return window.span().first(last - first); };
  const auto next = [&] {
    if (last != first) end(first, part());
    first = last;
    last = std::min(all, first + window.size());
    if (last != first) begin(first, part());
  };
  for_each_byte_series(
      selection, element,
      [&](std::uint64_t at, std::size_t size, std::uint64_t stride, std::uint64_t runs,
          std::size_t done) {
        while (runs != 0) {
          if (done == last) next();
          std::byte* memory = window.data() + (done - first);
          if (const std::uint64_t n = std::min<std::uint64_t>(runs, (last - done) / size); n != 0) {
            add(at, size, stride, n, memory);
            at += n * stride;
            done += static_cast<std::size_t>(n) * size;
            runs -= n;
            continue;
          }
          for (std::size_t in_run = 0; in_run < size;) {
            if (done == last) next();
            const std::size_t n = std::min(size - in_run, last - done);
            add(at + in_run, n, n, 1, window.data() + (done - first));
            in_run += n;
            done += n;
          }
          at += stride;
          --runs;
        }
      });
  next();
}

Buffer make_window(const BoundSelection& selection, std::size_t element) {
  const std::uint64_t most = std::max<std::uint64_t>(1, kConvertedAtOnce / element);
  return Buffer(static_cast<std::size_t>(std::min(most, selection.element_count())) * element);
}

/// Reads selected elements with `read(offset, bytes)`, which reads from contiguous storage of all
/// elements.
template <class Read>
void read_runs(const BoundSelection& selection, std::size_t element, const ElementTarget& out,
               Read&& read) {
  Sieve sieve(read);
  const auto add = [&](std::uint64_t at, std::size_t size, std::uint64_t stride, std::uint64_t runs,
                       std::byte* memory) { sieve.add_series(at, size, stride, runs, memory); };
  if (out.is_direct()) {
    for_each_byte_series(
        selection, element,
        [&](std::uint64_t at, std::size_t size, std::uint64_t stride, std::uint64_t runs,
            std::size_t done) { add(at, size, stride, runs, out.bytes().data() + done); });
    return sieve.finish();
  }
  Buffer window = make_window(selection, element);
  in_windows(
      selection, element, window, [](std::size_t, std::span<std::byte>) {}, add,
      [&](std::size_t first, std::span<const std::byte> bytes) {
        sieve.finish();
        out.take(first / element, bytes, element);
      });
}

/// Copies selected elements from contiguous memory.
void copy_selected(ByteView all, const BoundSelection& selection, std::size_t element,
                   std::span<std::byte> out) {
  for_each_byte_series(selection, element,
                       [&](std::uint64_t at, std::size_t size, std::uint64_t stride,
                           std::uint64_t runs, std::size_t done) {
                         copy_strided(all.data() + at, stride, out.data() + done, size, size, runs);
                       });
}

void read_contiguous(Node& dataset, const BoundSelection& selection, std::uint64_t bytes,
                     const ElementTarget& out) {
  const DatasetInfo& info = dataset.dataset();
  if (const auto known = file_of(dataset).store().find_data(info.address, bytes);
      known && out.is_direct())
    return copy_selected(*known, selection, info.type.size(), out.bytes());
  read_runs(selection, info.type.size(), out, [&](std::uint64_t at, std::span<std::byte> part) {
    read_raw(file_of(dataset), info.address + at, part);
  });
}

/// Passes the selected elements to a sieve by its functions `add` and `finish`.
template <class Add, class Finish>
void write_runs(const BoundSelection& selection, std::size_t element,
                const StoredElements& elements, Add&& add, Finish&& finish) {
  if (elements.are_there()) {
    for_each_byte_series(
        selection, element,
        [&](std::uint64_t at, std::size_t size, std::uint64_t stride, std::uint64_t runs,
            std::size_t done) { add(at, size, stride, runs, elements.bytes().data() + done); });
    return finish();
  }
  Buffer window = make_window(selection, element);
  in_windows(
      selection, element, window,
      [&](std::size_t first, std::span<std::byte> part) {
        elements.copy(first / element, part, element);
      },
      add, [&](std::size_t, std::span<std::byte>) { finish(); });
}

/// Writes contiguous data that waits for the flush.
void write_waiting(Node& dataset, const BoundSelection& selection, const StoredElements& elements) {
  const DatasetInfo& info = dataset.dataset();
  const std::size_t element = info.type.size();
  const std::uint64_t size = byte_count(dataset, info);
  if (size == 0 || selection.element_count() == 0) return;
  std::unique_ptr<WaitingBytes> fresh;
  if (dataset.waiting() == nullptr)
    fresh = std::make_unique<WaitingBytes>(file_of(dataset).changes().waiting, size, element,
                                           info.fill_value);
  WaitingBytes& data = fresh ? *fresh : *dataset.waiting();
  if (!data.is_in_memory()) {
    IntervalSet wanted;
    wanted.add(size - 1, size);
    for_each_byte_run(selection, element, [&](std::uint64_t at, std::size_t, std::size_t count) {
      wanted.add(at, at + count);
    });
    for (const auto& [start, end] : wanted.intervals()) data.reserve(start, end - start);
  }
  WriteSieve sieve(
      true, [&](std::uint64_t at, std::span<std::byte> part) { data.read(at, part); },
      [&](std::uint64_t at, std::span<const std::byte> part) { data.write(at, part); });
  write_runs(
      selection, element, elements,
      [&](std::uint64_t at, std::size_t run, std::uint64_t stride, std::uint64_t runs,
          const std::byte* memory) { sieve.add_series(at, run, stride, runs, memory); },
      [&] { sieve.finish(); });
  // Makes the data reach as far as all ranks assume.
  data.write_end();
  if (fresh) dataset.set_waiting(std::move(fresh));
}

void check_inside_file(const Node& dataset, const DatasetInfo& info, std::uint64_t bytes) {
  const FileState& file = file_of(dataset);
  const std::uint64_t end = file.has_allocator()
                                ? file.allocator().end()
                                : file.store().superblock().end_of_file_address.value -
                                      file.store().superblock().base_address.value;
  if (info.address.value > end || bytes > end - info.address.value)
    throw format_error(
        "{}: address {:#x}: Data Layout Message: Address: {} bytes there leave the "
        "file, which ends at {:#x}",
        dataset.where(), info.address.value, bytes, end);
}

}  // namespace

void require_stored(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  const std::uint64_t bytes = byte_count(dataset, info);
  if (info.layout == Layout::compact) check_length(dataset, info.compact.size(), bytes);
  if (info.layout == Layout::contiguous && info.address.is_defined())
    check_inside_file(dataset, info, bytes);
}

bool is_in_memory(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  if (info.layout == Layout::compact) return true;
  if (info.layout != Layout::contiguous || info.is_external()) return false;
  return dataset.waiting() != nullptr || !info.address.is_defined() ||
         file_of(dataset).store().find_data(info.address, byte_count(dataset, info)).has_value();
}

namespace {

/// Reads contiguous data of which no element, or not every element, is written yet.
void read_unwritten(Node& dataset, const BoundSelection& selection, const ElementTarget& out) {
  const DatasetInfo& info = dataset.dataset();
  const std::size_t element = info.type.size();
  if (!info.address.is_defined())
    return out.fill(selection.element_count(), info.fill_value, element);
  if (out.is_direct()) return read_unfilled(dataset, selection, out.bytes());
  Buffer window;
  std::uint64_t done = 0;
  for_each_part(selection, {}, kConvertedAtOnce / element, [&](const SelectionPart& part) {
    const std::size_t size = static_cast<std::size_t>(part.count) * element;
    if (window.size() < size) window = Buffer(size);
    const auto bytes = window.span().first(size);
    read_unfilled(dataset, BoundSelection(info.space, selection.within(part.box), dataset), bytes);
    out.take(done, bytes, element);
    done += part.count;
  });
}

void read_compact(Node& dataset, const BoundSelection& selection, const ElementTarget& out) {
  const DatasetInfo& info = dataset.dataset();
  const std::size_t element = info.type.size();
  if (out.is_direct()) return copy_selected(info.compact, selection, element, out.bytes());
  Buffer all(static_cast<std::size_t>(selection.element_count()) * element);
  copy_selected(info.compact, selection, element, all.span());
  out.take(0, all.span(), element);
}

}  // namespace

void read_selected(Node& dataset, const BoundSelection& selection, std::span<std::byte> out) {
  read_selected(dataset, selection, ElementTarget(out));
}

void read_selected(Node& dataset, const BoundSelection& selection, const ElementTarget& out) {
  if (selection.element_count() == 0) return;
  const DatasetInfo& info = dataset.dataset();
  const std::uint64_t bytes = byte_count(dataset, info);
  const bool has_place = info.address.is_defined() && !may_be_unfilled(dataset);
  switch (info.layout) {
    case Layout::contiguous:
      if (info.is_external())
        return read_runs(selection, info.type.size(), out,
                         [&](std::uint64_t at, std::span<std::byte> part) {
                           external_data_of(info).read(at, part);
                         });
      if (dataset.waiting() != nullptr)
        return read_runs(selection, info.type.size(), out,
                         [&](std::uint64_t at, std::span<std::byte> part) {
                           dataset.waiting()->read(at, part);
                         });
      if (info.address.is_defined()) check_inside_file(dataset, info, bytes);
      if (has_place) return read_contiguous(dataset, selection, bytes, out);
      break;
    case Layout::chunked:
      return read_chunked(dataset, selection, out);
    case Layout::compact:
      check_length(dataset, info.compact.size(), bytes);
      return read_compact(dataset, selection, out);
    case Layout::virtual_dataset:
      return static_cast<const MappedElements&>(*info.storage).read(selection, out);
  }
  read_unwritten(dataset, selection, out);
}

void require_contiguous(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  constexpr const char* kOthers[] = {"compact storage", "", "chunked storage", "a virtual dataset"};
  if (info.is_external()) return;
  if (info.layout != Layout::contiguous)
    refuse(dataset, std::string("writing to ") + kOthers[static_cast<int>(info.layout)]);
  const std::uint64_t bytes = byte_count(dataset, info);
  if (bytes == 0 || dataset.is_local() || has_no_place(dataset, info)) return;
  check_inside_file(dataset, info, bytes);
}

void require_writable_storage(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  if (info.layout != Layout::chunked) return require_contiguous(dataset);
  require_coders(dataset);
}

void write_contiguous(Node& dataset, const BoundSelection& selection,
                      const StoredElements& elements) {
  require_contiguous(dataset);
  const DatasetInfo& info = dataset.dataset();
  FileState& file = file_of(dataset);
  if ((dataset.is_local() || dataset.waiting() != nullptr) && !info.is_external())
    return write_waiting(dataset, selection, elements);
  if (has_no_place(dataset, info)) refuse(dataset, "writing to contiguous storage without a place");
  const bool external = info.is_external();
  // Other programs may write to files that are not HDF5, and other ranks to this file.
  WriteSieve sieve(
      !external && file.comm().size() == 1,
      [&](std::uint64_t at, std::span<std::byte> part) {
        read_file(file, info.address + at, part);
      },
      [&](std::uint64_t at, std::span<const std::byte> part) {
        if (external)
          external_data_of(info).write(at, part);
        else
          write_raw(file, info.address + at, part);
      });
  const auto add = [&](std::uint64_t at, std::size_t size, std::uint64_t stride, std::uint64_t runs,
                       const std::byte* memory) {
    sieve.add_series(at, size, stride, runs, memory);
  };
  write_runs(selection, info.type.size(), elements, add, [&] { sieve.finish(); });
  // Note this last: elements that could not be written are filled.
  note_written(dataset, selection);
  limit_notes(dataset);
}

void write_compact(Node& dataset, const Selection& part, std::span<const std::byte> bytes) {
  dataset.edit();
  const DatasetInfo& info = dataset.dataset();
  check_length(dataset, info.compact.size(), byte_count(dataset, info));
  const BoundSelection selection(info.space, part, dataset);
  if (bytes.size() != selection.element_count() * info.type.size())
    throw diverged_error("{}: write: another rank's {} bytes do not fit", dataset.where(),
                         bytes.size());
  // The message lies in the file's arena since edit(), so it may be changed in place.
  auto* stored = const_cast<std::byte*>(info.compact.data());
  for_each_byte_run(selection, info.type.size(),
                    [&](std::uint64_t at, std::size_t done, std::size_t size) {
                      std::memcpy(stored + at, bytes.data() + done, size);
                    });
}

}  // namespace onecast::any_layout
