#include "objects/values/store_values_together.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "comm/agreement.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/packer.hpp"
#include "objects/values/allocated_collections.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/store_values.hpp"

namespace onecast::values {
namespace {

/// Up to this many bytes are replicated rather than exchanged, and lie together with the values of
/// other calls.
constexpr std::uint64_t kMostReplicated = std::uint64_t{1} << 20U;
/// The number of elements of a dataset whose values lie together, in collections of their own.
constexpr std::uint64_t kBlock = 4096;

/// Adjacent elements of one rank.
struct Piece {
  std::uint64_t first;
  std::span<std::byte> elements;
  std::span<const std::byte> values;  ///< packed
  std::size_t order;                  ///< the order of the pieces, by rank
};

/// The values of one collective call.
class Together {
 public:
  Together(Node& dataset, const BoundSelection& selection, std::span<std::byte> elements,
           const NewValues& values)
      : file_(file_of(dataset)),
        comm_(file_.comm()),
        context_(file_.store().file()),
        type_(dataset.dataset().type),
        selection_(selection),
        elements_(elements),
        values_(values) {}

  void run() {
    const bool replicated = total() <= kMostReplicated;
    const auto ranks = static_cast<std::size_t>(comm_.size());
    owners_ = replicated ? 1 : ranks;
    to_ = agree(comm_, [&] { return pack(); });
    if (replicated) {
      received_ = comm_.all_gather(to_[0]);
      agree(comm_, [&] {
        open();
        for (auto& [block, pieces] : blocks_)
          store(pieces, [&](ByteView v) { return heap_of(file_).put(v, false); });
        take_back({results_[static_cast<std::size_t>(comm_.rank())]});
      });
      return;
    }
    received_ = comm_.exchange(to_);
    received_[static_cast<std::size_t>(comm_.rank())] =
        std::move(to_[static_cast<std::size_t>(comm_.rank())]);
    const auto planned = comm_.all_gather(agree(comm_, [&] {
      open();
      return plan();
    }));
    agree(comm_, [&] {
      store(planned);
      write();
    });
    auto stored = comm_.exchange(results_);
    stored[static_cast<std::size_t>(comm_.rank())] =
        std::move(results_[static_cast<std::size_t>(comm_.rank())]);
    agree(comm_, [&] { take_back(stored); });
  }

 private:
  using Bytes = std::vector<std::vector<std::byte>>;

  /// Returns the bytes of all ranks' elements and values.
  std::uint64_t total() {
    Packer values;
    const std::uint64_t mine[] = {elements_.size() +
                                  pack_values(type_, elements_, values_, values)};
    std::uint64_t sum = 0;
    for (const auto& bytes : comm_.all_gather(std::as_bytes(std::span(mine))))
      sum += Unpacker(bytes).number();
    return sum;
  }

  /// Calls each(owner, first, elements) for the pieces of this rank's part.
  template <class F>
  void for_each_piece(F&& each) const {
    std::size_t done = 0;
    selection_.for_each_run([&](std::uint64_t first, std::uint64_t count) {
      while (count > 0) {
        const std::uint64_t n = std::min(count, (first / kBlock + 1) * kBlock - first);
        const auto size = static_cast<std::size_t>(n) * type_.size();
        each(static_cast<std::size_t>(first / kBlock % owners_), first,
             elements_.subspan(done, size));
        done += size;
        first += n;
        count -= n;
      }
    });
  }

  Bytes pack() {
    std::vector<Packer> to(owners_);
    for_each_piece([&](std::size_t owner, std::uint64_t first, std::span<std::byte> elements) {
      Packer values;
      pack_values(type_, elements, values_, values);
      to[owner].number(first);
      to[owner].block(elements);
      to[owner].block(values.out);
    });
    return taken(to);
  }

