#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/independent/merged_object.hpp"

namespace onecast::independent {

/// The objects and attributes that the merge of all ranks' parts has added. Their places do not
/// show which rank made what: they are given breadth first, in the order of names in each group,
/// from the objects that all ranks know, which are in the order of their identities.
class MergedObjects {
 public:
  explicit MergedObjects(FileState& file) : file_(file) {}

  /// Notes an object that got additions. New objects are known anyway. @same, as are all functions
  /// here.
  void add_known(Node& node);
  /// Adds a new object. The bytes that were sent of it and its attributes must stay valid.
  /// @param mine its contiguous data, on the rank that has it
  void add(Node& node, const LocalPart::Object& object, const LocalPart& part, WaitingBytes mine);
  /// Adds an attribute with values of variable length.
  void add(Node& owner, AttributeEntry& entry, const LocalPart::Attribute& attribute);

  /// Gives identities and places to everything added.
  void allocate();
  /// Returns the present identity of an object that this rank made; `before` if it is another.
  [[nodiscard]] std::uint64_t identity_now(std::uint64_t before) const;

 private:
  struct Object {
    bool has_data;
    bool has_gaps;
    ByteView beside;
    std::optional<SentFillValue> fill_value;
    WaitingBytes mine;
  };
  struct Values {
    AttributeEntry* entry;
    LocalPart::Attribute attribute;
  };

  void allocate(Node& node, Node& group, std::string_view name);
  void store_attributes(Node& node);
  [[nodiscard]] ByteView stored(const LocalPart::Attribute& attribute);

  FileState& file_;
  std::vector<Node*> known_;
  std::unordered_map<Node*, Object> objects_;  ///< those without a place yet
  std::unordered_map<const Node*, std::vector<Values>> values_;
  /// The present identities by the former ones.
  std::unordered_map<std::uint64_t, std::uint64_t> identities_;
};

}  // namespace onecast::independent
