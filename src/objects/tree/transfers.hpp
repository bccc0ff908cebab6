#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/namespaces.hpp"
#include "collective/collective_file.hpp"
#include "collective/last_transfer.hpp"
#include "collective/owner_map.hpp"
#include "collective/stripe_layout.hpp"
#include "comm/serving_group.hpp"
#include "objects/memory/chunk_cache.hpp"
#include "objects/memory/heard_heaps.hpp"
#include "objects/tree/transfer_options.hpp"

namespace onecast::tree {

/// What is known of the way of raw data between memory and file, and what is kept of it.
class Transfers {
 public:
  TransferOptions options;  ///< of options and hints of the file
  StripeLayout layout;      ///< where somebody may ask for it; the same on all ranks
  std::unique_ptr<CollectiveFile> collective;  ///< once all ranks transferred together
  LastTransfer last;
  ServingGroup serving_group;  ///< the last one
  ChunkCache chunk_cache;
  HeardHeaps heard_heaps;

  /// Which rank of `comm`, the file's, writes which stripe. Collective if nothing asked for the
  /// nodes before.
  const OwnerMap& stripe_owners(CommunicatorBackend& comm);
  /// Who writes what all ranks have, at a position of the file: the owner of the stripe, if all
  /// know it, else rank 0.
  int writer_at(CommunicatorBackend& comm, std::uint64_t position);

 private:
  std::optional<OwnerMap> owners_;  ///< of stripes, once they are dealt
};

}  // namespace onecast::tree
