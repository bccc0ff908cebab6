#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/independent/merged_object.hpp"

namespace onecast::independent {

/// What merging the parts of all ranks has added, and its places. Which rank made what does not
/// show in the places: they are given breadth first, in the order of names in their groups, from
/// the objects that all ranks know, and those in the order of their identities.
class MergedObjects {
 public:
  explicit MergedObjects(FileState& file) : file_(file) {}

  /// An object that got something; new ones are known anyway. @same, as are all.
  void add_known(Node& node);
  /// A new object. Of it and its attributes, the bytes that were sent must stay.
  /// @param mine its contiguous data, on the rank that has it
  void add(Node& node, const LocalPart::Object& object, const LocalPart& part, WaitingBytes mine);
  /// An attribute with values of variable length.
  void add(Node& owner, AttributeEntry& entry, const LocalPart::Attribute& attribute);

  /// Gives all of them identities and places.
  void settle();
  /// Of an object that this rank made: what its identity is now; else `before`.
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

  void settle(Node& node, Node& group, std::string_view name);
  void settle_attributes(Node& node);
  [[nodiscard]] ByteView settled(const LocalPart::Attribute& attribute);

  FileState& file_;
  std::vector<Node*> known_;
  std::unordered_map<Node*, Object> objects_;  ///< without a place yet
  std::unordered_map<const Node*, std::vector<Values>> values_;
  std::unordered_map<std::uint64_t, std::uint64_t> identities_;  ///< now, by what they were
};

}  // namespace onecast::independent
