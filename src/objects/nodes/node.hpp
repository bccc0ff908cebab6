#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "base/rare.hpp"
#include "filters/filters.hpp"
#include "objects/memory/arena.hpp"
#include "objects/nodes/attribute_table.hpp"
#include "objects/nodes/dataset_storage.hpp"
#include "objects/nodes/given_prefixes.hpp"
#include "objects/nodes/link_table.hpp"
#include "objects/nodes/local_object.hpp"
#include "onecast/objects/dataset.hpp"
#include "onecast/objects/object.hpp"
#include "pages/waiting_bytes.hpp"
#include "structures/object_contents.hpp"

namespace onecast::format {
struct DataLayoutMessage;
}  // namespace onecast::format

namespace onecast::nodes {
class Node;
class OpenFile;
struct Generation;

/// The storage of a dataset's elements.
struct DatasetInfo {
  const Datatype& type;
  const Dataspace& space;
  Layout layout = Layout::contiguous;
  Address address{};                   ///< the address of contiguous data or of the chunk index
  ByteView compact{};                  ///< inside the layout message
  std::vector<std::uint64_t> chunk{};  ///< elements per chunk
  std::vector<FilterSpec> filters{};
  /// Null for compact data and for contiguous data in this file.
  std::shared_ptr<LayoutStorage> storage{};
  ByteView fill_value{};  ///< one element; empty: zeros

  /// True if contiguous data is in external files.
  [[nodiscard]] bool is_external() const {
    return layout == Layout::contiguous && storage != nullptr;
  }
};

/// Returns the layout of a dataset with this message.
Layout layout_of(const format::DataLayoutMessage& message);

/// An object as ranks name it to each other.
struct NodeId {
  bool is_new = false;
  std::uint64_t identity = 0;
};

/// One object of the file in memory: its header as stored, of which parts are decoded when they are
/// looked up. A changed object owns all its messages (in the file's arena) and is encoded anew at
/// the flush. Any number of threads may look it up at once while none changes it.
class Node {
 public:
  /// `stored_at` is undefined for a new object. `of` is null for an object that stays.
  Node(OpenFile& home, Generation* of, Node* parent_group, std::string_view link_name,
       ObjectHeader&& stored, Address stored_at, ObjectKind object_kind);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  /// Returns the object's file. The rooms above see all of it: see file_of().
  [[nodiscard]] OpenFile& home() const { return home_; }
  /// Returns the objects with which it will be freed; null if it stays as long as the file.
  [[nodiscard]] Generation* generation() const { return generation_; }
  /// Returns the memory for what is decoded of the object.
  [[nodiscard]] Arena& arena() const;
  /// Returns an empty path if none is known, because no call reached the object by links from the
  /// root.
  [[nodiscard]] std::string path() const;
  /// Returns "FILE: PATH", with which errors begin.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::string where(std::string_view attribute) const;
  [[nodiscard]] bool is_new() const { return !address.is_defined(); }
  /// Returns true if the object was created inside independent() and only this rank knows it.
  [[nodiscard]] bool is_local() const { return local() != nullptr; }
  /// Returns a number that is equal on all ranks for one object, whatever path led to it.
  [[nodiscard]] std::uint64_t identity() const {
    return is_new() ? creation_digest : address.value;
  }

