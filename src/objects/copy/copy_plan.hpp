#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/create/prepared_dataset.hpp"
#include "onecast/objects/copy_options.hpp"

namespace onecast::copy {

struct CopiedObject;

/// One link of a copied group.
struct CopiedLink {
  LinkMessage message;
  CopiedObject* object;  ///< null: the link is copied as it is
};

/// One attribute of a copied object, as the target's file will have it.
struct CopiedAttribute {
  ByteView message;  ///< places in the value are still those of the source
  const Datatype* type;
  CopiedObject* committed_type;  ///< or null
};

/// How a copied dataset will be stored.
struct CopiedStorage {
  FillValueMessage fill;
  DatasetOptions options;
  std::vector<std::byte> value;  ///< of a compact one
  Model model{};
  bool keeps_chunks = false;  ///< as they are stored
};

/// One object of the source, and what becomes of it.
struct CopiedObject {
  explicit CopiedObject(Node& copied) : source(&copied) {}

  Node* source;
  Node* target = nullptr;
  std::uint32_t links = 0;  ///< that lead to it, and uses as a datatype
  std::vector<CopiedLink> members;
  std::vector<CopiedAttribute> attributes;
  ByteView comment;  ///< its message, if there is one
  ByteView type;     ///< of a committed datatype
  MakeDataset make;  ///< a dataset
  std::unique_ptr<CopiedStorage> storage;
  CopiedObject* committed_type = nullptr;
};

/// All that a copy will do, checked: nothing is changed before.
class CopyPlan {
 public:
  /// @param root what is to be copied
  CopyPlan(Node& root, FileState& target, const CopyOptions& options);

  /// Each once, those nearer to the root first.
  [[nodiscard]] std::deque<CopiedObject>& objects() { return objects_; }
  /// Null: it is not copied.
  [[nodiscard]] CopiedObject* find(const Node* source) const {
    const auto found = by_node_.find(source);
    return found == by_node_.end() ? nullptr : found->second;
  }

 private:
  CopiedObject& add(Node& node);
  void find_changes();
  void add_members(CopiedObject& group);
  Node* follow(Node& group, LinkEntry& link) const;
  void encode(CopiedObject& object);
  void encode_attributes(CopiedObject& object);
  [[nodiscard]] CopiedObject* committed(const Node& holder, ByteView message, Address where);
  CopiedObject* use_type(CopiedObject* type);
  void check_type(const Node& source, const Datatype& type, const std::string& where) const;
  [[nodiscard]] ByteView encode_type(const Node& source, const Datatype& type,
                                     const std::string& where) const;
  void prepare_dataset(CopiedObject& object);

  FileState& target_;
  std::uint64_t room_;  ///< for further compact datasets
  const CopyOptions& options_;
  std::deque<CopiedObject> objects_;
  std::unordered_map<const Node*, CopiedObject*> by_node_;
  std::unordered_map<const Node*, const StorageChange*> changes_;
};

/// The storage that the options ask for, of a dataset; the value of a compact one is read.
/// @param room it may be compact, if nobody asks for that, with so many bytes
/// @param change null: none; `is_general`: only as far as it can be
std::unique_ptr<CopiedStorage> plan_storage(Node& source, const FileState& target,
                                            std::uint64_t room, const StorageChange* change,
                                            bool is_general);

}  // namespace onecast::copy
