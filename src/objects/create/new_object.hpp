#pragma once

#include <cstdint>
#include <optional>

#include "base/namespaces.hpp"
#include "objects/elements/lost_writes.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/new_path.hpp"
#include "objects/lifetime/anonymous.hpp"
#include "objects/lifetime/take_back.hpp"
#include "pages/draft_allocator.hpp"

namespace onecast::create {

/// The space that a call has taken in the file, which is given back at once if the call fails.
/// Otherwise a disk that is full for the call is full for the next flush.
class TakenSpace {
 public:
  /// `bytes` is the size of the elements. A small size is not worth the work; the flush gives it
  /// back. Only for one rank: other ranks may have written to places that they were given since.
  TakenSpace(FileState& file, std::uint64_t bytes) : file_(file) {
    constexpr std::uint64_t kMuch = std::uint64_t{256} << 10U;
    if (bytes < kMuch || file.comm().size() > 1) return;
    taken_.emplace(file.allocator());
    released_ = file.changes().released.raw_data.mark();
  }
  TakenSpace(const TakenSpace&) = delete;
  TakenSpace& operator=(const TakenSpace&) = delete;
  ~TakenSpace() {
    if (!taken_) return;
    taken_->keep();
    file_.changes().released.raw_data.forget_mark();
  }

  /// Gives the space back after the created object is gone.
  void give_back() {
    if (!taken_) return;
    taken_.reset();
    file_.changes().released.raw_data.undo(released_);
  }

 private:
  FileState& file_;
  std::optional<DraftAllocator> taken_;
  std::size_t released_ = 0;
};

/// Creates an object under a path: `create(group, name)` makes it, with its data, and returns its
/// node. If `create` throws, the object does not exist afterwards. If rank 0 cannot write the data,
/// the object does not exist after the next flush. `bytes` is the size of the data if the call
/// takes no other space in the file.
template <class Create>
Node& make_at(NewPath& at, std::uint64_t bytes, Create&& create) {
  const Node& last = at.last_group();
  Node& group = at.make_group();
  std::uint64_t groups = 0;
  for (const Node* above = &group; above != &last; above = above->parent) ++groups;
  FileState& file = file_of(group);
  const std::size_t lost = count_lost(file);
  TakenSpace space(file, bytes);
  try {
    Node& created = create(group, at.name());
    set_created(file, lost, created, groups);
    return created;
  } catch (...) {
    take_back(group, at.name(), groups);
    space.give_back();
    throw;
  }
}

/// Does what make_at() does for an anonymous object, which has no path: `create()` returns it.
template <class Create>
Node& make_anonymous(FileState& file, std::uint64_t bytes, Create&& create) {
  const std::size_t lost = count_lost(file);
  const std::size_t before = file.changes().anonymous.size();
  TakenSpace space(file, bytes);
  try {
    Node& created = create();
    set_created(file, lost, created, 0);
    return created;
  } catch (...) {
    drop_anonymous_from(file, before);
    space.give_back();
    throw;
  }
}

}  // namespace onecast::create
