#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"
#include "objects/flush/flush_plan.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"
#include "pages/page_allocator.hpp"

namespace onecast::flush {

/// The next state of a file's metadata: first the place of everything, then the bytes in the pages
/// of a commit.
class NextState {
 public:
  NextState(FileState& file, PageAllocator& allocator, Commit& pages);

  /// Gives everything its place and reports the changed ranges to the commit. `now`: see FlushPlan;
  /// `memory`: see Commit::prepare().
  void allocate(std::uint32_t now, NodeFile memory);
  /// Returns what changes, each part behind all parts to which it refers. The superblock is not
  /// among them.
  [[nodiscard]] std::vector<FileRange> in_order() const { return plan_->in_order(); }
  /// Returns the ranges in the file that are unused once this state is written.
  [[nodiscard]] std::vector<FileRange> replaced() const { return plan_->replaced(); }
  /// Encodes everything, unless another rank of the node does so.
  void encode();
  /// Makes this state the one in memory, after it was written.
  void apply();

 private:
  [[nodiscard]] const FileContext& context() const { return file_.store().file(); }
  [[nodiscard]] bool lists() const { return allocator_.is_paged() && !file_.is_swmr(); }
  void prepare_in_order();
  void allocate_extents();
  [[nodiscard]] bool may_keep_superblock();
  void encode_boot(bool keeps_superblock);
  [[nodiscard]] bool needs_generation();

  FileState& file_;
  const Committed& before_;
  PageAllocator& allocator_;
  Commit& pages_;
  Boot boot_;
  std::uint64_t generation_;
  FileRange superblock_;
  std::optional<FlushPlan> plan_;
};

}  // namespace onecast::flush
