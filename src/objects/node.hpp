#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "filters/filters.hpp"
#include "format/objects/link_message.hpp"
#include "objects/arena.hpp"
#include "onecast/objects/dataset.hpp"
#include "onecast/objects/object.hpp"
#include "structures/object_contents.hpp"

namespace onecast {

class FileState;
class Node;

/// One link of a group in memory.
struct LinkEntry {
  LinkMessage message;   ///< its object_header is set at flush, if `node` is new
  Node* node = nullptr;  ///< what a hard link leads to, once it was opened or created
  bool removed = false;
};

/// The links of one group.
struct LinkTable {
  explicit LinkTable(std::pmr::memory_resource* memory) : entries(memory) {}

  std::pmr::vector<LinkEntry> entries;  ///< removed ones stay, so that positions do not change
  std::size_t live = 0;
  bool creation_order_tracked = false;
  std::uint64_t next_creation_order = 0;

  LinkEntry* find(std::string_view name);
  LinkEntry& add(const LinkMessage& message, Node* node);
  void remove(LinkEntry& entry);
  /// By creation order if it is tracked, else by name.
  void sort();

 private:
  void build_index();

  // Only large groups pay for an index.
  static constexpr std::size_t kIndexFrom = 16;
  std::unique_ptr<std::unordered_map<std::string_view, std::size_t>> index_;
};

/// How the elements of a dataset lie in the file.
struct DatasetInfo {
  Datatype type;
  Dataspace space;
  Layout layout = Layout::other;
  std::string refusal{};               ///< why it cannot be read, if layout is `other`
  Address address{};                   ///< of contiguous data or the chunk index
  ByteView compact{};                  ///< inside the layout message
  std::vector<std::uint64_t> chunk{};  ///< elements per chunk
  std::vector<FilterSpec> filters{};
  ByteView fill_value{};  ///< one element; empty: zeros
};

/// One object of the file in memory: its header as stored, decoded further when looked at. Once it
/// is changed it owns all its messages (in the file's arena) and is encoded anew at flush.
class Node {
 public:
  Node(FileState& owner, Node* parent_group, std::string_view link_name, ObjectHeader stored)
      : file(&owner), parent(parent_group), name(link_name), header(std::move(stored)) {}

  [[nodiscard]] std::string path() const;
  /// "FILE: PATH", as errors begin.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::string where(std::string_view attribute) const;
  [[nodiscard]] bool is_new() const { return !address.is_defined(); }
  /// The same on all ranks for the same object, whatever path it was reached by.
  [[nodiscard]] std::uint64_t identity() const {
    return is_new() ? creation_digest : address.value;
  }

  /// Throws invalid_argument if it is of another kind.
  void require_kind(ObjectKind wanted) const;
  LinkTable& links();
  /// The links if they were looked at; else null.
  [[nodiscard]] LinkTable* loaded_links() const { return links_.get(); }
  std::pmr::vector<StoredAttribute>& attributes();
  /// The one of this name, or null. Attributes are only added at the end.
  StoredAttribute* find_attribute(std::string_view wanted);
  void erase_attribute(const StoredAttribute& attribute);
  const DatasetInfo& dataset();

  /// Makes it dirty; from now on nothing of it points into pages. Throws Error (unsupported) if
  /// objects of this form cannot be written.
  void edit();
  /// Replaces what dataset() decoded.
  void forget_dataset() { dataset_.reset(); }

  FileState* file;
  Node* parent;           ///< the group it was reached through; null for the root
  std::string_view name;  ///< the link it was reached through
  Address address;        ///< of the header; undefined until the first flush
  ObjectKind kind = ObjectKind::group;
  ObjectHeader header;  ///< messages: of edited nodes without links and attributes
  bool dirty = false;
  std::uint64_t creation_digest = 0;  ///< of a new node: its group's identity and its name
  std::uint64_t walk_mark = 0;        ///< the last walk over all objects that came here

 private:
  DatasetInfo read_dataset_info();

  Kept<LinkTable> links_;
  // Only objects with many attributes pay for an index.
  static constexpr std::size_t kIndexFrom = 16;
  struct AttributeIndex {
    std::unordered_map<std::string_view, std::size_t> by_name;
    std::size_t indexed = 0;  ///< the first of all attributes
  };

  std::optional<std::pmr::vector<StoredAttribute>> attributes_;
  std::unique_ptr<AttributeIndex> attribute_index_;
  Kept<DatasetInfo> dataset_;
  bool edited_ = false;
};

}  // namespace onecast
