#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "filters/filters.hpp"
#include "objects/memory/arena.hpp"
#include "objects/memory/attribute_table.hpp"
#include "objects/memory/link_table.hpp"
#include "objects/tree/local_object.hpp"
#include "onecast/objects/dataset.hpp"
#include "onecast/objects/object.hpp"
#include "pages/waiting_bytes.hpp"
#include "structures/object_contents.hpp"

namespace onecast::storage {
class ChunkStorage;
class EditedChunks;
class ExternalData;
class Unfilled;
class VirtualStorage;
}  // namespace onecast::storage

namespace onecast::tree {
class FileState;
class Node;
class OpenFile;

/// How the elements of a dataset lie in the file.
struct DatasetInfo {
  const Datatype& type;
  const Dataspace& space;
  Layout layout = Layout::contiguous;
  Address address{};                   ///< of contiguous data or the chunk index
  ByteView compact{};                  ///< inside the layout message
  std::vector<std::uint64_t> chunk{};  ///< elements per chunk
  std::vector<FilterSpec> filters{};
  std::shared_ptr<storage::ChunkStorage> chunks{};  ///< of chunked data
  std::shared_ptr<storage::ExternalData> external{};
  std::shared_ptr<storage::VirtualStorage> sources{};  ///< of a virtual dataset
  ByteView fill_value{};                               ///< one element; empty: zeros
};

/// An object as ranks tell each other of it.
struct NodeId {
  bool is_new = false;
  std::uint64_t identity = 0;
};

/// One object of the file in memory: its header as stored, decoded further when looked at. Once it
/// is changed it owns all its messages (in the file's arena) and is encoded anew at flush. Any
/// number of threads may look at once, while nobody changes.
class Node {
 public:
  /// `stored_at` is undefined of a new object.
  Node(FileState& owner, OpenFile& home, Node* parent_group, std::string_view link_name,
       ObjectHeader&& stored, Address stored_at, ObjectKind object_kind);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  /// `file`, as far as this room needs it below the open file as a whole.
  [[nodiscard]] OpenFile& home() const { return home_; }
  /// Empty if none is known: nobody came here by links from the root.
  [[nodiscard]] std::string path() const;
  /// "FILE: PATH", as errors begin.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::string where(std::string_view attribute) const;
  [[nodiscard]] bool is_new() const { return !address.is_defined(); }
  /// Do only this rank's calls inside independent() know of it?
  [[nodiscard]] bool is_local() const { return local != nullptr; }
  /// The same on all ranks for the same object, whatever path it was reached by.
  [[nodiscard]] std::uint64_t identity() const {
    return is_new() ? creation_digest : address.value;
  }

  [[nodiscard]] NodeId id() const { return {is_new(), identity()}; }
  [[nodiscard]] bool tracks_attribute_order() const {
    return header.prefix.has_message_creation_order();
  }
  [[nodiscard]] bool indexes_attribute_order() const {
    return (header.prefix.flags & header_flag::kAttributeOrderIndexed) != 0;
  }

  /// Of a new object, before it has links or attributes.
  void track(const Tracked& tracked);
  [[nodiscard]] Tracked tracked();

  /// Throws invalid_argument if it is of another kind.
  void require_kind(ObjectKind wanted) const;
  /// Throws state if its space may be another's.
  void require_there() const {
    if (gone) throw_gone();
  }
  /// Before a collective `call`. Throws state: created inside independent(), only this rank knows
  /// it before the next flush, and the others would wait for this rank's next collective call.
  void require_known_to_all(const char* call) const;
  /// All links of the group.
  LinkTable& links();
  /// The link of this name, or null: in a large group, without looking at the others.
  LinkEntry* find_link(std::string_view name);
  /// Where links are added and removed: among all of them, or those that find_link() has found.
  LinkTable& changing_links();
  /// The links that were looked at, or null if none was.
  [[nodiscard]] LinkTable* loaded_links() const;
  /// The file has the links as they are here: see LinkTable.
  void settle_links(const DensePlace& place);
  AttributeTable& attributes();
  /// The entries of attributes(); an object that never had any takes no memory for them.
  [[nodiscard]] std::span<const AttributeEntry* const> attribute_entries() {
    if (const AttributeTable* known = attributes_.get()) return known->entries();
    // own() looks at those that the file has.
    if (is_new() || edited_) return {};
    return attributes().entries();
  }
  /// The file has the attributes as they are here: see AttributeTable.
  void settle_attributes(const DensePlace& place) {
    if (AttributeTable* known = attributes_.get()) known->settle(place);
  }
  const DatasetInfo& dataset();
  /// Type and space of a dataset, without the rest of it: many are listed with their shapes, and
  /// never read.
  const Datatype& datatype();
  const Dataspace& dataspace();
  void look_ahead() noexcept;
  /// What datatype() and dataspace() have found, or null. Usable while a call of the file is
  /// pending: a pending call does not change it.
  [[nodiscard]] const Datatype* known_datatype() const {
    return datatype_.load(std::memory_order_acquire);
  }
  [[nodiscard]] const Dataspace* known_dataspace() const {
    return dataspace_.load(std::memory_order_acquire);
  }