  /// Sorts the received pieces. The elements are copied, to become results.
  void open() {
    results_.resize(received_.size());
    for (std::size_t rank = 0; rank < received_.size(); ++rank) {
      std::size_t size = 0;
      for (Unpacker u(received_[rank]); !u.at_end(); u.block()) {
        u.number();
        size += u.block().size();
      }
      results_[rank].resize(size);
      std::size_t done = 0;
      for (Unpacker u(received_[rank]); !u.at_end();) {
        const std::uint64_t first = u.number();
        const auto elements = u.block();
        const auto copy = std::span(results_[rank]).subspan(done, elements.size());
        std::copy(elements.begin(), elements.end(), copy.begin());
        done += elements.size();
        std::vector<Piece>& pieces = blocks_[first / kBlock];
        pieces.push_back({first, copy, u.block(), pieces.size()});
      }
    }
    // If several ranks write one element, its values are in rank order.
    for (auto& [block, pieces] : blocks_)
      std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        return std::tie(a.first, a.order) < std::tie(b.first, b.order);
      });
  }

  /// Returns true if a higher rank wrote the elements of the piece, too. Only the highest rank's
  /// values are stored.
  static bool is_overwritten(const std::vector<Piece>& pieces, std::size_t i) {
    return i + 1 < pieces.size() && pieces[i].first == pieces[i + 1].first &&
           pieces[i].elements.size() == pieces[i + 1].elements.size();
  }

  void store(const std::vector<Piece>& pieces, const PutValue& put) const {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (is_overwritten(pieces, i)) continue;
      Unpacker values(pieces[i].values);
      store_packed_values(type_, pieces[i].elements, values, context_, put);
    }
    for (std::size_t i = pieces.size(); i-- > 0;)
      if (is_overwritten(pieces, i))
        std::ranges::copy(pieces[i + 1].elements, pieces[i].elements.begin());
  }

  /// Returns for each block its number and the sizes of its collections.
  std::vector<std::byte> plan() {
    Packer out;
    for (const auto& [block, pieces] : blocks_) {
      PlannedCollections planned;
      std::vector<std::byte> copy;
      with_packer(context_, planned, [&](const PutValue& put) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
          if (is_overwritten(pieces, i)) continue;
          copy.assign(pieces[i].elements.begin(), pieces[i].elements.end());
          Unpacker values(pieces[i].values);
          store_packed_values(type_, copy, values, context_, put);
        }
      });
      out.number(block);
      out.block(std::as_bytes(std::span(planned.sizes)));
    }
    return std::move(out.out);
  }

  /// All ranks give places to all collections.
  void store(const Bytes& planned) {
    std::map<std::uint64_t, std::span<const std::byte>> all;
    for (const auto& bytes : planned)
      for (Unpacker u(bytes); !u.at_end();) {
        const std::uint64_t block = u.number();
        all[block] = u.block();
      }
    for (const auto& [block, sizes] : all)
      for (Unpacker u(sizes); !u.at_end();)
        places_[block].push_back(take_heap_place(file_, u.number()));
  }

  void write() {
    for (const auto& [block, pieces] : blocks_) {
      AllocatedCollections stored(file_, places_[block]);
      with_packer(context_, stored, [&](const PutValue& put) { store(pieces, put); });
    }
  }

  /// `stored` is by owner.
  void take_back(const Bytes& stored) const {
    std::vector<std::size_t> done(stored.size(), 0);
    for_each_piece([&](std::size_t owner, std::uint64_t, std::span<std::byte> elements) {
      if (elements.empty()) return;
      std::memcpy(elements.data(), stored[owner].data() + done[owner], elements.size());
      done[owner] += elements.size();
    });
  }

  FileState& file_;
  CommunicatorBackend& comm_;
  const FileContext& context_;
  const Datatype& type_;
  const BoundSelection& selection_;
  std::span<std::byte> elements_;
  const NewValues& values_;
  std::size_t owners_ = 1;
  Bytes to_;        ///< by owner
  Bytes received_;  ///< by rank
  Bytes results_;   ///< by rank: its elements, with the places of values
  std::map<std::uint64_t, std::vector<Piece>> blocks_;  ///< those of this rank
  std::map<std::uint64_t, std::vector<Address>> places_;
};

}  // namespace

void store_values_together(Node& dataset, const BoundSelection& selection,
                           std::span<std::byte> elements, const NewValues& values) {
  // References to objects are already in their stored form.
  if (!uses_heap(dataset.dataset().type)) return;
  Together(dataset, selection, elements, values).run();
}

}  // namespace onecast::values
