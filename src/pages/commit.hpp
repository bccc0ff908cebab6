#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/buffer.hpp"
#include "comm/backend.hpp"
#include "pages/metadata_store.hpp"
#include "pages/page_allocator.hpp"
#include "transport/transport.hpp"

namespace onecast {

/// How dirty pages are dealt to writers.
struct CommitOptions {
  std::uint64_t stripe_size = 1 << 20U;
  std::uint64_t single_writer_stripes = 64;
  bool durable = false;
};

/// One flush of the page store: the pages that change, as new images, written each once; page 0,
/// with the superblock, after all others. Until adopt() neither the store nor a view has changed.
class Commit {
 public:
  explicit Commit(MetadataStore& store, std::uint64_t page_size)
      : store_(store), page_size_(page_size) {}

  /// These bytes will be encoded anew.
  void touch(Address address, std::uint64_t size);
  /// Makes the images of all touched pages: from the store, or zeros where a page is new.
  /// `known_end`: pages from here on were not in the file before.
  void prepare(std::uint64_t known_end);
  /// Where to encode an object.
  [[nodiscard]] std::span<std::byte> at(Address address, std::uint64_t size);

  /// Writes every image once, adjacent pages in one call. `file_end`: the file is known to be at
  /// least so long; if it is shorter than `end` then, one byte makes it as long. All ranks throw
  /// the same Error or none; the pages overwritten before are put back then. @collective
  void write(CommunicatorBackend& comm, Transport& transport, const CommitOptions& options,
             std::uint64_t file_end, std::uint64_t end);

  /// Hands the images to the store.
  void adopt();

 private:
  struct Image {
    Address address;
    Buffer bytes;
    std::uint64_t existing = 0;  ///< bytes of it, from its start, that were in the file before
  };
  /// A part of an image and who writes it.
  struct Part {
    const Image* image;
    std::size_t offset;
    std::size_t size;
  };

  [[nodiscard]] std::vector<Part> parts_of(const CommunicatorBackend& comm,
                                           const CommitOptions& options) const;
  void write_part(Transport& transport, const Part& part) const;
  void put_back(Transport& transport, const std::vector<Part>& parts) const;

  MetadataStore& store_;
  std::uint64_t page_size_;
  std::set<std::uint64_t> pages_;
  std::vector<Image> images_;  ///< by address; page 0 alone first, then runs of adjacent pages
};

}  // namespace onecast
