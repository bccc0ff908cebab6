#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "pages/journal.hpp"
#include "pages/metadata_store.hpp"
#include "pages/page_allocator.hpp"
#include "pages/shared_images.hpp"
#include "stripes/owner_map.hpp"
#include "transport/transport.hpp"

namespace onecast::pages {

/// The choice of the ranks that write the changed pages.
struct CommitOptions {
  std::uint64_t stripe_size = 1 << 20U;
  /// Rank 0 writes alone if the pages lie in at most this many stripes.
  std::uint64_t single_writer_stripes = 64;
  bool durable = false;
  /// The owners of stripes, which write otherwise; null: the ranks in turn.
  const OwnerMap* owners = nullptr;
};

/// One flush of the page store: the new images of the changed pages, each written once, page 0 with
/// the superblock last. The store and all views stay unchanged until apply().
///
/// In a file of another program, metadata lies beside raw data, whose bytes in the file may be
/// newer than any copy. So there an image covers exactly the touched bytes.
///
/// A process may be killed at any time. Nothing refers to new pages until page 0 is written. Before
/// pages of the file are overwritten, rank 0 writes their old bytes to a journal. If overwriting
/// takes more than one write, it also marks the superblock, so that no program reads a half flushed
/// file.
class Commit {
 public:
  /// From `pages_start` on, metadata lies in pages that hold nothing else.
  explicit Commit(MetadataStore& store, std::uint64_t page_size, const CommitOptions& options = {},
                  std::uint64_t pages_start = 0)
      : store_(store), page_size_(page_size), pages_start_(pages_start), options_(options) {}

  /// Notes that these bytes will be encoded anew.
  void touch(Address address, std::uint64_t size);
  /// Makes the images of all touched pages, from the store, or of zeros for new pages. Pages from
  /// `known_end` on, and `reused` pages before it, were not in the file before. If the rank shares
  /// a `file` in memory with others of its node, large images lie there, and the rank that made the
  /// file encodes them for all. All ranks of a node pass equal images.
  void prepare(std::uint64_t known_end, const std::set<std::uint64_t>& reused = {},
               NodeFile file = {});
  /// True if this rank encodes; false if another rank of its node does so.
  [[nodiscard]] bool encodes() const { return shared_.is_empty() || shared_.is_made_here(); }
  /// True if this rank should have encoded for others of its node, but the system refused the
  /// memory that they share.
  [[nodiscard]] bool lacks_shared_memory() const { return shared_.is_refused(); }
  /// Must be called on all ranks if any lacks_shared_memory(). If the rank that was to encode for
  /// this one does not, makes images for this rank to encode, and returns true.
  bool take_over_encoding();
  /// Adds raw data that is written with the pages, over raw data that the file needs until then.
  /// Must be called after prepare(), with the same `known_end`. Reads the old bytes. Throws Error
  /// (io).
  void overwrite(Transport& transport, Address address, Buffer bytes, std::uint64_t known_end);
  /// The part of an image into which an object is encoded.
  [[nodiscard]] std::span<std::byte> at(Address address, std::uint64_t size);
  /// Seals the pages. Must be called when all objects are encoded. `told` is a number for the other
  /// ranks of the node. Throws std::bad_alloc.
  void seal(std::uint64_t told = 0);
  /// The number that the encoding rank told. Must be called when that rank has sealed the pages.
  [[nodiscard]] std::uint64_t told() const { return shared_.is_empty() ? told_ : shared_.told(); }
  /// True if these bytes, which were touched together, differ from those in the file.
  [[nodiscard]] bool changes(Address address, std::uint64_t size);
  /// Looks at the old bytes that put_back() would need on this rank: afterwards they are in memory.
  /// Each rank must call it before any rank calls write(). Throws Error.
  void look_at_old(const CommunicatorBackend& comm);
  /// Puts these bytes into the journal even if they do not change: any program that opens the file
  /// for writing changes them. Page 0 is always in the journal.
  void guard(Address address, std::uint64_t size) { guard_ = {address, size}; }

  /// Writes the journal and the mark; nothing if only new pages are written. Rank 0 calls it when
  /// all objects are encoded, before any rank calls write(). Throws Error (io).
  void protect(const CommunicatorBackend& comm, Transport& transport, JournalFile& journal);

