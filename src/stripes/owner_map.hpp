#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::stripes {

struct OwnerOptions {
  /// The largest number of ranks that write; 0: no limit. (The hint cb_nodes.)
  std::uint32_t most_aggregators = 0;
  /// The number of ranks of one node that share a target, if the node has as many.
  std::uint32_t writers_per_target = 1;
};

/// The owners (aggregators) of the stripes of a file, as long as the file is open.
///
/// Stripes are dealt in turn to `slots`, a multiple of the stripe count: slot s writes only to
/// target s mod stripe_count. All slots of a target belong to ranks of one node. A rank may have
/// several slots, so any number of targets is shared evenly among any number of ranks. Each front
/// of a layout has its own slots. If stripes of fronts and of the rest have different sizes, a
/// `stripe` here is their greatest common divisor.
///
/// The domain of an aggregator is the sequence of its stripes: each of its bytes has a position in
/// it. Bytes that are adjacent in the file and have one owner are adjacent in its domain.
class OwnerMap {
 public:
  /// `nodes`: the node of each rank.
  OwnerMap(const StripeLayout& layout, const std::vector<int>& nodes,
           const OwnerOptions& options = {});

  [[nodiscard]] std::uint64_t stripe_size() const { return stripe_size_; }
  /// The number of stripes, after the fronts, at which owners repeat.
  [[nodiscard]] std::size_t slots() const {
    return parts_.back().places.size() * static_cast<std::size_t>(parts_.back().width);
  }
  [[nodiscard]] std::size_t aggregators() const { return ranks_.size(); }
  /// The rank of an aggregator; ranks ascend.
  [[nodiscard]] int rank_of(std::size_t aggregator) const { return ranks_[aggregator]; }
  /// The aggregator that this rank is, or -1.
  [[nodiscard]] int aggregator_of_rank(int rank) const;
  [[nodiscard]] std::size_t owner(std::uint64_t stripe) const {
    const Part& part = part_of(stripe);
    return part.places[stripe / part.width % part.places.size()].aggregator;
  }

  /// The rank that owns the stripe of a byte of the file.
  [[nodiscard]] int rank_at(std::uint64_t offset) const {
    return rank_of(owner(offset / stripe_size_));
  }

  struct Position {
    std::size_t aggregator = 0;
    std::uint64_t position = 0;  ///< in its domain
  };
  [[nodiscard]] Position position(std::uint64_t offset) const {
    const std::uint64_t stripe = offset / stripe_size_;
    const Part& part = part_of(stripe);
    const std::uint64_t wide = stripe / part.width;
    const Slot& slot = part.places[wide % part.places.size()];
    const std::uint64_t turn = wide / part.places.size();
    const std::uint64_t index =
        (turn * part.slots_of[slot.aggregator].size() + slot.index) * part.width +
        stripe % part.width + part.shift[slot.aggregator];
    return {slot.aggregator, index * stripe_size_ + offset % stripe_size_};
  }
  /// The offset in the file of a position in a domain.
  [[nodiscard]] std::uint64_t offset(std::size_t aggregator, std::uint64_t position) const {
    const std::uint64_t at = position / stripe_size_;
    std::size_t p = parts_.size() - 1;
    while (p > 0 && (at < parts_[p].start[aggregator] || parts_[p].slots_of[aggregator].empty()))
      --p;
    const Part& part = parts_[p];
    const auto& mine = part.slots_of[aggregator];
    const std::uint64_t index = at - part.shift[aggregator];
    const std::uint64_t wide = index / part.width;
    const std::uint64_t slot = wide / mine.size() * part.places.size() + mine[wide % mine.size()];
    const std::uint64_t stripe = slot * part.width + index % part.width;
    return stripe * stripe_size_ + position % stripe_size_;
  }

  /// Calls `each(position, offset, length)` for the stretches of [begin, end) of a domain that are
  /// contiguous in the file; each lies in one stripe.
  template <class F>
  void for_each_stretch(std::size_t aggregator, std::uint64_t begin, std::uint64_t end,
                        F&& each) const {
    while (begin < end) {
      const std::uint64_t left = stripe_size_ - begin % stripe_size_;
      const std::uint64_t length = left < end - begin ? left : end - begin;
      each(begin, offset(aggregator, begin), length);
      begin += length;
    }
  }

 private:
  /// The aggregator of a slot, and the slot's index among those of the aggregator.
  struct Slot {
    std::size_t aggregator = 0;
    std::uint64_t index = 0;
  };

  /// A front, or the rest. All members count stripes.
  struct Part {
    std::uint64_t first = 0;   ///< its first stripe in the file
    std::uint64_t width = 1;   ///< the number of these stripes in one stripe of the part
    std::vector<Slot> places;  ///< by slot
    /// For each aggregator: its slots; the start of the part in its domain; that start, less the
    /// stripes before the part that the aggregator would own if the part began with the file
    /// (modulo 2^64).
    std::vector<std::vector<std::uint64_t>> slots_of;
    std::vector<std::uint64_t> start;
    std::vector<std::uint64_t> shift;

    /// The number of stripes before `stripe` that the aggregator would own.
    [[nodiscard]] std::uint64_t owned_before(std::uint64_t stripe, std::size_t aggregator) const;
  };
  [[nodiscard]] const Part& part_of(std::uint64_t stripe) const {
    std::size_t p = parts_.size() - 1;
    while (stripe < parts_[p].first) --p;
    return parts_[p];
  }
  /// Assigns slots to a part; `ranks` has the rank of each.
  void share_out(Part& part, const std::vector<int>& ranks) const;

  std::uint64_t stripe_size_;
  std::vector<Part> parts_;  ///< the first begins with the file
  std::vector<int> ranks_;   ///< by aggregator
};

}  // namespace onecast::stripes
