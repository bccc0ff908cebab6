#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/private_heap.hpp"
#include "objects/tree/node.hpp"

namespace onecast::tree {

class CallLog;
class OpenFile;

/// What this rank made inside independent(), and the others do not know before the next flush:
/// local links and attributes of objects that all ranks know, and the objects that those links lead
/// to. Local objects are nodes like others; what lies in them is as local as they are.
///
/// Local links and attributes stand in the tables of their groups and objects, where this rank
/// finds them, but do not count there: what all ranks do to those tables must not depend on them.
class LocalEdits {
 public:
  struct Link {
    LinkMessage message;
    Node* target;  ///< of a hard link
  };
  /// An object that all ranks know, and what it got.
  struct Holder {
    Node* node;
    std::vector<Link> links{};
    std::vector<const AttributeEntry*> attributes{};
  };
  /// Contiguous data that has its place now.
  struct Unwritten {
    Address address;
    WaitingBytes data;
  };

  LocalEdits(OpenFile& file, CallLog& log) : file_(file), log_(log) {}

  void enter();
  void leave();
  [[nodiscard]] bool is_inside() const { return depth_ > 0; }
  /// Until it goes, calls are as outside independent().
  class Outside;

  [[nodiscard]] bool empty() const { return holders_.empty(); }
  [[nodiscard]] const std::vector<Holder>& holders() const { return holders_; }
  [[nodiscard]] bool is_local(const AttributeEntry* attribute) const {
    return attributes_.contains(attribute);
  }
  /// The flush has made them everyone's.
  void clear();
  /// They are gone.
  void give_up() {
    clear();
    unwritten.clear();
    created_ = 0;
  }

  void add_link(Node& group, const LinkMessage& message, Node* target);
  /// Takes a link away that only this rank knows. What it leads to stays.
  void remove_link(Node& group, LinkEntry& entry);
  /// One link less leads to a local object; with the last it goes, and all that only it led to.
  void unlink(Node& node);
  /// No link leads to a local object any more, nor will the flush send it.
  void drop(Node& node);
  /// @param replaced a local attribute of that name, or null
  void add_attribute(Node& object, const AttributeEntry* attribute, const AttributeEntry* replaced);
  void remove_attribute(Node& object, const AttributeEntry* attribute);
  /// Makes a new object local; its identity is one that no other rank's object has.
  void make_local(Node& node);
  /// make_local(), for an object to which no link leads.
  void make_anonymous(Node& node);

  PrivateHeap heap;
  std::unordered_map<const AttributeEntry*, Unsettled> unsettled;
  std::vector<Unwritten> unwritten;

 private:
  Holder& holder(Node& node);

  OpenFile& file_;
  CallLog& log_;
  unsigned depth_ = 0;
  std::uint64_t created_ = 0;
  std::vector<Holder> holders_;  ///< in the order in which they got something
  std::unordered_map<const Node*, std::size_t> holder_of_;
  std::unordered_set<const AttributeEntry*> attributes_;  ///< those of the holders
};

class LocalEdits::Outside {
 public:
  explicit Outside(LocalEdits& edits) : edits_(edits), depth_(edits.depth_) { edits.depth_ = 0; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;
  ~Outside() { edits_.depth_ = depth_; }

 private:
  LocalEdits& edits_;
  unsigned depth_;
};

}  // namespace onecast::tree
