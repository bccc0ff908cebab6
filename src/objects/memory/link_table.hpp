#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "objects/memory/name_index.hpp"
#include "objects/memory/steady_vector.hpp"
#include "structures/object_contents.hpp"

namespace onecast::structures {
class LinkLookup;
}  // namespace onecast::structures

namespace onecast::tree {
class Node;
}  // namespace onecast::tree

namespace onecast::memory {

/// One link of a group in memory.
struct LinkEntry {
  LinkMessage message;         ///< its object_header is set at flush, if `node` is new
  tree::Node* node = nullptr;  ///< what a hard link leads to, once it was opened or created
  bool removed = false;
  bool is_local = false;  ///< in a group that other ranks know: see LocalEdits
  /// Since it was merged: a group that was made on the way, or required.
  bool on_the_way = false;
  bool is_stored = false;  ///< the file has it
  int maker = kAllRanks;   ///< the rank that created it for itself

  static constexpr int kAllRanks = -1;
};

/// The links of one group: all, or those looked at so far (see AskedLinks).
struct LinkTable {
  explicit LinkTable(Arena& arena) : entries(arena), arena_(arena) {}

  SteadyVector<LinkEntry> entries;  ///< removed ones stay, so that positions do not change
  std::size_t live = 0;             ///< of the group, also where only some are here
  bool creation_order_tracked = false;
  std::uint64_t next_creation_order = 0;
  DensePlace stored;               ///< where the file has them, if they are dense there
  std::vector<LinkEntry*> added;   ///< since the last flush; some were removed again
  std::vector<LinkEntry*> missed;  ///< removed since then; the file has them

  LinkEntry* find(std::string_view name);
  LinkEntry& add(const LinkMessage& message, tree::Node* node);
  LinkEntry& add_local(const LinkMessage& message, tree::Node* node);
  /// One that the file has.
  LinkEntry& note(const LinkMessage& message);
  void remove(LinkEntry& entry);
  /// Hides those that are local.
  void remove_local();
  /// As if there never were any.
  void clear();
  /// The file has what is here, at `place` if they are dense.
  void settle(const DensePlace& place);

 private:
  [[nodiscard]] auto name_at() const;

  Arena& arena_;
  NameIndex index_;
};

/// The links of a large group in the file that were asked for one by one, and what has changed
/// since. Any number of threads may ask at once.
class AskedLinks {
 public:
  /// @param keeps names are copied: pages change under them
  AskedLinks(Arena& arena, MetadataSource& source, std::unique_ptr<LinkLookup> lookup, bool keeps);
  AskedLinks(const AskedLinks&) = delete;
  AskedLinks& operator=(const AskedLinks&) = delete;
  ~AskedLinks();

  /// Null if there is none. Nothing if so many were asked for that looking at all costs less.
  std::optional<LinkEntry*> find(std::string_view name);
  /// Can what changes be kept here? Not of a symbol table, which is written anew as another thing.
  [[nodiscard]] bool can_change() const { return table_.stored.is_defined(); }
  [[nodiscard]] LinkTable& table() { return table_; }
  /// Puts what has changed into `all`, which has what is in the file.
  void add_changes_to(LinkTable& all);
  /// See LinkTable.
  void settle(const DensePlace& place);

  /// Groups of fewer links are looked at as a whole.
  static constexpr std::uint64_t kLeastLinks = 64;

 private:
  LinkMessage kept(const LinkMessage& message) const;

  Mutex mutex_;
  Arena& arena_;
  MetadataSource* source_;
  std::unique_ptr<LinkLookup> lookup_;  ///< none: what it knew has changed
  LinksInfo info_;
  LinkTable table_;
  std::unordered_set<std::string_view> gone_;  ///< names of table_.missed, of so many
  std::size_t gone_seen_ = 0;
  std::uint64_t lookups_left_;
  bool keeps_;
};

}  // namespace onecast::memory
