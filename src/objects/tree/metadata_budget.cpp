#include <algorithm>
#include <utility>

#include "objects/tree/file_state.hpp"
#include "onecast/base/error.hpp"
#include "structures/object_header.hpp"

/// How an open file keeps to the option metadata_budget while it is written to: what is new is
/// flushed before it takes half of the budget, what a flush leaves in memory is forgotten.
namespace onecast {
namespace {

/// Counts one handle, and its copies, as long as there is one.
class HeldNode {
 public:
  HeldNode(std::shared_ptr<const void> keeps, Node& node) : keeps_(std::move(keeps)), node_(node) {
    node.handles.fetch_add(1, std::memory_order_relaxed);
  }
  HeldNode(const HeldNode&) = delete;
  HeldNode& operator=(const HeldNode&) = delete;
  ~HeldNode() { node_.handles.fetch_sub(1, std::memory_order_release); }

 private:
  std::shared_ptr<const void> keeps_;
  Node& node_;
};

/// A copy that points into nothing but the arena.
ObjectHeader kept(const ObjectHeader& header, Arena& arena) {
  ObjectHeader copy(arena.memory());
  copy.prefix = header.prefix;
  copy.version = header.version;
  copy.reference_count = header.reference_count;
  copy.first = header.first;
  copy.continuations = header.continuations;
  for (HeaderMessage m : header.messages) {
    m.data = arena.keep(m.data);
    copy.messages.push_back(m);
  }
  return copy;
}

}  // namespace

std::shared_ptr<Node> held(std::shared_ptr<const void> keeps, Node& node) {
  if (node.file->access() == Access::read_only) return {std::move(keeps), &node};
  return {std::make_shared<HeldNode>(std::move(keeps), node), &node};
}

std::uint64_t FileState::memory_bytes() const {
  return arena_.used() + nodes_.bytes() + store_->bytes();
}

void FileState::recall(Node& node) {
  if (!node.is_forgotten()) return;
  const std::scoped_lock lock(recalling_);
  if (!node.is_forgotten() || node.gone || !is_open()) return;
  node.recall(read_object_header(*structures_, node.address, arena_.memory()));
}

void FileState::make_room() {
  // Below that, flushes would be many, and each writes some pages anyway.
  constexpr std::uint64_t kLeastRoom = 64 << 10U;
  constexpr std::uint64_t kLeastPages = 4;
  if (local_edits_.is_inside()) return;
  const std::uint64_t room =
      std::max(options_.metadata_budget / 2, kLeastRoom + kLeastPages * options_.page_size);
  if (log_.growth() >= room) rooms_.flush(*this, CallKind::make_room);
}

bool FileState::may_forget() const {
  const bool all_written = !changes_.dirty && !committed_.half &&
                           changes_.released.objects.empty() && changes_.reserved_headers.empty() &&
                           new_blocks_->blocks().empty();
  const bool all_settled = changes_.edited_datasets.empty() && changes_.unfilled_datasets.empty() &&
                           changes_.renewed.empty() && changes_.compact_writes.all().empty() &&
                           changes_.variable_writes.empty() && local_edits_.empty();
  return all_written && all_settled && !changes_.deferred && !closing_ && !calls_->is_left() &&
         comm().progress().is_idle();
}

/// All ranks may forget at different times: it is not known what each has looked at.
void FileState::forget_decoded() {
  // A session that makes and looks at ever new things goes no higher, however long it is; one that
  // needs as much with every flush is not made to read it again and again.
  constexpr std::uint64_t kLittle = std::uint64_t{8} << 20U;
  note_memory();
  const std::uint64_t bytes = memory_bytes();
  const std::uint64_t grown = bytes - std::min(bytes, remained_);
  if (std::exchange(forgot_at_last_flush_, false)) of_one_flush_ = grown;
  const std::uint64_t budget = options_.metadata_budget;
  const std::uint64_t most = std::max(budget / 8 * 3, brought_ + budget / 4);
  const bool too_much = bytes > most && grown > most / 4;
  if (!too_much && grown <= std::max({kLittle, 3 * of_one_flush_, remained_ / 2})) return;
  if (!may_forget()) return;
  // Alone, a rank reads again only what it looks at; several would each read it.
  const bool images = comm().size() == 1 || store_->bytes() > most;
  forget_all_but(held_nodes(changes_.anonymous), images);
  if (images) brought_ = 0;
  remained_ = memory_bytes();
  forgot_at_last_flush_ = true;
}

std::vector<Node*> FileState::held_nodes(const std::vector<Node*>& others) {
  const std::uint64_t mark = ++walks_;
  std::vector<Node*> held;
  const auto hold = [&](Node* node) {
    for (; node != nullptr && node->walk_mark != mark; node = node->parent) {
      node->walk_mark = mark;
      held.push_back(node);
    }
  };
  hold(root_);
  for (Node* node : others) hold(node);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].handles.load(std::memory_order_acquire) != 0) hold(&nodes_[i]);
  return held;
}

void FileState::forget_all_but(const std::vector<Node*>& held, bool images) {
  const ObjectHeader root_header = read_object_header(*structures_, root_->address);
  register_addresses();
  const auto before = arena_.renew();
  const std::uint64_t mark = walks_;
  nodes_.keep([mark](const Node& node) { return node.walk_mark == mark; });
  for (Node* node : held) {
    node->forget();
    if (!node->is_new() && !node->removed) nodes_.at(node->address) = node;
  }
  root_->recall(kept(root_header, arena_));
  nodes_in_file_ = nodes_in_new_nodes_ = nodes_looked_at_ = nodes_.size();
  new_nodes_.clear();
  dirty_nodes_.clear();
  last_encoded_.reset();
  all_known_ = false;
  structures_->begin_again();
  shared_.emplace(*structures_, store_->extension().shared_messages);
  if (images)
    store_->forget(committed_.end);
  else
    store_->forget_read_on_demand(committed_.end);
}

}  // namespace onecast