  /// Writes every image once, adjacent pages in one call, page 0 only if it changed. The file is
  /// known to have at least `file_end` bytes; if it is shorter than `end` afterwards, one byte is
  /// written to make it so long. All ranks throw the same Error or none; if they throw, the old
  /// pages have been put back. @collective
  void write(CommunicatorBackend& comm, Transport& transport, std::uint64_t file_end,
             std::uint64_t end);
  /// Writes every image while readers look at the file (SWMR), by one process: first what was not
  /// in the file before, then the superblock with the new end, then the ranges of `order` that
  /// change, one write for each, and the seals last. Nothing is put back if a write fails. `all`:
  /// the file may differ from the store, so ranges are written in any case. Throws Error (io).
  void write_in_order(Transport& transport, std::span<const FileRange> order, std::uint64_t end,
                      bool all);
  /// Hands the store the pages that were not in the file before, after write_in_order() failed: the
  /// file may refer to something in them.
  void keep_new_pages();
  /// Puts back the old bytes after protect() or write() failed. Returns true if this succeeded on
  /// all ranks; if not, the journal is still needed. @collective
  [[nodiscard]] bool put_back(CommunicatorBackend& comm, Transport& transport);
  /// Must be called if put_back() failed and is repeated later: the memory that ranks of the node
  /// share stays, but no rank looks for it any more.
  void end_offer() { shared_.end_offer(); }

  /// The number of bytes in the images.
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const Image& image : images_) all += image.bytes.size();
    return all;
  }
  /// The number of these bytes that this rank encodes.
  [[nodiscard]] std::uint64_t encoded_bytes() const { return encodes() ? bytes() : 0; }
  /// Hands the images to the store.
  void apply();

 private:
  struct Image {
    Address address;
    std::span<std::byte> bytes;
    Buffer own{};                ///< the memory of `bytes`, unless they lie in shared_
    std::uint64_t existing = 0;  ///< the bytes, from its start, that the file had before
    std::uint64_t step = 0;      ///< the page size; without pages, the size of the image
    bool is_raw_data = false;    ///< not in the store; then `old` is needed
    Buffer old{};                ///< the old bytes in the file, `existing` of them

    [[nodiscard]] Address end() const { return address + bytes.size(); }
  };
  /// A part of an image, and the rank that writes it.
  struct Part {
    const Image* image;
    std::size_t offset;
    std::size_t size;
    int rank;

    [[nodiscard]] bool overwrites() const { return offset < image->existing; }
  };

  /// All images but the first; in a new file, also the rest of the first after its start.
  [[nodiscard]] std::vector<Part> parts(int ranks) const;
  [[nodiscard]] std::vector<Part> parts_of(const CommunicatorBackend& comm) const;
  /// The image that begins with the superblock.
  [[nodiscard]] const Image& boot() const { return images_.front(); }
  /// The first image that begins after the address.
  [[nodiscard]] std::vector<Image>::iterator image_behind(Address address);
  /// True if the file is new.
  [[nodiscard]] bool is_new() const { return boot().existing == 0; }
  /// True if page 0 is new or differs from the one in the file.
  [[nodiscard]] bool boot_changes();
  Image& add_image(Address address, std::uint64_t size);
  void prepare_ranges(std::uint64_t known_end);
  void prepare_pages(std::uint64_t known_end, const std::set<std::uint64_t>& reused);
  /// Lets the images refer to shared_, one after the other.
  void place_in_shared_memory();
  void make_own_images();
  /// Fills the images with what the file has at their places.
  void fill();
  /// The bytes that the file had, `image.step` of them.
  [[nodiscard]] ByteView old_bytes(const Image& image, std::uint64_t offset);
  void note_old(const Image& image, std::uint64_t offset, Journal& old, bool& any);
  void write_part(Transport& transport, const Part& part) const;
  /// True if this rank, and not rank 0, writes raw data of the stripe before `end`.
  [[nodiscard]] bool owns_end(const CommunicatorBackend& comm, Transport& transport,
                              std::uint64_t end) const;
  /// Returns true if the file was shorter.
  bool make_as_long_as(std::uint64_t end, Transport& transport) const;
  void write_version(Transport& transport, std::byte version) const;
  void write_range(Transport& transport, const FileRange& range, bool all);
  /// Calls use(offset, bytes) for the old bytes of the part, as far as the file had them.
  template <class F>
  void for_each_old(const Part& part, F&& use);
  void write_old(Transport& transport, const Part& part);
  void write_boot(Transport& transport, bool changes);

  MetadataStore& store_;
  std::uint64_t page_size_;
  std::uint64_t pages_start_;
  CommitOptions options_;
  std::uint64_t known_end_ = 0;
  std::vector<FileRange> ranges_;  ///< touched ranges outside of pages
  FileRange guard_;
  std::set<std::uint64_t> pages_;
  std::set<std::uint64_t> without_seal_;  ///< the pages of these that one object takes whole
  /// The images in the order of addresses: first the superblock alone and other ranges outside of
  /// pages, then runs of adjacent pages, where page 0 is a run of its own.
  std::vector<Image> images_;
  SharedImages shared_;  ///< the memory of the images, if ranks of the node share it
  std::uint64_t told_ = 0;
  PagesForNode for_node_;
  bool writing_ = false;       ///< pages may have been overwritten
  bool boot_touched_ = false;  ///< the superblock may have been overwritten or marked
  bool marked_ = false;
};

}  // namespace onecast::pages
