#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/private_heap.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::nodes {

class CallLog;
class OpenFile;

/// The changes of this rank inside independent() that others do not know before the next flush:
/// local links and attributes of objects that all ranks know, and the objects to which those links
/// lead. Local objects are ordinary nodes; everything that lies in them is local, too.
///
/// The tables of the groups and objects contain local links and attributes, so that this rank finds
/// them, but do not count them: what all ranks do to those tables must not depend on them.
class LocalEdits {
 public:
  struct Link {
    LinkMessage message;
    Node* target;  ///< the target of a hard link
  };
  /// An object that all ranks know, and the links and attributes that it got.
  struct Holder {
    Node* node;
    std::vector<Link> links{};
    std::vector<const AttributeEntry*> attributes{};
  };
  /// Contiguous data that has its place now but is not written.
  struct Unwritten {
    Address address;
    WaitingBytes data;
  };

  LocalEdits(OpenFile& file, CallLog& log) : file_(file), log_(log) {}

  void enter();
  void leave();
  [[nodiscard]] bool is_inside() const { return depth_ > 0; }
  /// While it exists, calls work as outside independent().
  class Outside;

  [[nodiscard]] bool empty() const { return holders_.empty(); }
  [[nodiscard]] const std::vector<Holder>& holders() const { return holders_; }
  [[nodiscard]] bool is_local(const AttributeEntry* attribute) const {
    return attributes_.contains(attribute);
  }
  /// Forgets the edits after a flush has made them known to all ranks.
  void clear();
  /// Forgets the edits and their data.
  void give_up() {
    clear();
    unwritten.clear();
    created_ = 0;
  }

  void add_link(Node& group, const LinkMessage& message, Node* target);
  /// Removes a link that only this rank knows. Its target stays.
  void remove_link(Node& group, LinkEntry& entry);
  /// Counts one link less to a local object. The last one ends the object and everything that only
  /// it led to.
  void unlink(Node& node);
  /// Ends a local object to which no link leads any more; the flush will not send it.
  void drop(Node& node);
  /// @param replaced a local attribute of the same name, or null
  void add_attribute(Node& object, const AttributeEntry* attribute, const AttributeEntry* replaced);
  void remove_attribute(Node& object, const AttributeEntry* attribute);
  /// Makes a new object local and gives it an identity that no other rank's object has.
  void make_local(Node& node);
  /// Does the same as make_local() for an object to which no link leads.
  void make_anonymous(Node& node);

  PrivateHeap heap;
  std::unordered_map<const AttributeEntry*, PackedMessage> packed_messages;
  std::vector<Unwritten> unwritten;

 private:
  Holder& holder(Node& node);

  OpenFile& file_;
  CallLog& log_;
  unsigned depth_ = 0;
  std::uint64_t created_ = 0;
  std::vector<Holder> holders_;  ///< in the order in which they first got a link or attribute
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

}  // namespace onecast::nodes
