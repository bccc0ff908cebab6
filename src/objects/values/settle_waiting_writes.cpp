#include "objects/values/settle_waiting_writes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "comm/agreement.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/chunk_write.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/packer.hpp"
#include "objects/values/allocated_collections.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/overwritten_values.hpp"
#include "objects/values/renew_places.hpp"
#include "objects/values/store_values.hpp"
#include "objects/values/waiting_writes.hpp"
#include "objects/values/writing_turns.hpp"

namespace onecast::values {
namespace {

void store(Node& node, const Selection& part, const std::vector<std::byte>& elements) {
  FileState& file = file_of(node);
  if (node.dataset().layout == Layout::compact) {
    write_compact(node, part, elements);
    file.changes().compact_writes.remember({node.id(), part, elements});
    return;
  }
  const BoundSelection selection(node.dataset().space, part, node);
  if (node.dataset().layout == Layout::chunked)
    write_chunked(node, selection, elements, Allocation::at_flush);
  else
    write_contiguous(node, selection, elements);
}

/// Takes the writes to datasets that all ranks know. The values of a local dataset wait for the
/// flush.
std::vector<VariableWrite> take_writes_to_known(FileState& file) {
  std::vector<VariableWrite> all = std::exchange(file.changes().variable_writes, {});
  if (file.local_edits().empty()) return all;
  std::vector<VariableWrite> taken;
  for (VariableWrite& w : all)
    (file.nodes().of(w.dataset).is_local() ? file.changes().variable_writes : taken)
        .push_back(std::move(w));
  return taken;
}

/// The waiting writes of all ranks: by dataset, then in the order of the ranks. They are packed in
/// groups that follow from their sizes alone, so it does not matter which rank has which.
class WaitingWrites {
 public:
  explicit WaitingWrites(FileState& file)
      : file_(file), comm_(file.comm()), context_(file.store().file()) {}

  void run() {
    try {
      settle();
    } catch (const Error& error) {
      // The next flush tries writes again that did not fit; any other error now is final.
      std::vector<VariableWrite>& left = file_.changes().variable_writes;
      if (error.code() == ErrorCode::io)
        left.insert(left.begin(), std::make_move_iterator(mine_.begin()),
                    std::make_move_iterator(mine_.end()));
      throw;
    }
  }

 private:
  void settle() {
    const auto known = comm_.all_gather(agree(comm_, [&] { return pack(); }));
    make_groups(known);
    renew();
    if (bytes_ <= kReplicated)
      settle_alike();
    else
      settle_in_groups();
    store_all();
  }

  /// The values of about this many bytes lie together, in collections of their own.
  static constexpr std::uint64_t kGroup = std::uint64_t{64} << 10U;
  /// If all ranks together write no more bytes, all pack them, after what they packed before.
  static constexpr std::uint64_t kReplicated = kGroup;

  struct WriteId {
    std::size_t rank;
    std::size_t number;  ///< the index among the writes of that rank
  };
  /// Consecutive writes; the rank of the first one packs them.
  using Group = std::vector<WriteId>;
  /// A write that another rank sent.
  struct Sent {
    const Datatype* type;
    std::vector<std::byte> elements;
    std::span<const std::byte> values;
  };

  [[nodiscard]] BoundSelection selection_of(const VariableWrite& w) const {
    Node& node = file_.nodes().of(w.dataset);
    return {node.dataset().space, w.part, node};
  }

  /// Stores the elements. If ranks wrote the same elements, the higher rank stores them later, and
  /// its elements stay.
  void store_all() {
    OverwrittenValues overwritten(file_);
    const WritingTurns turns = writing_turns(boxes_, static_cast<std::size_t>(comm_.size()));
    for (std::size_t turn = 0; turn < turns.count; ++turn)
      agree(comm_, [&] {
        if (turns.of_rank[static_cast<std::size_t>(comm_.rank())] != turn) return;
        for (std::size_t i = 0; i < mine_.size(); ++i) {
          Node& node = file_.nodes().of(mine_[i].dataset);
          overwritten.note(node, selection_of(mine_[i]));
          store(node, mine_[i].part, settled_[i].bytes());
        }
      });
    overwritten.drop();
  }

  void renew() {
    RenewedPlaces places(file_);
    agree(comm_, [&] {
      for (const VariableWrite& w : mine_)
        places.want(file_.nodes().of(w.dataset), selection_of(w));
    });
    places.renew_together();
  }

