// The striping of a file as Lustre writes it, and who would own its stripes; extents as ranks send
// them to each other.
#include "collective/extent_list.hpp"
#include "fuzz/input.hpp"
#include "stripes/lustre_layout.hpp"
#include "stripes/owner_map.hpp"
#include "stripes/stripe_answers.hpp"

namespace onecast {

using namespace collective;

namespace {

/// A position in a domain leads back to where it came from.
void go_there_and_back(const OwnerMap& owners) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60U;
  for (std::uint64_t offset = 0; offset < kMost; offset = 3 * offset + 1000) {
    const auto [aggregator, position] = owners.position(offset);
    if (owners.offset(aggregator, position) != offset ||
        owners.owner(offset / owners.stripe_size()) != aggregator)
      __builtin_trap();
  }
}

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const auto parts = decode_lustre_layout(bytes, "input");
    for (const int ranks_of_node : {1, 2}) {
      const std::vector<int> nodes{0, 1 / ranks_of_node, 2 / ranks_of_node, 3 / ranks_of_node};
      go_there_and_back(OwnerMap(layout_from(parts), nodes));
    }
  });
  fuzz::expect_errors_only([&] { static_cast<void>(ExtentList::decode(bytes)); });
}

}  // namespace onecast
