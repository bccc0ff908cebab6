#include "stripes/stripe_answers.hpp"

#include <cstddef>

namespace onecast::stripes {

StripeLayout layout_from(const std::vector<LustreComponent>& parts) {
  StripeLayout layout;
  layout.source = StripeLayout::Source::lustre;
  std::size_t front = 0;
  const LustreComponent* last = nullptr;
  for (const LustreComponent& part : parts) {
    if (last != nullptr && part.begin < last->end) break;  // the next mirror
    if (last != nullptr && front < layout.fronts.size())
      layout.fronts[front++] = {last->end, last->stripe_size, last->stripe_count};
    last = &part;
  }
  if (last == nullptr) return {};
  layout.stripe_size = last->stripe_size;
  layout.stripe_count = last->stripe_count;
  return layout;
}

StripeLayout layout_from(const StripeAnswers& answers) {
  constexpr std::uint64_t kLeast = 4096;
  if (answers.magic != StripeAnswers::kGpfs && answers.magic != StripeAnswers::kBeeGfs) return {};
  const bool told = answers.magic == StripeAnswers::kBeeGfs && answers.chunk_size >= kLeast;
  const std::uint64_t size = told ? answers.chunk_size : answers.block_size;
  if (size < kLeast || size > StripeLayout::kLargestStripe) return {};
  return {size, told ? answers.target_count : 0, StripeLayout::Source::file_system};
}

}  // namespace onecast::stripes
