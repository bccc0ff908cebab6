#include "objects/together/write_together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/any_layout/placed_writer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/any_layout/stored_extents.hpp"
#include "objects/any_layout/transfer.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/chunks/chunk_write.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/contiguous/late_allocation.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/diverged.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/digest.hpp"
#include "objects/nodes/collective_call.hpp"
#include "objects/nodes/compact_write.hpp"
#include "objects/together/collective_chunk_write.hpp"
#include "objects/together/overlapping_parts.hpp"
#include "objects/together/own_datasets.hpp"
#include "objects/together/settle_chunks.hpp"
#include "objects/together/transfer_scope.hpp"
#include "objects/values/overwritten_values.hpp"
#include "objects/values/place_values.hpp"
#include "objects/values/place_values_together.hpp"
#include "objects/values/renew_places.hpp"
#include "objects/values/settle_waiting_writes.hpp"
#include "onecast/base/error.hpp"

namespace onecast::together {
namespace {

/// The flags that ranks send to each other. All ranks receive the union.
enum News : std::uint64_t {
  kCompact = 2,         ///< the rank writes compact data
  kOther = 4,           ///< the rank writes data of another kind
  kNewChunks = 8,       ///< chunks that all ranks must know
  kPendingChunks = 16,  ///< chunks that are not settled yet
  kValues = 32,         ///< values for the heap
  kPendingValues = 64,  ///< values that are not settled yet
  kUnfilled = 128,      ///< some data is not filled yet
  kList = 256,          ///< not exactly one dataset
  kByParts = 512,       ///< the rank converts more than a buffer takes
};

class WriteTogether {
 public:
  WriteTogether(FileState& file, CallKind kind, std::span<const Write> writes, Datasets named,
                bool checks_bytes)
      : file_(file),
        comm_(file.comm()),
        kind_(kind),
        writes_(writes),
        named_(named),
        asked_(asked_transfer(file, TransferDirection::writing,
                              checks_bytes ? Sharing::verify : Sharing::automatic)),
        checks_bytes_(checks_bytes && comm_.size() > 1) {}

  void run(std::exception_ptr failure) {
    CollectiveCall call = call_of(kind_, writes_, failure);
    if (named_ == Datasets::own) name_own_datasets(call);
    // The writes of rank 0 come first. If another rank makes a different call, the next collective
    // call does this again.
    if (file_.changes().first_rank_writes) file_.calls().meet(call, failure);
    file_.changes().first_rank_writes = false;
    try {
      if (failure) std::rethrow_exception(failure);
      for (const Write& write : writes_) prepare(write);
      require_disjoint_parts();
      arrange();
    } catch (...) {
      failure = std::current_exception();
    }
    if (writes_.size() != 1) mine_.flags |= kList;
    all_ = summarize_call(file_, call, mine_, TransferDirection::writing, extents_, failure);
    plan_ = plan_transfer(asked_,
                          {.wanted = all_.wanted,
                           .by_parts = has(kByParts),
                           .compact = has(kCompact),
                           .new_chunks = has(kNewChunks)},
                          file_.transfers().layout);
    check_alike();
    write_extents();
    if (has(kByParts)) write_by_parts();
    if (has(kUnfilled)) fill_the_rest();
    if (has(kCompact)) write_compact_parts();
    went();
    if (!has(kValues) && !has(kNewChunks)) return;
    const std::vector<Part*> parts = named_ == Datasets::own ? of_any_rank() : of_all_ranks();
    for (Part* part : parts)
      if (part->kind == Kind::values) write_values(*part);
    if (!has(kNewChunks)) return;
    write_new_chunks(parts);
    went();
  }

 private:
  enum class Kind : std::uint8_t { values, chunks, compact, plain };

  /// One of the writes while the call works on it.
  struct Part {
    explicit Part(const Write& w)
        : write(w),
          request(Transfer::Direction::writing, *w.dataset, w.bytes.size(), w.memory, *w.part,
                  w.memory_type) {}

    const Write& write;
    Transfer request;
    std::vector<std::byte> own;
    std::span<const std::byte> stored;
    bool by_parts = false;  ///< true: elements are made by parts, and `stored` is empty
    Kind kind = Kind::plain;
    bool is_in_place = false;  ///< true if the chunks have places that do not change
    bool is_done = false;      ///< written before the agreement
    std::optional<ExtentList> extents;

