#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "pages/commit.hpp"
#include "pages/page_allocator.hpp"
#include "structures/dense_edit.hpp"

namespace onecast::flush {

/// The places of all dirty objects: first those in the file, by address, then the new ones, breadth
/// first from those. New headers are exactly sized; changed headers stay in place, with a
/// continuation block if they have outgrown it. New nodes have their addresses while the plan
/// lives; they lose them if the plan ends without apply().
class FlushPlan {
 public:
  /// `now` is the time that changed objects get, if they have times.
  FlushPlan(FileState& file, PageAllocator& allocator, std::uint32_t now);
  FlushPlan(const FlushPlan&) = delete;
  FlushPlan& operator=(const FlushPlan&) = delete;
  ~FlushPlan();

  void touch(Commit& pages) const;
  void encode(Commit& pages) const;
  /// Returns what touch() names, each part behind all parts to which it refers.
  [[nodiscard]] std::vector<FileRange> in_order() const;
  /// Returns the ranges of these objects in the file that are unused once the plan is written.
  [[nodiscard]] std::vector<FileRange> replaced() const;
  /// Notes that the objects are on disk as they are in memory.
  void apply();

 private:
  /// A structure beside the header, and the places of its pieces.
  template <class P>
  struct Allocated {
    std::shared_ptr<P> pieces;
    std::vector<Address> addresses;

    /// Returns the address by which others refer to it; undefined if it has no pieces.
    [[nodiscard]] Address first_address() const {
      return addresses.empty() ? Address{} : addresses.front();
    }
  };
  /// Dense links or attributes: written at once, or changed in place.
  struct Dense {
    Allocated<DensePieces> anew;
    std::unique_ptr<DenseEdit> edit;  ///< a change of the structure in the file
    FractalHeapPieces::WriteObject write_message;
    DensePlace place;  ///< the place of `anew`, once it has addresses

    [[nodiscard]] bool is_there() const { return anew.pieces || place.is_defined(); }
  };
  /// The parts of an object that are not in the first block of its header.
  struct Beside {
    std::size_t in_first = 0;  ///< the number of messages in the first block
    FileRange continuation;    ///< address undefined: none
    Dense links;
    Dense attributes;
    Allocated<Pieces> chunks;         ///< a chunk index, new or changed
    std::vector<FileRange> replaced;  ///< ranges of the object in the file that become unused
  };
  /// Most objects of a large flush lie completely in one block, so this is small.
  struct Object {
    Node* node;
    bool is_new;
    FileRange first;
    std::unique_ptr<Beside> rest;

    Beside& beside() {
      if (!rest) rest = std::make_unique<Beside>();
      return *rest;
    }
    [[nodiscard]] FileRange continuation() const { return rest ? rest->continuation : FileRange(); }
    [[nodiscard]] bool in_first(std::size_t message) const {
      return !continuation().address.is_defined() || message < rest->in_first;
    }
    /// Calls each(structure) for the structures beside the header.
    template <class F>
    void for_each_allocated(F&& each) const {
      if (!rest) return;
      each(rest->links.anew);
      each(rest->attributes.anew);
      each(rest->chunks);
    }
    /// Calls each(edit) for the structures that change in place.
    template <class F>
    void for_each_edit(F&& each) const {
      if (!rest) return;
      for (const Dense* dense : {&rest->links, &rest->attributes})
        if (dense->edit) each(*dense);
    }
  };

  void collect_and_allocate();
  void take_addresses_back();
  void allocate(Object& object);
  void set_times(const Object& object) const;
  static void cut_off(Object& object, FileRange& block, std::uint64_t used);
  void allocate_header(Object& object);
  [[nodiscard]] bool stays_in(const Object& object, const FileRange& block) const;
  void encode_continuation(const Object& object, std::span<std::byte> out) const;
  template <class P>
  void allocate_pieces(Allocated<P>& given) {
    if (!given.pieces) return;
    given.addresses =
        given.pieces->allocate([&](std::uint64_t bytes) { return allocator_.metadata(bytes); });
  }
  void allocate_links(Object& object);
  /// Returns the links in an order that is equal on all ranks.
  static std::vector<const LinkEntry*> links_to_write(Node& node);
  /// Calls each(link) for the links in that order.
  template <class F>
  static void for_each_link_to_write(Node& node, F&& each) {
    const LinkTable& links = node.links();
    // Ranks may have looked up all links before or after an earlier flush, so their tables differ
    // in order.
    if (links.stored().is_defined())
      for (const LinkEntry* e : links_to_write(node)) each(*e);
    else
      for (const LinkEntry& e : links.entries)
        if (!e.removed) each(e);
  }
  void make_dense_links(Object& object);
  bool edit_dense_links(Object& object, LinkTable& links);
  void allocate_attributes(Object& object);
  void make_dense_attributes(Object& object);
  bool edit_dense_attributes(Object& object, AttributeTable& attributes);
  /// Returns true on success; else the structure must be written anew.
  bool edit_dense(Dense& dense, DensePieces::Kind kind, const std::vector<DenseObject>& gone,
                  const std::vector<DenseObject>& added, const std::vector<DenseObject>& changed);
  void allocate_dense(Dense& dense);
  template <class F>
  void for_each_message(const Object& object, F&& emit) const;
  void encode_header(const Object& object, Commit& pages) const;
  static LinkMessage resolved(const LinkEntry& entry);

  FileState& file_;
  PageAllocator& allocator_;
  std::uint32_t now_;
  std::deque<Object> objects_;
  std::vector<FileRange> abandoned_;  ///< given by the allocator, and then not needed
  bool applied_ = false;
};

}  // namespace onecast::flush
