#include "objects/together/read_together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/files/diverged.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/digest.hpp"
#include "objects/nodes/collective_call.hpp"
#include "objects/together/chunk_sharing.hpp"
#include "objects/together/own_datasets.hpp"
#include "objects/together/read_extents.hpp"
#include "objects/together/settle_writes.hpp"
#include "objects/together/shared_read.hpp"
#include "objects/together/transfer_scope.hpp"
#include "onecast/base/error.hpp"

namespace onecast::together {
namespace {

/// The flags that ranks send to each other. All ranks receive the union.
enum News : std::uint64_t {
  kUnfilled = 2,     ///< some data is not filled yet
  kSmallPieces = 4,  ///< the rank wants many small pieces
  kElsewhere = 8,    ///< the rank wants data of the file that has no extents
  kReadsTheFile = 16,
  kList = 32,              ///< not exactly one dataset
  kPendingChunks = 64,     ///< the rank wrote chunks that others do not see yet
  kDecodes = 128,          ///< the rank wants chunks that must be decoded
  kPendingCompact = 256,   ///< the rank wrote compact data that others do not see yet
  kPendingValues = 512,    ///< the rank wrote values that have no place yet
  kByParts = 1024,         ///< the rank converts, or rearranges, more than a buffer takes
  kExtentsByParts = 2048,  ///< the same, of data that has extents
};

class ReadTogether {
 public:
  ReadTogether(FileState& file, CallKind kind, std::span<const Read> reads, Datasets named,
               Sharing sharing)
      : file_(file),
        comm_(file.comm()),
        kind_(kind),
        reads_(reads),
        named_(named),
        sharing_(sharing),
        asked_(asked_transfer(file, TransferDirection::reading, sharing)),
        alone_(comm_.size() == 1),
        trusts_(alone_ || sharing == Sharing::trust),
        chunks_(file) {}

  void run(const std::exception_ptr& failure) {
    if (trusts_) {
      if (failure) std::rethrow_exception(failure);
      require_callable(kind_, reads_);
      // The places of data must not depend on the number of ranks.
      if (alone_ && sharing_ != Sharing::trust && !comm_.is_self()) settle(unsettled());
      return read_trusting();
    }
    compare(failure);
    if (const UnsettledWrites all{has(kPendingCompact), has(kPendingChunks), has(kPendingValues)};
        !settled_ && (all.compact || all.chunks || all.values)) {
      settle(all);
      ReadTogether again(file_, kind_, reads_, named_, sharing_);
      again.settled_ = true;
      return again.run({});
    }
    if (has(kUnfilled)) fill_unwritten(file_);
    known_ = {.wanted = all_.wanted,
              .is_list = has(kList),
              .same = all_.request.equal,
              .by_parts = has(kExtentsByParts),
              .small_pieces = has(kSmallPieces),
              .reads_the_file = has(kReadsTheFile),
              .elsewhere = has(kElsewhere),
              .same_elsewhere = all_.elsewhere.equal,
              .decodes = has(kDecodes)};
    plan();
    if (plan_.is_refused)
      throw_different(file_, mine_.request.value, name_of(kind_), [this] {
        std::vector<std::string> words;
        for (const Read& read : reads_) words.push_back(part_in_words(*read.dataset, *read.part));
        return words;
      });
    if (plan_.all_hear)
      wanted_.front().hear(comm_, in_parts());
    else if (plan_.extents.method == Method::serve)
      serve_all();
    else if (plan_.told.method != Method::none)
      read_each();
    went();
  }

 private:
  void plan() { plan_ = plan_transfer(asked_, known_, file_.transfers().layout); }
  void went() {
    std::uint64_t bytes = 0;
    for (const SharedRead& read : wanted_) bytes += read.bytes();
    note_transfer(file_, plan_, bytes);
  }
  [[nodiscard]] bool is_plain() const { return asked_.method == Method::plain; }
  [[nodiscard]] bool has(News news) const { return (all_.flags & news) != 0; }
  /// If nothing is compared, no rank knows of the others.
  [[nodiscard]] bool in_parts() const { return trusts_ || has(kByParts); }
  /// If ranks have their own datasets, others may name more.
  [[nodiscard]] bool is_list() const { return wanted_.size() > 1 || named_ == Datasets::own; }
  [[nodiscard]] static bool is_elsewhere(const SharedRead& read) {
    return read.reads_the_file() && read.extents() == nullptr;
  }