    [[nodiscard]] StoredElements elements() const {
      return by_parts ? StoredElements(request, write.bytes) : StoredElements(stored);
    }
    void add_elements(Digest& digest) const {
      elements().add_to(digest, request.selection().element_count(),
                        write.dataset->dataset().type.size());
    }
  };

  [[nodiscard]] bool has(News news) const { return (all_.flags & news) != 0; }
  void went() {
    std::uint64_t bytes = 0;
    for (const Part& part : parts_) bytes += part.request.packed_size();
    note_transfer(file_, plan_, bytes);
  }

  // --- before the agreement ----------------------------------------------------------------------
  void prepare(const Write& write) {
    Node& dataset = *write.dataset;
    require_there(dataset);
    Part& part = parts_.emplace_back(write);
    places_.add(write.part->digest()).add(dataset.identity());
    const DatasetInfo& info = dataset.dataset();
    const bool has_values = write.values != nullptr && needs_new_place(dataset);
    part.by_parts =
        !has_values && info.layout != Layout::compact && part.request.works_by_parts(room_);
    if (!part.by_parts) part.stored = part.request.packed(write.bytes, part.own);
    room_ -= std::min(room_, part.own.size());
    if (has_values) {
      check_new_values(dataset, part.stored, *write.values);
      part.kind = Kind::values;
      mine_.flags |= kValues;
      if (checks_bytes_) request_.add(part.stored).add(write.values->bytes());
      if (!file_.changes().variable_writes.empty()) mine_.flags |= kPendingValues;
    } else if (info.layout == Layout::compact) {
      file_.require_editable();
      part.kind = Kind::compact;
      mine_.flags |= kCompact;
      request_.add(dataset.identity()).add(write.part->digest()).add(part.stored);
    } else {
      prepare_stored(part);
    }
  }

  void prepare_stored(Part& part) {
    Node& dataset = *part.write.dataset;
    mine_.flags |= kOther;
    if (dataset.dataset().layout == Layout::chunked) {
      part.kind = Kind::chunks;
      if (has_unsettled_chunks(dataset)) mine_.flags |= kPendingChunks;
    } else {
      if (comm_.size() == 1) allocate_late(dataset);
      if (unfilled_of(dataset) != nullptr && !comm_.is_self()) mine_.flags |= kUnfilled;
    }
    if (checks_bytes_) part.add_elements(request_);
    // One process needs extents only to find out whether two parts overlap.
    if (comm_.size() > 1 || writes_.size() > 1)
      part.extents = extents_to_write(dataset, part.request.selection());
  }

  /// Decides whether this rank waits for the others. If not, writes at once what has its place.
  void arrange() {
    ExtentList all = merged();
    const BeforeAgreement before =
        before_agreement(asked_, own_part(all), file_.transfers().layout);
    const bool waits = before != BeforeAgreement::writes;
    const bool by_parts = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
      return part.by_parts && part.extents;
    });
    if (waits && by_parts) {
      mine_.flags |= kByParts;
      all = merged_whole();
    }
    mine_.wanted.written = before == BeforeAgreement::writes_for_all;
    for (Part& part : parts_)
      if (part.kind == Kind::plain || part.kind == Kind::chunks)
        place(part, before == BeforeAgreement::waits);
    mine_.request.value = request_.value();
    mine_.elsewhere.value = places_.value();
    if (waits)
      extents_ = std::move(all);
    else if (!all.empty())
      mine_.wanted.done = 1;
  }

  [[nodiscard]] OwnPart own_part(const ExtentList& extents) const {
    return {.pieces = extents.stretches(),
            .bytes = extents.bytes(),
            .is_all = std::any_of(parts_.begin(), parts_.end(), writes_all),
            .is_one = parts_.size() == 1,
            .leaves_holes = (mine_.flags & kUnfilled) != 0,
            .is_of_highest_rank = comm_.rank() == comm_.size() - 1};
  }

  void place(Part& part, bool waits) {
    Node& dataset = *part.write.dataset;
    part.is_in_place = part.extents.has_value();
    if (part.extents && waits) return;
    if (part.kind == Kind::plain)
      write_contiguous(dataset, part.request.selection(), part.elements());
    else
      part.is_in_place = write_chunks_in_place(dataset, part.request.selection(), part.elements());
    part.is_done = part.is_in_place;
    if (part.kind == Kind::plain || part.is_in_place) return;
    mine_.flags |= kNewChunks;
    require_writable_storage(dataset);
    file_.require_editable();
  }

