#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "base/rare.hpp"
#include "objects/memory/arena.hpp"
#include "objects/memory/name_index.hpp"
#include "objects/memory/steady_vector.hpp"
#include "structures/object_contents.hpp"

namespace onecast::structures {
class LinkLookup;
}  // namespace onecast::structures

namespace onecast::nodes {
class Node;
}  // namespace onecast::nodes

namespace onecast::nodes {

/// One link of a group in memory: its message, without what other kinds of links have, since files
/// have very many.
class LinkEntry {
 public:
  /// The name and the value must stay where they are.
  explicit LinkEntry(const LinkMessage& message, nodes::Node* target = nullptr);

  [[nodiscard]] LinkMessage message() const;
  /// These are the fields of the message.
  [[nodiscard]] std::string_view name() const { return {name_, name_size_}; }
  [[nodiscard]] LinkType type() const { return type_; }
  [[nodiscard]] std::uint64_t creation_order() const { return creation_order_; }
  /// Returns the bytes of the name and the value.
  [[nodiscard]] std::size_t size() const { return std::size_t{name_size_} + value_size_; }
  /// Returns where a hard link leads to; undefined if `node` is new.
  [[nodiscard]] Address object_header() const {
    return type_ == LinkType::hard ? address_ : Address();
  }
  /// Notes where a hard link leads to.
  void set_target(Address address) {
    if (type_ == LinkType::hard) address_ = address;
  }

  static constexpr int kAllRanks = -1;

  nodes::Node* node;      ///< the target of a hard link, once it was opened or created
  int maker = kAllRanks;  ///< the rank that created it independently
  bool removed : 1 = false;
  bool is_local : 1 = false;  ///< local, in a group that other ranks know: see LocalEdits
  /// True for a merged link whose group was created on the way or required.
  bool on_the_way : 1 = false;
  bool is_stored : 1 = false;  ///< the file has it

 private:
  bool is_utf8_ : 1;
  LinkType type_;
  std::uint8_t flags_;
  const char* name_;
  union {
    Address address_;         ///< of a hard link
    const std::byte* value_;  ///< of any other link
  };
  std::uint64_t creation_order_;
  std::uint32_t name_size_;
  std::uint32_t value_size_ = 0;
};

inline LinkMessage LinkEntry::message() const {
  LinkMessage message;
  message.flags = flags_;
  message.type = type_;
  message.character_set = is_utf8_ ? CharacterSet::utf8 : CharacterSet::ascii;
  message.creation_order = creation_order_;
  message.name = name();
  if (type_ == LinkType::hard)
    message.object_header = address_;
  else if (type_ == LinkType::soft)
    message.soft_value = {reinterpret_cast<const char*>(value_), value_size_};
  else
    message.user_data = {value_, value_size_};
  return message;
}

/// Returns the message with copies of its name and value in the arena.
LinkMessage kept(const LinkMessage& message, Arena& arena);

/// The links of one group: all, or those looked up so far (see AskedLinks).
struct LinkTable {
  explicit LinkTable(Arena& arena) : entries(arena) {}

  SteadyVector<LinkEntry> entries;  ///< including removed ones, so that positions do not change
  std::size_t live = 0;  ///< the number of links of the group, even if the table has only some
  std::uint64_t next_creation_order = 0;
  bool creation_order_tracked = false;

  /// The place of dense links in the file.
  [[nodiscard]] DensePlace stored() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? rare->stored : DensePlace();
  }
  void set_stored(const DensePlace& place) {
    if (place.is_defined() || rare_.is_set()) rare_.change().stored = place;
  }
  /// Links that were removed since the last flush, and that the file has.
  [[nodiscard]] std::span<LinkEntry* const> missed() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? std::span<LinkEntry* const>(rare->missed)
                           : std::span<LinkEntry* const>();
  }
  /// Returns true if links were added since the last flush, even if they were removed again.
  [[nodiscard]] bool has_added() const { return added_ != 0; }
  /// Calls each(link) for these links.
  template <class F>
  void for_each_added(F&& each) {
    if (has_added())
      entries.for_each_from(first_added_, [&](LinkEntry& entry) {
        if (!entry.is_stored) each(entry);
      });
  }

  LinkEntry* find(std::string_view name);
  LinkEntry& add(const LinkMessage& message, nodes::Node* node);
  LinkEntry& add_local(const LinkMessage& message, nodes::Node* node);
  /// Adds a link that the file has.
  LinkEntry& note(const LinkEntry& link);
  void remove(LinkEntry& entry);
  /// Hides the local links.
  void remove_local();
  /// Removes all links without a trace.
  void clear();
  /// Notes that the file has the present links, at `place` if they are dense.
  void note_place(const DensePlace& place);

 private:
  struct Beside {
    DensePlace stored;
    std::vector<LinkEntry*> missed;
  };

  [[nodiscard]] auto name_at() const;

  std::uint32_t added_ = 0;
  std::size_t first_added_ = 0;  ///< links before it were not added since the last flush
  Rare<Beside> rare_;
  NameIndex index_;
};

/// The links of a large group in the file that were looked up one by one, and the changes since.
/// Any number of threads may look up links at once.
class AskedLinks {
 public:
  /// @param keeps true if names must be copied, because pages change
  AskedLinks(Arena& arena, MetadataSource& source, std::unique_ptr<LinkLookup> lookup, bool keeps);
  AskedLinks(const AskedLinks&) = delete;
  AskedLinks& operator=(const AskedLinks&) = delete;
  ~AskedLinks();

  /// Returns null if there is no such link; nothing if so many were looked up that decoding all
  /// links costs less.
  std::optional<LinkEntry*> find(std::string_view name);
  /// Returns true if changes can be kept here. They cannot for a symbol table, which is written
  /// anew in another form.
  [[nodiscard]] bool can_change() const { return table_.stored().is_defined(); }
  [[nodiscard]] LinkTable& table() { return table_; }
  /// Adds the changes to `all`, which has the links of the file.
  void add_changes_to(LinkTable& all);
  /// See LinkTable.
  void note_place(const DensePlace& place);

  /// Groups with fewer links are decoded as a whole.
  static constexpr std::uint64_t kLeastLinks = 64;

 private:
  Mutex mutex_;
  Arena& arena_;
  MetadataSource* source_;
  std::unique_ptr<LinkLookup> lookup_;  ///< null once what it knew has changed
  LinksInfo info_;
  LinkTable table_;
  /// The names of the first gone_seen_ entries of table_.missed().
  std::unordered_set<std::string_view> gone_;
  std::size_t gone_seen_ = 0;
  std::uint64_t lookups_left_;
  bool keeps_;
};

}  // namespace onecast::nodes
