#pragma once

#include <cstdint>
#include <vector>

#include "collective/stripe_layout.hpp"

namespace onecast {

struct OwnerOptions {
  /// At most so many ranks write; 0: no limit. (The hint cb_nodes.)
  std::uint32_t most_aggregators = 0;
  /// So many ranks of one node share a target, if the node has them.
  std::uint32_t writers_per_target = 1;
};

/// Which rank (an aggregator) owns which stripes of a file, for the life of the file.
///
/// Stripes are dealt in turn to `slots`, a multiple of the stripe count: slot s writes to target
/// s mod stripe_count and nothing else. All slots of a target belong to ranks of one node. A rank
/// may have several slots, so that any number of targets is shared out evenly among any number of
/// ranks.
///
/// The stripes of an aggregator, one behind the other, are its domain: bytes have a position in it.
/// Bytes that follow each other in the file, as far as one aggregator owns them, do so in its
/// domain.
class OwnerMap {
 public:
  /// `nodes`: the node of each rank.
  OwnerMap(const StripeLayout& layout, const std::vector<int>& nodes,
           const OwnerOptions& options = {});

  [[nodiscard]] std::uint64_t stripe_size() const { return stripe_size_; }
  [[nodiscard]] std::size_t slots() const { return places_.size(); }
  [[nodiscard]] std::size_t aggregators() const { return ranks_.size(); }
  /// The rank of an aggregator; they ascend.
  [[nodiscard]] int rank_of(std::size_t aggregator) const { return ranks_[aggregator]; }
  /// The aggregator that a rank is, or -1.
  [[nodiscard]] int aggregator_of_rank(int rank) const;
  [[nodiscard]] std::size_t owner(std::uint64_t stripe) const {
    return places_[stripe % places_.size()].aggregator;
  }

  struct Place {
    std::size_t aggregator = 0;
    std::uint64_t position = 0;  ///< in its domain
  };
  [[nodiscard]] Place place(std::uint64_t offset) const {
    const std::uint64_t stripe = offset / stripe_size_;
    const Slot& slot = places_[stripe % places_.size()];
    const std::uint64_t turn = stripe / places_.size();
    const std::uint64_t index = turn * slots_of_[slot.aggregator].size() + slot.index;
    return {slot.aggregator, index * stripe_size_ + offset % stripe_size_};
  }
  /// The offset in the file of a position in a domain.
  [[nodiscard]] std::uint64_t offset(std::size_t aggregator, std::uint64_t position) const {
    const auto& mine = slots_of_[aggregator];
    const std::uint64_t index = position / stripe_size_;
    const std::uint64_t stripe = index / mine.size() * places_.size() + mine[index % mine.size()];
    return stripe * stripe_size_ + position % stripe_size_;
  }

  /// Calls `each(position, offset, length)` for the stretches of [begin, end) of a domain that are
  /// contiguous in the file, each in one stripe.
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
  /// What a slot is to its aggregator: its `index`-th.
  struct Slot {
    std::size_t aggregator = 0;
    std::uint64_t index = 0;
  };

  std::uint64_t stripe_size_;
  std::vector<Slot> places_;                          ///< by slot
  std::vector<int> ranks_;                            ///< by aggregator
  std::vector<std::vector<std::uint64_t>> slots_of_;  ///< by aggregator
};

}  // namespace onecast