  /// Returns the kinds of this rank's writes to the datasets that it reads which others do not see.
  /// A virtual dataset may have any dataset as its source.
  [[nodiscard]] UnsettledWrites unsettled() const {
    UnsettledWrites mine;
    if (file_.access() == Access::read_only) return mine;
    for (const Read& read : reads_) {
      const bool is_virtual = read.dataset->dataset().layout == Layout::virtual_dataset;
      const auto [compact, chunks, values] =
          unsettled_writes(file_, is_virtual ? nullptr : read.dataset);
      mine.compact |= compact;
      mine.chunks |= chunks;
      mine.values |= values;
    }
    return mine;
  }

  void flag_unsettled() {
    const auto [compact, chunks, values] = unsettled();
    if (compact) mine_.flags |= kPendingCompact;
    if (chunks) mine_.flags |= kPendingChunks;
    if (values) mine_.flags |= kPendingValues;
  }

  /// Makes all writes visible to all ranks.
  void settle(const UnsettledWrites& kinds) {
    if (const std::exception_ptr conflict = settle_writes(file_, kinds))
      std::rethrow_exception(conflict);
  }

  /// Returns true if no rank asks what the others wrote: all get what rank 0 has.
  [[nodiscard]] bool asks_first_rank() const {
    return trusts_ && !alone_ && file_.access() == Access::read_write;
  }

  void prepare(const Read& read) {
    const bool one = reads_.size() == 1;
    SharedRead& mine =
        wanted_.emplace_back(*read.dataset, read.out, read.memory, *read.part, read.memory_type,
                             one && sharing_ != Sharing::serve, asks_first_rank());
    if (unfilled_of(*read.dataset) != nullptr) mine_.flags |= kUnfilled;
    if (mine.by_parts()) mine_.flags |= kByParts;
    // Other ranks want the whole dataset, too, so the places of its chunks need not be looked up
    // here.
    const bool looks = !one || read.dataset->dataset().layout != Layout::chunked ||
                       !mine.wants_all() || transfers_for_others(asked_.method);
    if (!trusts_ && !is_plain() && looks) {
      mine.find_extents();
      if (one && mine.decodes_chunks()) {
        look_for_chunks();
        mine_.chunks = chunks_.wanted(1).front();
      }
    }
    mine.prepare();
  }

  void read_trusting() {
    for (const Read& read : reads_) prepare(read);
    if (!comm_.is_self() && (mine_.flags & kUnfilled) != 0) fill_unwritten(file_);
    known_.may_differ = asks_first_rank();
    known_.reads_the_file = !elsewhere().empty();
    plan();
    const bool for_itself = plan_.extents.method == Method::plain;
    for (SharedRead& read : wanted_)
      if (for_itself || !read.reads_the_file()) read.read_alone();
    if (plan_.all_hear) {
      make_room();
      hear_elsewhere(comm_);
    }
    went();
  }

  /// Compares the calls by one reduction.
  void compare(std::exception_ptr failure) {
    Digest request;
    Digest elsewhere;
    CollectiveCall call = call_of(kind_, reads_, failure);
    mine_.named.value = call.object;
    call.how = static_cast<std::uint8_t>(sharing_);
    if (named_ == Datasets::own) name_own_datasets(call);
    try {
      if (failure) std::rethrow_exception(failure);
      if (!settled_) flag_unsettled();
      for (const Read& read : reads_) prepare(read);
      merge_extents();
      make_room();
      for (std::size_t i = 0; i < wanted_.size(); ++i) {
        const SharedRead& read = wanted_[i];
        request.add(read.digest());
        if (!read.reads_the_file()) {
          read.read_alone();
          continue;
        }
        mine_.flags |= kReadsTheFile;
        if (read.extents() != nullptr) continue;
        mine_.flags |= kElsewhere;
        if (read.decodes_chunks()) mine_.flags |= kDecodes;
        elsewhere.add(i).add(read.digest());
      }
    } catch (...) {
      failure = std::current_exception();
    }
    if (reads_.size() != 1) mine_.flags |= kList;
    mine_.request.value = request.value();
    mine_.elsewhere.value = elsewhere.value();
    all_ = summarize_call(file_, call, mine_, TransferDirection::reading, extents_, failure);
  }