  /// Each rank gets the writes of all ranks, and puts their values into the heap.
  void settle_alike() {
    const auto all = comm_.all_gather(agree(comm_, [&] {
      Packer out;
      for (const Group& group : groups_)
        for (const WriteId& place : group)
          if (is_me(place.rank)) pack(out, mine_[place.number]);
      return std::move(out.out);
    }));
    agree(comm_, [&] {
      std::vector<Unpacker> writes(all.begin(), all.end());
      for (const Group& group : groups_)
        for (const WriteId& place : group) {
          Sent sent = unpack(writes[place.rank]);
          Unpacker values(sent.values);
          store_packed_values(*sent.type, sent.elements, values, context_,
                              [&](ByteView value) { return heap_of(file_).put(value, false); });
          if (is_me(place.rank)) keep(place.number, sent.elements);
        }
      heap_of(file_).finish();
    });
  }

  /// The rank of the first write of a group packs the group.
  void settle_in_groups() {
    if (crosses_) received_ = comm_.exchange(for_owners());
    const auto planned = comm_.all_gather(agree(comm_, [&] {
      open();
      return plan();
    }));
    agree(comm_, [&] { settle(planned); });
    if (crosses_) {
      const auto settled = comm_.exchange(results());
      agree(comm_, [&] { take_back(settled); });
    }
  }

  [[nodiscard]] bool is_me(std::size_t rank) const {
    return rank == static_cast<std::size_t>(comm_.rank());
  }

  void keep(std::size_t number, std::span<const std::byte> elements) {
    settled_[number] = WaitingBytes(file_.changes().waiting, elements);
  }

  /// Returns the values of a write in the form that other ranks need.
  [[nodiscard]] std::vector<std::byte> packed_values(const VariableWrite& w) const {
    Packer values;
    pack_values(file_.nodes().of(w.dataset).dataset().type, w.elements.bytes(), values_of(w),
                values);
    return std::move(values.out);
  }

  /// Packs, for each write, its dataset, the number of bytes of its values and elements, and the
  /// elements' places.
  std::vector<std::byte> pack() {
    mine_ = take_writes_to_known(file_);
    std::erase_if(mine_,
                  [&](const VariableWrite& w) { return file_.nodes().of(w.dataset).removed; });
    settled_.resize(mine_.size());
    Packer sizes;
    for (const VariableWrite& w : mine_) {
      sizes.number(w.dataset.is_new ? 1 : 0);
      sizes.number(w.dataset.identity);
      sizes.number(packed_values(w).size());
      sizes.number(w.elements.size());
      const std::vector<Interval> box = selection_of(w).bounding_box();
      sizes.number(box.size());
      for (const Interval& side : box) {
        sizes.number(side.first);
        sizes.number(side.end);
      }
    }
    return std::move(sizes.out);
  }

  void make_groups(const std::vector<std::vector<std::byte>>& sizes) {
    struct Write {
      std::pair<bool, std::uint64_t> dataset;
      WriteId place;
      std::uint64_t size;
    };
    std::vector<Write> all;
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
      std::size_t number = 0;
      for (Unpacker u(sizes[rank]); !u.at_end(); ++number) {
        const bool is_new = u.number() != 0;
        const std::uint64_t identity = u.number();
        all.push_back({{is_new, identity}, {rank, number}, u.number()});
        bytes_ += all.back().size + u.number();
        WrittenBox& box = boxes_.emplace_back(WrittenBox{rank, {is_new ? 1 : 0, identity}, {}});
        for (std::uint64_t sides = u.number(); sides > 0; --sides) {
          const std::uint64_t start = u.number();
          box.sides.push_back({start, u.number()});
        }
      }
    }
    std::ranges::sort(all, {}, [](const Write& w) {
      return std::tuple(w.dataset, w.place.rank, w.place.number);
    });
    std::uint64_t bytes = kGroup;  // bytes of the last group: it starts as full
    for (const Write& w : all) {
      if (bytes >= kGroup || w.size >= kGroup) {
        groups_.emplace_back();
        bytes = 0;
      }
      bytes += w.size;
      groups_.back().push_back(w.place);
      crosses_ = crosses_ || w.place.rank != groups_.back().front().rank;
    }
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> for_owners() const {
    std::vector<Packer> to(static_cast<std::size_t>(comm_.size()));
    for_each_for([&](std::size_t owner, std::size_t number) { pack(to[owner], mine_[number]); });
    return taken(to);
  }

  void pack(Packer& out, const VariableWrite& w) const {
    out.number(w.dataset.is_new ? 1 : 0);
    out.number(w.dataset.identity);
    out.block(w.elements.bytes());
    out.block(packed_values(w));
  }
  [[nodiscard]] Sent unpack(Unpacker& in) const {
    const bool is_new = in.number() != 0;
    Node& node = file_.nodes().of({is_new, in.number()});
    const auto elements = in.block();
    return {&node.dataset().type, {elements.begin(), elements.end()}, in.block()};
  }

