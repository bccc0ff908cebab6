#include "objects/together/prepared_read.hpp"

#include <unordered_map>
#include <utility>

#include "objects/contiguous/unfilled.hpp"
#include "objects/memory/digest.hpp"
#include "objects/together/read_extents.hpp"

namespace onecast::together {
namespace {

bool is_elsewhere(const SharedRead& read) {
  return read.reads_the_file() && read.extents() == nullptr;
}

}  // namespace

UnsettledWrites ReadCall::unsettled() const {
  UnsettledWrites mine;
  if (file.access() == Access::read_only) return mine;
  for (const Read& read : reads) {
    // A virtual dataset may have any dataset as its source.
    const bool is_virtual = read.dataset->dataset().layout == Layout::virtual_dataset;
    const auto [compact, chunks, values] =
        unsettled_writes(file, is_virtual ? nullptr : read.dataset);
    mine.compact |= compact;
    mine.chunks |= chunks;
    mine.values |= values;
  }
  return mine;
}

void PreparedRead::prepare(bool settled) {
  if (!settled) flag_unsettled();
  for (const Read& read : call_.reads) {
    SharedRead& mine = add(read);
    if (call_.asked.method != Method::plain) find_places(mine);
    mine.prepare();
  }
  merge();
  make_room();
  Digest request;
  Digest elsewhere;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const SharedRead& read = reads[i];
    request.add(read.digest());
    if (!read.reads_the_file()) {
      read.read_alone();
      continue;
    }
    summary.flags |= ReadNews::kReadsTheFile;
    if (read.extents() != nullptr) continue;
    summary.flags |= ReadNews::kElsewhere;
    if (read.decodes_chunks()) summary.flags |= ReadNews::kDecodes;
    elsewhere.add(i).add(read.digest());
  }
  summary.request.value = request.value();
  summary.elsewhere.value = elsewhere.value();
}

void PreparedRead::prepare_trusting() {
  for (const Read& read : call_.reads) add(read).prepare();
}

SharedRead& PreparedRead::add(const Read& read) {
  const bool brings_all = call_.reads.size() == 1 && call_.sharing != Sharing::serve;
  SharedRead& mine = reads.emplace_back(read, brings_all, call_.asks_first_rank());
  if (unfilled_of(*read.dataset) != nullptr) summary.flags |= ReadNews::kUnfilled;
  if (mine.by_parts()) summary.flags |= ReadNews::kByParts;
  if (mine.is_in_device()) summary.flags |= ReadNews::kDevice;
  return mine;
}

/// Looks up the extents of a read, or the chunks to be decoded.
void PreparedRead::find_places(SharedRead& read) {
  const bool is_one = call_.reads.size() == 1;
  // Other ranks want the whole dataset, too, so the places of its chunks need not be looked up
  // here.
  if (is_one && read.dataset().dataset().layout == Layout::chunked && read.wants_all() &&
      !transfers_for_others(call_.asked.method))
    return;
  read.find_extents();
  if (!is_one || !read.decodes_chunks()) return;
  look_for_chunks();
  summary.chunks = chunks.wanted(1).front();
}

void PreparedRead::flag_unsettled() {
  const auto unsettled = call_.unsettled();
  if (unsettled.compact) summary.flags |= ReadNews::kPendingCompact;
  if (unsettled.chunks) summary.flags |= ReadNews::kPendingChunks;
  if (unsettled.values) summary.flags |= ReadNews::kPendingValues;
}

void PreparedRead::merge() {
  MergedExtents merged = merge_extents(reads, buffers);
  extents = std::move(merged.extents);
  if (merged.any_by_parts) summary.flags |= ReadNews::kExtentsByParts;
  if (merged.small_pieces) summary.flags |= ReadNews::kSmallPieces;
}

void PreparedRead::make_room() {
  if (is_list())
    room_ = Buffer(
        SharedRead::room_for(elsewhere(), call_.file.transfers().options.collective_buffer / 2));
}

std::uint64_t PreparedRead::bytes() const {
  std::uint64_t bytes = 0;
  for (const SharedRead& read : reads) bytes += read.bytes();
  return bytes;
}

std::exception_ptr PreparedRead::failure() const {
  for (const SharedRead& read : reads)
    if (read.failure()) return read.failure();
  return {};
}

void PreparedRead::unpack_extents() {
  for (SharedRead& read : reads)
    if (read.extents() != nullptr) read.unpack();  // except what goes by parts
}

std::vector<SharedRead*> PreparedRead::by_parts() {
  std::vector<SharedRead*> found;
  for (SharedRead& read : reads)
    if (read.by_parts() && read.extents() != nullptr) found.push_back(&read);
  return found;
}

std::vector<SharedRead*> PreparedRead::elsewhere() {
  std::vector<SharedRead*> found;
  for (SharedRead& read : reads)
    if (is_elsewhere(read)) found.push_back(&read);
  return found;
}

std::uint64_t PreparedRead::elsewhere_bytes() {
  std::uint64_t bytes = 0;
  for (const SharedRead* read : elsewhere()) bytes += read->bytes();
  return bytes;
}

void PreparedRead::hear_elsewhere(CommunicatorBackend& comm, bool in_parts) {
  if (is_list()) return SharedRead::hear(comm, elsewhere(), room_.span(), in_parts);
  for (SharedRead* read : elsewhere()) read->hear(comm, in_parts);
}

void PreparedRead::look_for_chunks() {
  std::unordered_map<const Node*, std::size_t> first;  // the first entry of each dataset
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::size_t dataset = first.emplace(&reads[i].dataset(), i).first->second;
    if (reads[i].decodes_chunks()) chunks.look_for(reads[i], i, dataset);
  }
  chunks.weigh();
}

void PreparedRead::read_elsewhere_alone() {
  for (std::size_t i = 0; i < reads.size(); ++i)
    if (is_elsewhere(reads[i]) && !chunks.has(i)) reads[i].read_alone();
}

}  // namespace onecast::together