  /// From now on nothing of it points into pages. Throws Error (unsupported) if objects of this
  /// form cannot be written.
  void own();
  /// own(), and marks the object as changed.
  void edit();
  /// Replaces what dataset() decoded.
  void forget_dataset() { dataset_.reset(); }
  /// Nothing of it is in memory any more but what handles are asked without looking: what it is
  /// called and what a dataset's elements are. No handle leads to it, or recall() comes first.
  void forget();
  [[nodiscard]] bool is_forgotten() const { return forgotten_.load(std::memory_order_acquire); }
  /// As before the changes since the last flush, once it is forgotten; what these created cannot be
  /// looked at. Returns the changed shape of a dataset, to which others may refer.
  std::unique_ptr<Dataspace> give_up_changes();
  /// Its header is in memory again.
  void recall(ObjectHeader stored);
  /// From now on it cannot be looked at.
  void be_gone() {
    gone = true;
    datatype_ = nullptr;
    dataspace_ = nullptr;
  }
  /// The shape of a dataset since it was changed; null: the header tells it.
  [[nodiscard]] const Dataspace* changed_space() const { return resized_.get(); }
  /// The header tells another shape now. Returns what dataset() found before, with the new shape;
  /// null if it has to look again.
  DatasetInfo* change_space(Dataspace space);

  FileState* file;
  Node* parent;  ///< the group it was reached through; null for the root, and without a path
  std::string_view name;  ///< the link it was reached through
  Address address;        ///< of the header; undefined until the first flush
  /// Messages: of edited nodes without links and attributes. The first block: of a new object only
  /// if references lead to it, so that it has its place already.
  ObjectHeader header;
  Node* committed_type = nullptr;  ///< of a dataset: its type, where the header does not say so yet
  std::uint64_t creation_digest = 0;  ///< of a new node: its group's identity, its name, a number
  std::uint64_t walk_mark = 0;        ///< the last walk over all objects that came here
  std::atomic<std::uint32_t> handles{0};  ///< that lead here; copies of one count once
  // Shared, so that rooms above can make them of classes which this one does not know.
  std::shared_ptr<storage::EditedChunks>
      edited_chunks;                            ///< of a dataset whose chunks are written to
  std::shared_ptr<storage::Unfilled> unfilled;  ///< of a dataset, until the next flush
  std::unique_ptr<LocalObject> local;           ///< until the next flush
  /// Contiguous data that is not in the file before the next flush: written to a local dataset, or
  /// of one that takes the place of removed data.
  std::unique_ptr<WaitingBytes> waiting;
  ObjectKind kind;
  bool dirty = false;
  bool removed = false;  ///< no hard link leads to it any more
  bool gone = false;     ///< nor does the file on disk have it

 private:
  [[noreturn]] void throw_gone() const;
  Kept<LinkTable> read_links();
  AskedLinks* asked_links();
  Kept<AttributeTable> read_attributes();

  OpenFile& home_;
  bool edited_ = false;
  std::atomic<bool> forgotten_{false};
  DecodedOnce<LinkTable> links_;
  DecodedOnce<AskedLinks> asked_links_;  ///< of a large group, while links_ has nothing
  DecodedOnce<AttributeTable> attributes_;
  DecodedOnce<DatasetInfo> dataset_;
  std::atomic<const Datatype*> datatype_{nullptr};  ///< what datatype() has found
  std::atomic<const Dataspace*> dataspace_{
      nullptr};                         ///< what dataspace() has found; not of virtual datasets
  std::unique_ptr<Dataspace> resized_;  ///< what dataset() refers to, once the shape was changed
};

/// An attribute as errors name it: see Where.
struct NamedAttribute {
  const Node& node;
  std::string_view name;

  [[nodiscard]] std::string where() const { return node.where(name); }
};

}  // namespace onecast::tree