  /// What only this rank knows of an object, until the next flush; null for others.
  [[nodiscard]] LocalObject* local() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? rare->local.get() : nullptr;
  }
  void set_local(std::unique_ptr<LocalObject> object) {
    if (object || rare_.is_set()) rare_.change().local = std::move(object);
  }
  /// Contiguous data that is not in the file before the next flush: of a local dataset, or of one
  /// that takes the place of removed data. Null: there is none.
  [[nodiscard]] WaitingBytes* waiting() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? rare->waiting.get() : nullptr;
  }
  void set_waiting(std::unique_ptr<WaitingBytes> data) {
    if (data || rare_.is_set()) rare_.change().waiting = std::move(data);
  }
  /// The type of a dataset that its header does not name yet, or null.
  [[nodiscard]] Node* committed_type() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? rare->committed_type : nullptr;
  }
  void set_committed_type(Node* type) {
    if (type != nullptr || rare_.is_set()) rare_.change().committed_type = type;
  }
  /// Null for a dataset for which none were ever given.
  [[nodiscard]] GivenPrefixes* prefixes() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? rare->prefixes.get() : nullptr;
  }

  [[nodiscard]] NodeId id() const { return {is_new(), identity()}; }
  [[nodiscard]] bool tracks_attribute_order() const {
    return header.prefix.has_message_creation_order();
  }
  [[nodiscard]] bool indexes_attribute_order() const {
    return (header.prefix.flags & header_flag::kAttributeOrderIndexed) != 0;
  }

  /// Sets the options of a new object, before it has links or attributes. The header of a group has
  /// its Group Info message already.
  void set_options(const GroupOptions& options);
  /// Returns the options with which the object was created; limits that are not stored are the
  /// defaults.
  [[nodiscard]] GroupOptions options();

  /// Throws Error (invalid_argument) if the object is of another kind.
  void require_kind(ObjectKind wanted) const {
    if (kind != wanted) throw_other_kind(wanted);
  }
  /// Throws Error (state) if the object is gone, as its space may belong to another.
  void require_there() const {
    if (gone) throw_gone();
  }
  /// Call it before a collective `call`. Throws Error (state) if the object was created inside
  /// independent(): other ranks do not know it before the next flush and would wait for this rank's
  /// next collective call.
  void require_known_to_all(const char* call) const;
  /// Returns all links of the group.
  LinkTable& links() {
    require_there();
    LinkTable* all = links_.get();
    return all != nullptr ? *all : load_links();
  }
  /// Returns the link of this name, or null. In a large group it does not decode the other links.
  LinkEntry* find_link(std::string_view name);
  /// Returns the table in which links are added and removed: it has all links, or those that
  /// find_link() has found.
  LinkTable& changing_links();
  /// Returns the links that are decoded, or null if none is.
  [[nodiscard]] LinkTable* loaded_links() const;
  /// Notes that the file has the present links: see LinkTable.
  void note_links_place(const DensePlace& place);
  AttributeTable& attributes() {
    require_there();
    AttributeTable* known = attributes_.get();
    return known != nullptr ? *known : load_attributes();
  }
  /// Returns the entries of attributes(). An object without attributes takes no memory for them.
  [[nodiscard]] std::span<const AttributeEntry* const> attribute_entries() {
    if (const AttributeTable* known = attributes_.get()) return known->entries();
    // own() has decoded the attributes that the file has.
    if (is_new() || edited_) return {};
    return attributes().entries();
  }
  /// Notes that the file has the present attributes: see AttributeTable.
  void note_attributes_place(const DensePlace& place) {
    if (AttributeTable* known = attributes_.get()) known->note_place(place);
  }
  const DatasetInfo& dataset();
  /// Returns the layout of a dataset without decoding the rest.
  Layout layout();
  /// Returns the type or the space of a dataset without decoding the rest: many datasets are listed
  /// with their shapes but never read.
  const Datatype& datatype();
  const Dataspace& dataspace();
  void look_ahead() noexcept;
  /// Asks the processor to have the object at hand soon.
  void prefetch() const {
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < sizeof *this; at += kLine)
      __builtin_prefetch(reinterpret_cast<const char*>(this) + at);
  }
  /// Returns what datatype() and dataspace() have found, or null. It may be called while a call of
  /// the file is pending, since that call does not change it.
  [[nodiscard]] const Datatype* known_datatype() const {
    return datatype_.load(std::memory_order_acquire);
  }
  [[nodiscard]] const Dataspace* known_dataspace() const {
    return dataspace_.load(std::memory_order_acquire);
  }

  /// Copies the object's contents out of pages. Throws Error (unsupported) if objects of this form
  /// cannot be written.
  void own();
  /// Calls own() and marks the object as changed.
  void edit();
  /// Makes dataset() decode again.
  void forget_dataset() {
    dataset_.reset();
    if (rare_.is_set()) rare_.change().decoded_before.clear();
  }
  /// Sets where the files that the dataset names are looked for, and has a virtual dataset decoded
  /// again. Returns what has to be held until hold_prefixes() was called for a handle.
  [[nodiscard]] std::shared_ptr<const void> set_prefixes(FilePrefixes given);
  /// Returns what a new handle has to keep: `keeps`, and the prefixes, if other handles hold them.
  /// Otherwise the prefixes end.
  [[nodiscard]] std::shared_ptr<const void> hold_prefixes(std::shared_ptr<const void> keeps);
  /// Frees everything of the object in memory except what handles need without reading: its name,
  /// and the type and shape of a dataset. No handle may lead to it, unless recall() comes first.
  void forget();
  [[nodiscard]] bool is_forgotten() const { return forgotten_.load(std::memory_order_acquire); }
  /// Undoes the changes since the last flush, once the object is forgotten; what these changes
  /// created cannot be looked up. Returns the changed shape of a dataset, to which callers may
  /// refer.
  std::unique_ptr<Dataspace> give_up_changes();
  /// Puts the header into memory again.
  void recall(ObjectHeader stored);
  /// Ends the object: no call may look it up any more.
  void be_gone() {
    gone = true;
    datatype_ = nullptr;
    dataspace_ = nullptr;
  }
  /// Notes that the header has this type now, which lives as long as the file.
  void change_type(const Datatype& type) { datatype_.store(&type, std::memory_order_release); }
  /// Returns the changed shape of a dataset; null if the header has the shape.
  [[nodiscard]] const Dataspace* changed_space() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? rare->resized.get() : nullptr;
  }
  /// Notes that the header has a new shape. Returns the DatasetInfo that dataset() found before,
  /// with the new shape; null if dataset() has to decode again.
  DatasetInfo* change_space(Dataspace space);

  Node* parent;  ///< the group through which it was reached; null for the root, and without a path
  std::string_view name;  ///< the name of the link through which it was reached
  Address address;        ///< the header's address; undefined until the first flush
  /// An edited node's messages do not include links and attributes. A new object's first block has
  /// an address only if references lead to the object, so that it has its place already.
  ObjectHeader header;
  /// Set for a new node: a digest of its group's identity, its name and a number.
  std::uint64_t creation_digest = 0;
  std::unique_ptr<WrittenStorage> written;  ///< set for a dataset that is written
  /// The number of handles to the object; copies of one count once.
  std::atomic<std::uint32_t> handles{0};
  std::uint32_t walk_mark = 0;  ///< the last walk over all objects that reached this one
  ObjectKind kind;
  bool dirty = false;
  bool removed = false;  ///< no hard link leads to it any more
  bool gone = false;     ///< true if the file on disk does not have it either

 private:
  bool edited_ = false;
  std::atomic<bool> forgotten_{false};

  struct Beside {
    Node* committed_type = nullptr;
    std::unique_ptr<LocalObject> local;
    std::unique_ptr<WaitingBytes> waiting;
    std::unique_ptr<GivenPrefixes> prefixes;
    std::unique_ptr<Dataspace> resized;  ///< dataset() refers to it once the shape was changed
    /// What dataset_ was before prefixes changed: other threads may still use it.
    std::vector<Kept<DatasetInfo>> decoded_before;
  };

  [[noreturn]] void throw_gone() const;
  [[noreturn]] void throw_other_kind(ObjectKind wanted) const;
  LinkTable& load_links();
  Kept<LinkTable> read_links();
  AskedLinks* asked_links();
  AttributeTable& load_attributes();
  Kept<AttributeTable> read_attributes();
  void decode_virtual_anew();

  OpenFile& home_;
  Generation* generation_;
  DecodedOnce<LinkTable> links_;
  DecodedOnce<AskedLinks> asked_links_;  ///< used for a large group while links_ is empty
  DecodedOnce<AttributeTable> attributes_;
  DecodedOnce<DatasetInfo> dataset_;
  std::atomic<const Datatype*> datatype_{nullptr};  ///< the result of datatype()
  /// What dataspace() has found; not for virtual datasets.
  std::atomic<const Dataspace*> dataspace_{nullptr};
  Rare<Beside> rare_;
};

/// An attribute as errors name it: see Where.
struct NamedAttribute {
  const Node& node;
  std::string_view name;

  [[nodiscard]] std::string where() const { return node.where(name); }
};

}  // namespace onecast::nodes