  void merge_extents() {
    MergedExtents merged = together::merge_extents(wanted_, buffers_);
    extents_ = std::move(merged.extents);
    if (merged.any_by_parts) mine_.flags |= kExtentsByParts;
    if (merged.small_pieces) mine_.flags |= kSmallPieces;
  }

  void look_for_chunks() {
    std::unordered_map<const Node*, std::size_t> first;  // the first entry of each dataset
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const std::size_t dataset = first.emplace(&wanted_[i].dataset(), i).first->second;
      if (wanted_[i].decodes_chunks()) chunks_.look_for(wanted_[i], i, dataset);
    }
    chunks_.weigh();
  }

  /// Reads each kind of data as the plan says.
  void read_each() {
    std::exception_ptr failure;
    if (plan_.looks_for_shared_chunks) failure = find_shared_chunks();
    const Method elsewhere = plan_.elsewhere.method;
    failure = read_elsewhere(failure);
    if (chunks_.any()) chunks_.read(failure);
    if (has(kExtentsByParts)) return read_by_parts(failure);
    if (all_.wanted.ranks != 0) return transfer_extents(failure);
    // Ranks that shared or broadcast chunks have agreed already.
    if (elsewhere == Method::plain || elsewhere == Method::independent)
      comm::raise_any(comm_, failure);
  }

  /// Finds the chunks that several ranks want; for a list, by one more reduction. Chunks of
  /// different lists are not compared. Returns the error if this rank cannot tell.
  std::exception_ptr find_shared_chunks() {
    std::exception_ptr failure;
    if (!all_.named.equal) return failure;
    if (has(kList)) {
      try_to(failure, [&] { look_for_chunks(); });
      std::vector<WantedChunks> wanted = chunks_.wanted(reads_.size());
      combine(comm_, wanted);
      chunks_.find_shared(wanted);
    } else {
      chunks_.find_shared({&all_.chunks, 1});
    }
    known_.shares_chunks = chunks_.any();
    plan();
    return failure;
  }

  /// Reads data that has no extents: one rank reads for all that want the same, or each rank reads
  /// by itself. Returns the error.
  std::exception_ptr read_elsewhere(std::exception_ptr failure) {
    if (failure) return failure;
    if (plan_.elsewhere.method == Method::broadcast) {
      hear_elsewhere(comm_);
    } else if (plan_.elsewhere.method == Method::serve) {
      serve(mine_.elsewhere.value, false);
    } else {
      try_to(failure, [&] {
        for (std::size_t i = 0; i < wanted_.size(); ++i)
          if (is_elsewhere(wanted_[i]) && !chunks_.has(i)) wanted_[i].read_alone();
      });
    }
    return failure;
  }

  [[nodiscard]] std::vector<SharedRead*> elsewhere() {
    std::vector<SharedRead*> reads;
    for (SharedRead& read : wanted_)
      if (is_elsewhere(read)) reads.push_back(&read);
    return reads;
  }

  /// Allocates the memory that hear_elsewhere() needs.
  void make_room() {
    if (is_list())
      room_ = Buffer(
          SharedRead::room_for(elsewhere(), file_.transfers().options.collective_buffer / 2));
  }

  void hear_elsewhere(CommunicatorBackend& comm) {
    if (is_list()) return SharedRead::hear(comm, elsewhere(), room_.span(), in_parts());
    for (SharedRead* read : elsewhere()) read->hear(comm, in_parts());
  }

  [[nodiscard]] static bool has_parts(const SharedRead& read) {
    return read.by_parts() && read.extents() != nullptr;
  }

