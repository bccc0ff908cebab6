#include <fmt/format.h>

#include <algorithm>

#include "comm/agreement.hpp"
#include "objects/file_state.hpp"
#include "objects/flush_plan.hpp"
#include "objects/raw_data.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"

namespace onecast {

/// Steps: agree that all ranks made the same calls; exchange what they wrote to compact datasets; lay
/// out, encode, write and adopt the dirty objects.
void FileState::flush() {
  require_writable();
  std::uint64_t news[] = {compact_writes.empty() ? 0U : 1U, deferred ? 1U : 0U, written_end};
  const bool same_calls = compare_digest(comm(), log.digest(), news);
  if (!same_calls) log.throw_difference(comm(), path);
  if (news[1] != 0)
    agree(comm(), [&] {
      if (const std::exception_ptr failure = std::exchange(deferred, nullptr)) std::rethrow_exception(failure);
    });
  file_end = std::max(file_end, news[2]);
  if (news[0] != 0) merge_compact_writes();
  if (dirty) commit();
  log.clear();
}

void FileState::merge_compact_writes() {
  const auto all = comm().all_gather(serialize(compact_writes));
  agree(comm(), [&] {
    for (const auto& bytes : all)
      for (const CompactWrite& w : deserialize_compact_writes(bytes)) {
        Node* node = find(*root, w.path);
        // Removed since: its data went with it.
        if (node != nullptr) write_compact(*node, w.part, w.bytes);
      }
  });
  compact_writes.clear();
}

void FileState::commit() {
  PageAllocator next = *allocator;
  FlushPlan plan(*this, next);
  const auto list_place = place_page_list(next);

  Commit pages(*store, next.page_size());
  pages.touch(Address{0}, kBootSize);
  plan.touch(pages);
  if (list_place) pages.touch(list_place->address, list_place->length);
  pages.prepare(committed_end_);
  plan.encode(pages);
  if (list_place)
    encode_page_list(pages.at(list_place->address, list_place->length), store->file(), next, generation + 1);
  encode_boot(pages.at(Address{0}, kBootSize), store->file(), root->address, next, generation + 1,
              list_place);

  pages.write(comm(), *transport, {options.stripe_size, options.single_writer_stripes, options.durable},
              file_end, next.end());
  pages.adopt();
  plan.adopt();
  ++generation;
  file_end = std::max(file_end, next.end());
  allocator = std::move(next);
  committed_end_ = allocator->end();
  for (Node& node : nodes_)
    if (!node.is_new()) by_address_.try_emplace(node.address, &node);
  dirty = false;
}

}  // namespace onecast
