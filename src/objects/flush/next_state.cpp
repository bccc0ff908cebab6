#include "objects/flush/next_state.hpp"

#include <utility>

#include "objects/contiguous/replaced_data.hpp"

namespace onecast::flush {

NextState::NextState(FileState& file, PageAllocator& allocator, Commit& pages)
    : file_(file),
      before_(file.committed()),
      allocator_(allocator),
      pages_(pages),
      boot_(file.committed().boot),
      generation_(file.committed().generation),
      superblock_{Address{0}, Boot::superblock_size(context())} {
  boot_.is_for_readers = before_.swmr.stays_marked();
}

void NextState::allocate(std::uint32_t now, NodeFile memory) {
  plan_.emplace(file_, allocator_, now);
  if (lists()) allocate_extension(boot_, allocator_, context());
  if (file_.is_swmr()) return prepare_in_order();
  allocate_extents();
  const ReleasedSpace& released = file_.changes().released;
  GivenBack given_back{{}, plan_->replaced(), released.heap_rooms};
  for (const auto& [address, size] : released.raw_data.stretches())
    given_back.raw_data.push_back({{address}, size});
  given_back.metadata.insert(given_back.metadata.end(), released.metadata.begin(),
                             released.metadata.end());
  allocate_page_list(boot_, allocator_, given_back, context());
  pages_.touch(superblock_.address, superblock_.size);
  if (lists()) pages_.touch(boot_.extension.address, boot_.extension.size);
  plan_->touch(pages_);
  // Touch the whole room: the list may grow there.
  if (boot_.list.address.is_defined()) pages_.touch(boot_.list.address, boot_.list.room);
  pages_.prepare(before_.end, allocator_.reused_pages(), std::move(memory));
  write_replacing(file_, pages_);
}

void NextState::encode() {
  if (!pages_.encodes()) return;
  plan_->encode(pages_);
  if (before_.extents)
    encode_extents(pages_.at(boot_.extents.address, boot_.extents.length), context(),
                   *before_.extents);
  const bool keeps_superblock = may_keep_superblock();
  encode_boot(keeps_superblock);
  if (needs_generation()) {
    ++generation_;
    encode_boot(keeps_superblock);
  }
  const BlockPlace& list = boot_.list;
  if (lists() && list.address.is_defined())
    encode_page_list(pages_.at(list.address, list.length), context(), allocator_, generation_);
  pages_.seal(generation_);
  if (before_.has_page_list) pages_.guard(boot_.extension.address, boot_.extension.size);
}

void NextState::apply() {
  file_.committed().generation = pages_.told();
  pages_.apply();
  plan_->apply();
  file_.committed().boot = std::move(boot_);
}

void NextState::prepare_in_order() {
  pages_.touch(superblock_.address, superblock_.size);
  plan_->touch(pages_);
  pages_.prepare(before_.end, allocator_.reused_pages());
}

void NextState::allocate_extents() {
  if (!before_.extents) return;
  boot_.extents.length = MetadataExtentsBlock::size(before_.extents->size());
  boot_.extents.address = allocator_.metadata(boot_.extents.length);
  pages_.touch(boot_.extents.address, boot_.extents.length);
}

/// Returns true if the superblock need not change. An old superblock says where the root group's
/// links are, and where the file ends.
bool NextState::may_keep_superblock() {
  return !lists() && allocator_.end() == before_.end && !file_.root().dirty &&
         !has_modern_form(pages_.at(superblock_.address, superblock_.size));
}

void NextState::encode_boot(bool keeps_superblock) {
  if (lists())
    encode_extension(pages_.at(boot_.extension.address, boot_.extension.size), context(), boot_,
                     allocator_, generation_);
  if (keeps_superblock) return;
  encode_superblock(pages_.at(superblock_.address, superblock_.size), context(), boot_,
                    file_.root().address, allocator_);
}

/// Returns true if the page list is new, or if the superblock or its extension changes. A new
/// generation changes the extension, so a flush that changes neither keeps the old generation.
bool NextState::needs_generation() {
  if (!lists()) return false;
  const bool is_there = before_.has_page_list && before_.end != 0;
  return !is_there || pages_.changes(superblock_.address, superblock_.size) ||
         pages_.changes(boot_.extension.address, boot_.extension.size);
}

}  // namespace onecast::flush