  /// Reads data that has extents if some rank converts or rearranges more than a buffer takes.
  void read_by_parts(std::exception_ptr failure) {
    const bool in_rounds = plan_.parts.method == Method::collective;
    if (!in_rounds)
      try_to(failure, [&] {
        for (SharedRead& read : wanted_)
          if (has_parts(read)) read.read_alone();
      });
    if (all_.wanted.ranks != 0)
      transfer_extents(std::exchange(failure, {}));
    else if (!in_rounds)
      comm::raise_any(comm_, failure);
    if (in_rounds) {
      std::vector<SharedRead*> mine;
      for (SharedRead& read : wanted_)
        if (has_parts(read)) mine.push_back(&read);
      read_in_rounds(file_, mine, asked_.method, failure);
    }
  }

  void transfer_extents(const std::exception_ptr& failure) {
    collective_file(file_).read(plan_, extents_, buffers_, failure);
    unpack_extents();
  }

  void unpack_extents() {
    for (SharedRead& read : wanted_)
      if (read.extents() != nullptr) read.unpack();  // except what goes by parts
  }

  /// Broadcasts among the ranks that want the same, once all ranks know what each wants and that
  /// none has failed.
  void serve_all() {
    // The way of reading must be equal, too: one rank may have in memory what others read.
    Digest mine(mine_.request.value);
    mine.add(mine_.elsewhere.value).add(extents_.bytes());
    if (wanted_.size() != 1)
      for (const SharedRead& read : wanted_) mine.add(has_parts(read) ? 1U : 0U);
    serve(mine.value(), true);
  }

  /// Serves the ranks that have the same `number`.
  void serve(std::uint64_t number, bool with_extents) {
    CommunicatorBackend* group = file_.transfers().serving_group.join(comm_, number);
    known_.groups = group != nullptr;
    plan();
    if (group == nullptr)
      return agree(comm_, [&] {
        for (SharedRead& read : wanted_)
          if (is_elsewhere(read) || (with_extents && read.extents() != nullptr)) read.read_alone();
      });
    agree(comm_, [&] {
      const bool one = wanted_.size() == 1;
      const std::uint64_t before = group->collectives();
      for (SharedRead& read : wanted_)
        if (with_extents && (one ? read.extents() != nullptr : has_parts(read)))
          read.hear(*group, in_parts());
      hear_elsewhere(*group);
      if (!one && with_extents) hear_extents(*group);
      comm_.count_collectives(group->collectives() - before);
    });
  }

  /// Broadcasts the extents of the whole list, which all ranks of the group want.
  void hear_extents(CommunicatorBackend& group) {
    if (extents_.empty()) return;
    const auto ranks = static_cast<std::uint64_t>(group.size());
    AccessSummary all = summary_of(extents_);
    all.ranks *= ranks;
    all.bytes *= ranks;
    all.pieces *= ranks;
    const StripeLayout& layout = file_.transfers().layout;
    const AskedTransfer asked{.ranks = static_cast<std::size_t>(group.size())};
    CollectiveFile(group, file_.transport(), layout, collective_options(file_))
        .read(plan_extents(asked, all, layout), extents_, buffers_);
    unpack_extents();
  }

  FileState& file_;
  CommunicatorBackend& comm_;
  CallKind kind_;
  std::span<const Read> reads_;
  Datasets named_;
  Sharing sharing_;
  AskedTransfer asked_;
  bool alone_;            ///< one process
  bool trusts_;           ///< nothing is compared
  bool settled_ = false;  ///< all ranks know what any rank wrote
  std::deque<SharedRead> wanted_;
  Buffer room_;  ///< the memory for small reads that are broadcast to all ranks
  InBuffers buffers_;
  ExtentList extents_;
  ChunkSharing chunks_;
  CallSummary mine_;
  CallSummary all_;
  KnownTransfer known_;
  TransferPlan plan_;
};

}  // namespace

void read_together(FileState& file, CallKind kind, std::span<const Read> reads, Sharing sharing,
                   const std::exception_ptr& failure, Datasets named) {
  file.require_open();
  const TransferScope scope(file, name_of(kind));
  // Ranks with lists of their own cannot trust the others to read the same.
  if (named == Datasets::own && sharing == Sharing::trust) sharing = Sharing::automatic;
  ReadTogether(file, kind, reads, named, sharing).run(failure);
}

}  // namespace onecast::together