  /// Calls each(owner, index) for the writes of this rank that another rank packs.
  template <class F>
  void for_each_for(F&& each) const {
    for (const Group& group : groups_)
      for (const WriteId& place : group)
        if (is_me(place.rank) && !is_me(group.front().rank)) each(group.front().rank, place.number);
  }

  void open() {
    sent_.resize(received_.size());
    for (std::size_t rank = 0; rank < received_.size(); ++rank)
      for (Unpacker u(received_[rank]); !u.at_end();) sent_[rank].push_back(unpack(u));
  }

  /// Calls each(type, elements, values) for the writes of a group that this rank packs, one after
  /// the other in memory; keeps the resulting elements.
  template <class F>
  void for_each_of(const Group& group, std::vector<std::size_t>& next, F&& each) {
    for (const WriteId& place : group) {
      if (is_me(place.rank)) {
        const VariableWrite& w = mine_[place.number];
        std::vector<std::byte> elements = w.elements.bytes();
        const std::vector<std::byte> values = packed_values(w);
        each(file_.nodes().of(w.dataset).dataset().type, elements, std::span(values));
        keep(place.number, elements);
      } else {
        Sent& sent = sent_[place.rank][next[place.rank]++];
        each(*sent.type, sent.elements, sent.values);
      }
    }
  }

  /// Returns the sizes of the collections of each group of this rank.
  std::vector<std::byte> plan() {
    Packer out;
    std::vector<std::size_t> next(sent_.size());
    for (const Group& group : groups_) {
      if (!is_me(group.front().rank)) continue;
      PlannedCollections planned;
      with_packer(context_, planned, [&](const PutValue& put) {
        for_each_of(group, next,
                    [&](const Datatype& type, std::vector<std::byte> elements,
                        std::span<const std::byte> packed) {
                      Unpacker values(packed);
                      store_packed_values(type, elements, values, context_, put);
                    });
      });
      out.block(std::as_bytes(std::span(planned.sizes)));
    }
    return std::move(out.out);
  }

  /// All ranks give places to all collections; each writes its own.
  void settle(const std::vector<std::vector<std::byte>>& planned) {
    std::vector<Unpacker> sizes(planned.begin(), planned.end());
    std::vector<std::vector<Address>> places;
    for (const Group& group : groups_) {
      places.emplace_back();
      for (Unpacker u(sizes[group.front().rank].block()); !u.at_end();)
        places.back().push_back(take_heap_place(file_, u.number()));
    }
    std::vector<std::size_t> next(sent_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!is_me(groups_[i].front().rank)) continue;
      AllocatedCollections collections(file_, places[i]);
      with_packer(context_, collections, [&](const PutValue& put) {
        for_each_of(groups_[i], next,
                    [&](const Datatype& type, std::vector<std::byte>& elements,
                        std::span<const std::byte> packed) {
                      Unpacker values(packed);
                      store_packed_values(type, elements, values, context_, put);
                    });
      });
    }
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> results() const {
    std::vector<Packer> to(static_cast<std::size_t>(comm_.size()));
    for (std::size_t rank = 0; rank < sent_.size(); ++rank)
      for (const Sent& sent : sent_[rank]) to[rank].block(sent.elements);
    return taken(to);
  }

  void take_back(const std::vector<std::vector<std::byte>>& settled) {
    std::vector<Unpacker> from(settled.begin(), settled.end());
    for_each_for([&](std::size_t owner, std::size_t number) {
      const auto elements = from[owner].block();
      keep(number, elements);
    });
  }

  FileState& file_;
  CommunicatorBackend& comm_;
  const FileContext& context_;
  std::vector<VariableWrite> mine_;
  std::vector<WaitingBytes> settled_;  ///< the elements of each of mine_, with their places
  std::vector<WrittenBox> boxes_;      ///< the boxes of all ranks, by rank
  std::vector<Group> groups_;          ///< the groups of all ranks
  bool crosses_ = false;               ///< a group has writes of several ranks
  std::uint64_t bytes_ = 0;            ///< the bytes of elements and values of all ranks
  std::vector<std::vector<std::byte>> received_;
  std::vector<std::vector<Sent>> sent_;  ///< by rank
};

}  // namespace

void settle_waiting_writes(FileState& file) { WaitingWrites(file).run(); }

}  // namespace onecast::values