  ExtentList merged() { return merged_if(true); }
  /// Merges the extents that are not written by parts.
  ExtentList merged_whole() {
    buffers_ = {};
    return merged_if(false);
  }
  ExtentList merged_if(bool with_parts) {
    std::vector<ExtentList> lists;
    std::vector<std::uint64_t> positions;
    for (const Part& part : parts_)
      if (part.extents && (with_parts || !part.by_parts)) {
        lists.push_back(*part.extents);
        positions.push_back(buffers_.add(part.stored));
      }
    if (lists.size() == 1) return std::move(lists.front());
    try {
      return ExtentList::merge(lists, positions);
    } catch (const Error&) {
      require_disjoint(parts_of_datasets(), name_of(kind_));
      throw;
    }
  }
  /// Parts without extents are compared by their elements; merged_if() compares extents.
  void require_disjoint_parts() const {
    if (parts_.size() > 1 &&
        std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return !part.extents; }))
      require_disjoint(parts_of_datasets(), name_of(kind_));
  }
  [[nodiscard]] std::vector<PartOfDataset> parts_of_datasets() const {
    std::vector<PartOfDataset> all;
    all.reserve(parts_.size());
    for (const Part& part : parts_) all.push_back({part.write.dataset, &part.request.selection()});
    return all;
  }

  [[nodiscard]] static bool writes_all(const Part& part) {
    return part.request.selection().element_count() ==
           part.write.dataset->dataspace().element_count();
  }

  // --- after it --------------------------------------------------------------------------------
  void check_alike() {
    const bool all_write = all_.wanted.ranks == static_cast<std::uint64_t>(comm_.size());
    if (checks_bytes_ && !all_.request.equal &&
        (all_.elsewhere.equal || (all_.wanted.same && all_write)))
      throw_different(file_, mine_.request.value, name_of(kind_), [this] { return in_words(); });
  }

  [[nodiscard]] std::vector<std::string> in_words() const {
    std::vector<std::string> words;
    for (const Part& part : parts_) {
      Node& dataset = *part.write.dataset;
      words.push_back(part_in_words(dataset, *part.write.part));
      add_elements_in_words(dataset, dataset.datatype(), part.stored, words);
    }
    return words;
  }

  /// Writes everything that has its place, of all datasets, at once.
  void write_extents() {
    if (all_.wanted.ranks == 0) return;
    collective_file(file_).write(plan_, extents_, buffers_);
    if (!extents_.empty())
      file_.changes().written_end =
          std::max(file_.changes().written_end, extents_.end() - file_.store().base());
  }

  /// Fills what is unwritten, except the elements that this call writes.
  void fill_the_rest() {
    for (const Part& part : parts_)
      if (part.kind == Kind::plain) note_written(*part.write.dataset, part.request.selection());
    fill_unwritten(file_);
  }

  /// Writes what has its place and is converted, as much as a buffer takes at a time. Ranks that
  /// have finished take part.
  void write_by_parts() {
    struct Round {
      const Part* part;
      std::size_t first, end;  ///< in bytes
    };
    std::vector<Round> mine;
    for (const Part& part : parts_) {
      if (!part.by_parts || !part.extents || part.is_done) continue;
      for_each_round(
          file_, part.request.packed_size(), part.write.dataset->dataset().type.size(),
          [&](std::size_t first, std::size_t end) { mine.push_back({&part, first, end}); });
    }
    std::uint64_t rounds = mine.size();
    comm_.all_reduce_max({&rounds, 1});
    Buffer buffer;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      ExtentList extents;
      OutBuffers bytes;
      std::exception_ptr failure;
      try_to(failure, [&] {
        if (i < mine.size()) {
          const auto& [part, first, end] = mine[static_cast<std::size_t>(i)];
          const std::size_t element = part->write.dataset->dataset().type.size();
          if (buffer.size() < end - first) buffer = Buffer(end - first);
          part->elements().copy(first / element, buffer.span().first(end - first), element);
          bytes.add(std::span<const std::byte>(buffer.span().first(end - first)));
          extents = part->extents->at_positions(first, end);
        }
      });
      write_extents_together(file_, extents, bytes, failure);
    }
  }

  /// Compact data is replicated: each rank applies all parts, in the order of the ranks.
  void write_compact_parts() {
    std::vector<CompactWrite> writes;
    for (const Part& part : parts_)
      if (part.kind == Kind::compact && !part.stored.empty())
        writes.push_back(
            {part.write.dataset->id(), *part.write.part, {part.stored.begin(), part.stored.end()}});
    const auto write_all = [&] {
      for (const CompactWrite& w : writes)
        write_compact(file_.nodes().of(w.dataset), w.part, w.bytes);
    };
    if (all_.request.equal) {
      write_all();
    } else {
      const std::vector<std::byte> mine = serialize(writes);
      writes.clear();
      for (const auto& packed : comm_.all_gather(mine))
        for (CompactWrite& w : deserialize_compact_writes(packed)) writes.push_back(std::move(w));
      agree(comm_, write_all);
    }
    for (CompactWrite& w : writes) file_.changes().compact_writes.overwrite(std::move(w));
  }

  // Writes of data without a place. All ranks come here with the same datasets, in the same order.

  /// Returns the parts of the list, which names the same datasets on all ranks.
  [[nodiscard]] std::vector<Part*> of_all_ranks() {
    std::vector<Part*> all;
    all.reserve(parts_.size());
    for (Part& part : parts_) all.push_back(&part);
    return all;
  }

  /// Returns this rank's parts, and parts without elements for datasets that only other ranks name.
  [[nodiscard]] std::vector<Part*> of_any_rank() {
    std::vector<Part*> mine;
    std::vector<Node*> named;
    for (Part& part : parts_)
      if (part.kind == Kind::values || (part.kind == Kind::chunks && !part.is_in_place)) {
        mine.push_back(&part);
        named.push_back(part.write.dataset);
      }
    std::vector<Part*> all;
    const auto of_any = named_by_any(file_, named);
    all.reserve(of_any.size());
    for (const auto& [dataset, number] : of_any)
      all.push_back(number ? mine[*number] : &part_of_others(*dataset));
    return all;
  }

  Part& part_of_others(Node& dataset) {
    static const Selection kNothing = Selection::none();
    static const NewValues kNoValues;
    prepare(of_others_.emplace_back(Write{&dataset, {}, nullptr, &kNothing, {}, &kNoValues}));
    return parts_.back();
  }

  void write_values(Part& part) {
    Node& dataset = *part.write.dataset;
    const BoundSelection& selection = part.request.selection();
    if (has(kPendingValues)) settle_waiting_writes(file_);
    std::vector<std::byte> elements(part.stored.begin(), part.stored.end());
    OverwrittenValues overwritten(file_);
    overwritten.note(dataset, selection);
    place_values_together(dataset, selection, elements, *part.write.values);
    renew_places_together(dataset, selection);
    const Write placed{&dataset, elements, nullptr, part.write.part, {}, nullptr};
    WriteTogether(file_, kind_, {&placed, 1}, Datasets::same, false).run({});
    overwritten.drop();
  }

  /// Writes the new chunks of all datasets at once.
  void write_new_chunks(const std::vector<Part*>& parts) {
    std::vector<Node*> datasets;
    std::vector<ChunkWriteRequest> requests;
    std::list<BoundSelection> nothing;
    for (const Part* part : parts) {
      if (part->kind != Kind::chunks) continue;
      Node& dataset = *part->write.dataset;
      datasets.push_back(&dataset);
      const BoundSelection* selection = &part->request.selection();
      if (part->is_in_place)
        selection = &nothing.emplace_back(dataset.dataspace(), Selection::none(), dataset);
      requests.push_back({&dataset, selection, part->elements()});
    }
    if (has(kPendingChunks))
      if (const std::exception_ptr conflict = settle_chunks(file_, datasets))
        std::rethrow_exception(conflict);
    write_chunks_together(file_, requests);
  }

  FileState& file_;
  CommunicatorBackend& comm_;
  CallKind kind_;
  std::span<const Write> writes_;
  Datasets named_;
  AskedTransfer asked_;
  bool checks_bytes_;  ///< all ranks must write equal bytes
  // Unlike a deque, an empty list takes no memory.
  std::list<Part> parts_;
  std::list<Write> of_others_;           ///< without elements
  std::size_t room_ = kConvertedAtOnce;  ///< the room for elements that are packed or converted
  Digest request_;                       ///< the elements
  Digest places_;                        ///< their selections and datasets
  OutBuffers buffers_;
  ExtentList extents_;  ///< those that wait for the other ranks
  CallSummary mine_;
  CallSummary all_;
  TransferPlan plan_;
};

}  // namespace

void write_together(FileState& file, CallKind kind, std::span<const Write> writes,
                    const std::exception_ptr& failure, Datasets named) {
  file.require_open();
  const TransferScope scope(file, name_of(kind));
  WriteTogether(file, kind, writes, named, file.options().sharing == Sharing::verify).run(failure);
}

}  // namespace onecast::together
