#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "collective/owner_map.hpp"
#include "comm/backend.hpp"
#include "pages/journal.hpp"
#include "pages/metadata_store.hpp"
#include "pages/page_allocator.hpp"
#include "transport/transport.hpp"

namespace onecast::pages {

/// How dirty pages are dealt to writers.
struct CommitOptions {
  std::uint64_t stripe_size = 1 << 20U;
  /// Up to so many are written by rank 0.
  std::uint64_t single_writer_stripes = 64;
  bool durable = false;
  /// Who writes more; null: the ranks in turn.
  const OwnerMap* owners = nullptr;
};

/// One flush of the page store: the pages that change, as new images, written each once; page 0,
/// with the superblock, after all others. Until adopt() neither the store nor a view has changed.
///
/// In a file that another program wrote, metadata lies beside raw data, which may be newer in the
/// file than anybody knows. There an image is exactly what was touched.
///
/// A process may be killed at any time. What lies in new pages is not seen before page 0 is there.
/// Before pages that were in the file are overwritten, rank 0 writes what was there to a journal,
/// and if that takes more than one write, marks the superblock, so that nobody reads the file half.
class Commit {
 public:
  /// `pages_start`: from here on metadata lies in pages that hold nothing else.
  explicit Commit(MetadataStore& store, std::uint64_t page_size, const CommitOptions& options = {},
                  std::uint64_t pages_start = 0)
      : store_(store), page_size_(page_size), pages_start_(pages_start), options_(options) {}

  /// These bytes will be encoded anew.
  void touch(Address address, std::uint64_t size);
  /// Makes the images of all touched pages: from the store, or zeros where a page is new.
  /// `known_end`: what is from here on was not in the file before, nor `reused` pages before it.
  void prepare(std::uint64_t known_end, const std::set<std::uint64_t>& reused = {});
  /// Raw data that is written with the pages, over other raw data that the file has until then.
  /// Call after prepare(), of the same `known_end`. Reads what is there. Throws Error (io).
  void overwrite(Transport& transport, Address address, Buffer bytes, std::uint64_t known_end);
  /// Where to encode an object.
  [[nodiscard]] std::span<std::byte> at(Address address, std::uint64_t size);
  /// Seals the pages, when all is encoded.
  void seal();
  /// Do these bytes, that were touched together, differ from what is in the file?
  [[nodiscard]] bool changes(Address address, std::uint64_t size);
  /// The journal holds these bytes, changed or not: any program that opens the file for writing
  /// changes them. Those of page 0 it has anyway.
  void guard(Address address, std::uint64_t size) { guard_ = {address, size}; }

  /// On rank 0, when all is encoded, before any rank calls write(): journal and mark. Writes
  /// nothing if only new pages are written. Throws Error (io).
  void protect(const CommunicatorBackend& comm, Transport& transport, JournalFile& journal);

  /// Writes every image once, adjacent pages in one call; not page 0 if it did not change.
  /// `file_end`: the file is known to be at least so long; if it is shorter than `end` then, one
  /// byte makes it as long. All ranks throw the same Error or none; the pages overwritten before
  /// are put back then. @collective
  void write(CommunicatorBackend& comm, Transport& transport, std::uint64_t file_end,
             std::uint64_t end);
  /// Puts back what was there before, after protect() or write() failed. Returns whether that went
  /// well on all ranks; if not, the journal is still needed. @collective
  [[nodiscard]] bool put_back(CommunicatorBackend& comm, Transport& transport);

  /// Of the images.
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const Image& image : images_) all += image.bytes.size();
    return all;
  }
  /// Hands the images to the store.
  void adopt();

 private:
  struct Image {
    Address address;
    Buffer bytes;
    std::uint64_t existing = 0;  ///< bytes of it, from its start, that were in the file before
    std::uint64_t step = 0;      ///< the page size, or of an image without pages, its own
    bool is_raw_data = false;    ///< which the store does not have:
    Buffer old{};                ///< what was in the file, `existing` bytes

    [[nodiscard]] Address end() const { return address + bytes.size(); }
  };
  /// A part of an image and who writes it.
  struct Part {
    const Image* image;
    std::size_t offset;
    std::size_t size;
    int rank;

    [[nodiscard]] bool overwrites() const { return offset < image->existing; }
  };

  /// All but the first image, or of a new file, its start.
  [[nodiscard]] std::vector<Part> parts(int ranks) const;
  [[nodiscard]] std::vector<Part> parts_of(const CommunicatorBackend& comm) const;
  /// The image that begins with the superblock.
  [[nodiscard]] const Image& boot() const { return images_.front(); }
  /// The first image that begins behind the address.
  [[nodiscard]] std::vector<Image>::iterator image_behind(Address address);
  /// The file is.
  [[nodiscard]] bool is_new() const { return boot().existing == 0; }
  /// It was not in the file, or is another now.
  [[nodiscard]] bool boot_changes();
  void prepare_ranges(std::uint64_t known_end);
  /// What was in the file, `image.step` bytes.
  [[nodiscard]] ByteView old_bytes(const Image& image, std::uint64_t offset);
  void note_old(const Image& image, std::uint64_t offset, Journal& old, bool& any);
  void write_part(Transport& transport, const Part& part) const;
  /// Does this rank, and not rank 0, write raw data of the stripe before `end`?
  [[nodiscard]] bool owns_end(const CommunicatorBackend& comm, Transport& transport,
                              std::uint64_t end) const;
  /// Returns whether it was shorter.
  bool make_as_long_as(std::uint64_t end, Transport& transport) const;
  void write_version(Transport& transport, std::byte version) const;
  void write_old(Transport& transport, const Part& part);
  void write_boot(Transport& transport);

  MetadataStore& store_;
  std::uint64_t page_size_;
  std::uint64_t pages_start_;
  CommitOptions options_;
  std::vector<FileRange> ranges_;  ///< touched outside of pages
  FileRange guard_;
  std::set<std::uint64_t> pages_;
  std::set<std::uint64_t> without_seal_;  ///< of them, those that an object takes whole
  /// By address: runs of adjacent pages, page 0 alone if it is there; before them, what lies
  /// outside of pages, the superblock alone.
  std::vector<Image> images_;
  bool writing_ = false;       ///< pages may have been overwritten
  bool boot_touched_ = false;  ///< the superblock as well, or it was marked
  bool marked_ = false;
};

}  // namespace onecast::pages
