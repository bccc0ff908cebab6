#include "objects/together/write_together.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/any_layout/chunk_writer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/files/diverged.hpp"
#include "objects/nodes/collective_call.hpp"
#include "objects/nodes/compact_write.hpp"
#include "objects/together/collective_chunk_write.hpp"
#include "objects/together/device_round.hpp"
#include "objects/together/own_datasets.hpp"
#include "objects/together/prepared_write.hpp"
#include "objects/together/settle_chunks.hpp"
#include "objects/together/transfer_scope.hpp"
#include "objects/values/overwritten_values.hpp"
#include "objects/values/renew_places.hpp"
#include "objects/values/settle_waiting_writes.hpp"
#include "objects/values/store_values_together.hpp"

namespace onecast::together {
namespace {

constexpr const char* kSent = "by messages that are sent from it";
constexpr const char* kSentAndStaged = "by messages that are sent from it, other parts staged";

/// What all ranks know when they have agreed.
struct AgreedWrite {
  CallSummary all;
  TransferPlan plan;

  [[nodiscard]] bool has(WriteNews::Flag news) const { return (all.flags & news) != 0; }
};

/// All ranks tell each other what they write, or why one of them cannot.
AgreedWrite agree_on(const WriteCall& call, const CollectiveCall& header, const PreparedWrite& mine,
                     const std::exception_ptr& failure) {
  AgreedWrite known{.all = summarize_call(call.file, header, mine.summary,
                                          TransferDirection::writing, mine.extents, failure),
                    .plan = {}};
  AskedTransfer asked = call.asked;
  const StripeLayout& layout = call.file.transfers().layout;
  asked.nodes = nodes_for(call.file.comm(), asked, known.all.wanted, layout);
  known.plan = plan_transfer(asked,
                             {.wanted = known.all.wanted,
                              .by_parts = known.has(WriteNews::kByParts),
                              .compact = known.has(WriteNews::kCompact),
                              .new_chunks = known.has(WriteNews::kNewChunks)},
                             layout);
  return known;
}

std::vector<std::string> in_words(const WriteParts& parts) {
  std::vector<std::string> words;
  for (const WritePart& part : parts) {
    Node& dataset = *part.write.dataset;
    words.push_back(part_in_words(dataset, *part.write.part));
    add_elements_in_words(dataset, dataset.datatype(), part.stored, words);
  }
  return words;
}

/// Throws Error (diverged) if ranks must write equal bytes and do not.
void require_equal(const WriteCall& call, const PreparedWrite& mine, const CallSummary& all) {
  const auto ranks = static_cast<std::uint64_t>(call.file.comm().size());
  if (!call.checks_bytes || ranks == 1 || all.request.equal) return;
  const bool all_write = all.wanted.ranks == ranks;
  if (all.elsewhere.equal || (all.wanted.same && all_write))
    throw_different(call.file, mine.summary.request.value, name_of(call.kind),
                    [&] { return in_words(mine.parts); });
}

/// Writes everything that has its place, of all datasets, at once.
void write_extents(FileState& file, const PreparedWrite& mine, const TransferPlan& plan) {
  const ExtentList& extents = mine.extents;
  collective_file(file).write(plan, extents, mine.buffers);
  if (!extents.empty())
    file.changes().written_end =
        std::max(file.changes().written_end, extents.end() - file.store().base());
}

/// Writes what has its place and is converted or of a device, as much as a buffer takes at a time.
/// Ranks that have finished take part.
void write_by_parts(FileState& file, const WriteParts& parts) {
  Rounds<const WritePart> mine(file);
  for (const WritePart& part : parts)
    if (part.by_parts && part.extents && !part.is_done)
      mine.add(part, part.request.packed_size(), part.element_size());
  Buffer buffer;
  const char* way_of_messages = nullptr;
  for (const auto& [part, first, end] : mine.of_all_ranks()) {
    ExtentList extents;
    OutBuffers bytes;
    std::optional<DeviceRound> of_device;
    std::exception_ptr failure;
    if (part != nullptr)
      try_to(failure, [&] {
        if (is_sent_from_device(file, *part)) {
          bytes.add_far(of_device.emplace(*part, first, end, buffer));
        } else {
          const std::size_t element = part->element_size();
          if (buffer.size() < end - first) buffer = Buffer(end - first);
          part->elements().copy(first / element, buffer.span().first(end - first), element);
          bytes.add(std::span<const std::byte>(buffer.span().first(end - first)));
        }
        extents = part->extents->at_positions(first, end);
      });
    write_extents_together(file, extents, bytes, failure);
    if (!of_device) continue;
    if (way_of_messages == nullptr) way_of_messages = kSent;
    if (of_device->is_copied()) way_of_messages = kSentAndStaged;
  }
  if (way_of_messages != nullptr) file.transfers().device_way.note(way_of_messages);
}

/// Fills what is unwritten, except the elements that this call writes.
void fill_the_rest(FileState& file, const WriteParts& parts) {
  for (const WritePart& part : parts)
    if (part.kind == WritePart::Kind::plain)
      note_written(*part.write.dataset, part.request.selection());
  fill_unwritten(file);
}

/// Compact data is replicated: each rank applies all parts, in the order of the ranks.
void write_compact_parts(FileState& file, const WriteParts& parts, bool are_equal) {
  std::vector<CompactWrite> writes;
  for (const WritePart& part : parts)
    if (part.kind == WritePart::Kind::compact && !part.stored.empty())
      writes.push_back(
          {part.write.dataset->id(), *part.write.part, {part.stored.begin(), part.stored.end()}});
  const auto write_all = [&] {
    for (const CompactWrite& w : writes) write_compact(file.nodes().of(w.dataset), w.part, w.bytes);
  };
  if (are_equal) {
    write_all();
  } else {
    const std::vector<std::byte> mine = serialize(writes);
    writes.clear();
    for (const auto& packed : file.comm().all_gather(mine))
      for (CompactWrite& w : deserialize_compact_writes(packed)) writes.push_back(std::move(w));
    agree(file.comm(), write_all);
  }
  for (CompactWrite& w : writes) file.changes().compact_writes.overwrite(std::move(w));
}

/// Returns the parts with data that may need a place: equal datasets on all ranks, in one order. If
/// ranks name their own datasets, a part without elements is added for each dataset that only other
/// ranks name. @collective in this case
std::vector<WritePart*> parts_of_all(const WriteCall& call, PreparedWrite& mine) {
  std::vector<WritePart*> all;
  if (call.named == Datasets::same) {
    for (WritePart& part : mine.parts) all.push_back(&part);
    return all;
  }
  std::vector<WritePart*> own;
  std::vector<Node*> named;
  for (WritePart& part : mine.parts)
    if (part.kind == WritePart::Kind::values ||
        (part.kind == WritePart::Kind::chunks && !part.is_in_place)) {
      own.push_back(&part);
      named.push_back(part.write.dataset);
    }
  for (const auto& [dataset, number] : named_by_any(call.file, named))
    all.push_back(number ? own[*number] : &mine.add_nothing(*dataset));
  return all;
}

void write_in_phases(const WriteCall& call, std::exception_ptr failure);

/// Gives values of variable length their places, then writes the elements that refer to them.
void write_values(const WriteCall& call, const WritePart& part, bool any_pending) {
  Node& dataset = *part.write.dataset;
  const BoundSelection& selection = part.request.selection();
  if (any_pending) settle_waiting_writes(call.file);
  std::vector<std::byte> elements(part.stored.begin(), part.stored.end());
  OverwrittenValues overwritten(call.file);
  overwritten.note(dataset, selection);
  store_values_together(dataset, selection, elements, *part.write.values);
  renew_places_together(dataset, selection);
  const Write placed{&dataset, elements, nullptr, part.write.part, {}, nullptr};
  write_in_phases({call.file, call.kind, {&placed, 1}, Datasets::same, false}, {});
  overwritten.drop();
}

/// Writes the new chunks of all datasets at once.
void write_new_chunks(FileState& file, const std::vector<WritePart*>& parts, bool any_pending) {
  std::vector<Node*> datasets;
  std::vector<ChunkWriteRequest> requests;
  std::list<BoundSelection> nothing;
  for (const WritePart* part : parts) {
    if (part->kind != WritePart::Kind::chunks) continue;
    Node& dataset = *part->write.dataset;
    datasets.push_back(&dataset);
    const BoundSelection* selection = &part->request.selection();
    if (part->is_in_place)
      selection = &nothing.emplace_back(dataset.dataspace(), Selection::none(), dataset);
    requests.push_back({&dataset, selection, part->elements()});
  }
  if (any_pending)
    if (const std::exception_ptr conflict = settle_chunks(file, datasets))
      std::rethrow_exception(conflict);
  write_chunks_together(file, requests);
}

/// The phases of a write, which all ranks go through.
void write_in_phases(const WriteCall& call, std::exception_ptr failure) {
  FileState& file = call.file;
  CollectiveCall header = call_of(call.kind, call.writes, failure);
  if (call.named == Datasets::own) name_own_datasets(header);
  // The writes of rank 0 come first. If another rank makes a different call, the next collective
  // call does this again.
  if (file.changes().first_rank_writes) file.calls().meet(header, failure);
  file.changes().first_rank_writes = false;

  PreparedWrite mine(call);
  try_to(failure, [&] { mine.prepare(); });
  const AgreedWrite known = agree_on(call, header, mine, failure);
  require_equal(call, mine, known.all);

  if (known.all.wanted.ranks != 0) write_extents(file, mine, known.plan);
  if (known.has(WriteNews::kByParts)) write_by_parts(file, mine.parts);
  if (known.has(WriteNews::kUnfilled)) fill_the_rest(file, mine.parts);
  if (known.has(WriteNews::kCompact))
    write_compact_parts(file, mine.parts, known.all.request.equal);
  note_transfer(file, known.plan, mine.bytes());

  if (!known.has(WriteNews::kValues) && !known.has(WriteNews::kNewChunks)) return;
  const std::vector<WritePart*> parts = parts_of_all(call, mine);
  for (const WritePart* part : parts)
    if (part->kind == WritePart::Kind::values)
      write_values(call, *part, known.has(WriteNews::kPendingValues));
  if (!known.has(WriteNews::kNewChunks)) return;
  write_new_chunks(file, parts, known.has(WriteNews::kPendingChunks));
  note_transfer(file, known.plan, mine.bytes());
}

}  // namespace

void write_together(FileState& file, CallKind kind, std::span<const Write> writes,
                    const std::exception_ptr& failure, Datasets named) {
  file.require_open();
  const TransferScope scope(file, name_of(kind));
  write_in_phases({file, kind, writes, named, file.options().sharing == Sharing::verify}, failure);
}

}  // namespace onecast::together
