#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compression/compression.hpp"
#include "onecast/events/identity.hpp"
#include "onecast/events/product.hpp"

namespace onecast::events::hdf5 {

/// A run of events of a file in memory, as they are stored. Cursors share it; only unpack_batch()
/// changes it.
class EventRun {
 public:
  /// A part of one of the pieces of memory.
  struct Part {
    std::size_t memory = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
  };

  std::string where;  ///< begins errors
  std::uint64_t first = 0;
  std::vector<Identity> identities;
  std::vector<std::vector<std::byte>> memory;

  Codec of_batch = Codec::none, of_event = Codec::none, of_product = Codec::none;
  /// Do compressed pieces begin with their size? If not, it follows from the ends of the products.
  bool has_sizes = true;
  /// Each event as one part, and where its products end in it, once it is unpacked. Where the batch
  /// is compressed, parts count in the unpacked batch, and memory 0 is the batch as it is stored.
  std::vector<Part> events;
  std::vector<std::uint64_t> ends;
  /// Or each product of each event.
  std::vector<Part> products;

  [[nodiscard]] std::uint64_t end() const { return first + identities.size(); }
  [[nodiscard]] bool contains(std::uint64_t entry) const { return entry >= first && entry < end(); }
  [[nodiscard]] Bytes bytes(const Part& part) const;
  [[nodiscard]] std::string where_is(std::uint64_t entry) const;

  /// Decompresses the batch, once for all events; several threads may ask for it.
  void unpack_batch();
  /// For another run: keeps the memory.
  void clear();

 private:
  std::mutex mutex_;
  bool is_unpacked_ = false;
  std::vector<std::byte> batch_;
};

}  // namespace onecast::events::hdf5
