#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/copy/equal_types.hpp"
#include "objects/create/prepared_dataset.hpp"
#include "onecast/objects/copy_options.hpp"

namespace onecast::copy {

struct CopiedObject;

/// One link of a copied group.
struct CopiedLink {
  LinkMessage message;
  CopiedObject* object;  ///< null: the link itself is copied
};

/// One attribute of a copied object, in the form for the target's file.
struct CopiedAttribute {
  ByteView message;  ///< places in the value are still those of the source
  const Datatype* type;
  CopiedObject* committed_type;  ///< may be null
};

/// The storage of a copied dataset.
struct CopiedStorage {
  FillValueMessage fill;
  DatasetOptions options;
  std::vector<std::byte> value;  ///< the value of a compact dataset
  Model model{};
  bool keeps_chunks = false;  ///< chunks are copied in stored form
};

/// One object of the source and its copy.
struct CopiedObject {
  explicit CopiedObject(Node& copied) : source(&copied) {}

  Node* source;
  Node* target = nullptr;
  std::uint32_t links = 0;  ///< the number of links to it and of its uses as a datatype
  std::vector<CopiedLink> members;
  std::vector<CopiedAttribute> attributes;
  ByteView comment;  ///< its message, if there is one
  ByteView type;     ///< the type of a committed datatype
  MakeDataset make;  ///< makes a dataset
  std::unique_ptr<CopiedStorage> storage;
  CopiedObject* committed_type = nullptr;
};

/// A copied object to which only references lead: a member of the target's root group.
struct ReferencedObject {
  CopiedObject* object;
  std::string name;
};

/// The plan of a copy. It is checked completely before anything is changed.
class CopyPlan {
 public:
  /// @param root the object to copy
  CopyPlan(Node& root, FileState& target, const CopyOptions& options);

  /// Returns the objects, each once, those nearer to the root first.
  [[nodiscard]] std::deque<CopiedObject>& objects() { return objects_; }
  /// Returns the committed types of the source for which the target has equal ones. `target` is
  /// set, and `links` is the number of links and uses that come with the copy.
  [[nodiscard]] const std::deque<CopiedObject>& merged() const { return merged_; }
  [[nodiscard]] const std::vector<ReferencedObject>& referenced() const { return referenced_; }
  /// Returns null if the object is not copied.
  [[nodiscard]] CopiedObject* find(const Node* source) const {
    const auto found = by_node_.find(source);
    return found == by_node_.end() ? nullptr : found->second;
  }

 private:
  CopiedObject& add(Node& node);
  void find_changes();
  /// Adds everything below the objects from `first` on.
  void add_below(std::size_t first);
  void add_members(CopiedObject& group);
  void add_referenced(const CopiedObject& object);
  Node* follow(Node& group, LinkEntry& link) const;
  void encode(CopiedObject& object);
  void encode_attributes(CopiedObject& object);
  /// Returns what becomes of a committed type that is used; null: it is not copied.
  [[nodiscard]] CopiedObject* committed(Node* type);
  /// Returns the type with an equal one of the target; null: there is none, or they are not merged.
  CopiedObject* merge(Node& type);
  CopiedObject* use_type(CopiedObject* type);
  void check_type(const Node& source, const Datatype& type, const std::string& where) const;
  [[nodiscard]] ByteView encode_type(const Node& source, const Datatype& type,
                                     const std::string& where) const;
  void prepare_dataset(CopiedObject& object);

  FileState& target_;
  std::uint64_t room_;  ///< the room for further compact datasets
  const CopyOptions& options_;
  std::deque<CopiedObject> objects_;
  std::deque<CopiedObject> merged_;
  std::vector<ReferencedObject> referenced_;
  EqualTypes equal_types_;
  std::unordered_map<const Node*, CopiedObject*> by_node_;
  std::unordered_map<const Node*, const StorageChange*> changes_;
};

/// Returns the storage of a dataset that the options ask for; reads the value of a compact one.
/// @param room the most bytes with which it may be compact by default
/// @param change null: none; `is_general`: applied only if possible
std::unique_ptr<CopiedStorage> plan_storage(Node& source, const FileState& target,
                                            std::uint64_t room, const StorageChange* change,
                                            bool is_general);

}  // namespace onecast::copy
