#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/namespaces.hpp"
#include "collective/collective_file.hpp"
#include "collective/last_transfer.hpp"
#include "comm/serving_group.hpp"
#include "objects/files/device_way.hpp"
#include "objects/files/transfer_options.hpp"
#include "objects/memory/chunk_cache.hpp"
#include "objects/memory/heard_heaps.hpp"
#include "stripes/owner_map.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::files {

/// The knowledge about transfers of raw data between memory and file, and what is kept for later
/// transfers.
class Transfers {
 public:
  TransferOptions options;  ///< the options and hints of the file
  StripeLayout layout;      ///< known where a call may need it; equal on all ranks
  std::unique_ptr<CollectiveFile> collective;  ///< set by the first collective transfer
  LastTransfer last;
  DeviceWay device_way;
  ServingGroup serving_group;  ///< the last one used
  ChunkCache chunk_cache;
  HeardHeaps heard_heaps;

  /// Returns which rank of `comm`, the file's communicator, writes which stripe. Collective unless
  /// the nodes (machines) of the ranks are known already.
  const OwnerMap& stripe_owners(CommunicatorBackend& comm);
  /// Returns the rank that writes what all ranks have at a position of the file: the owner of the
  /// stripe, if all ranks know it, else rank 0.
  int writer_at(CommunicatorBackend& comm, std::uint64_t position);

 private:
  std::optional<OwnerMap> owners_;  ///< the owners of stripes, once they are assigned
};

}  // namespace onecast::files
