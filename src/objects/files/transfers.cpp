#include "objects/files/transfers.hpp"

namespace onecast::files {

const OwnerMap& Transfers::stripe_owners(CommunicatorBackend& comm) {
  if (!owners_) owners_.emplace(layout, comm.nodes(), OwnerOptions{options.aggregators});
  return *owners_;
}

int Transfers::writer_at(CommunicatorBackend& comm, std::uint64_t position) {
  const bool knows_nodes = owners_ || (collective && collective->aggregators() != 0);
  if (!layout.is_known() || comm.size() == 1 || !knows_nodes) return 0;
  return stripe_owners(comm).rank_at(position);
}

}  // namespace onecast::files
