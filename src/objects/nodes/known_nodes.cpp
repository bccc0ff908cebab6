#include "objects/nodes/known_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "objects/nodes/open_file.hpp"
#include "onecast/base/error.hpp"
#include "structures/object_contents.hpp"

namespace onecast::nodes {
namespace {

ObjectKind kind_of(const ObjectHeader& header) {
  if (is_group(header)) return ObjectKind::group;
  if (header.find(MessageType::data_layout) != nullptr) return ObjectKind::dataset;
  if (header.find(MessageType::datatype) != nullptr) return ObjectKind::datatype;
  return ObjectKind::group;
}

/// Returns an address that identifies the calling thread.
const void* this_thread() {
#if defined(__has_builtin) && (defined(__x86_64__) || defined(__aarch64__))
#if __has_builtin(__builtin_thread_pointer)
  return __builtin_thread_pointer();
#define ONECAST_HAS_THREAD_POINTER
#endif
#endif
#ifndef ONECAST_HAS_THREAD_POINTER
  static thread_local const char here = 0;
  return &here;
#endif
}

/// The parts of the budget that the first objects of a file that is read may take, and a
/// generation. Several generations may exist, since handles keep them.
struct Parts {
  std::uint64_t first;
  std::uint64_t later;
};
/// The ranks of a node share its memory, and mostly look at each object once.
constexpr Parts parts_of(int ranks) { return ranks == 1 ? Parts{32, 128} : Parts{256, 1024}; }

}  // namespace

Node& KnownNodes::look_up(Address address, Node* parent, std::string_view name, Where where) {
  Node* known = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    note_reader();
    register_addresses();
    known = later_ ? find_before(address, where) : nullptr;
    if (known == nullptr) known = table().find(address);
    // The committed datatype of another object is found without a path.
    if (known != nullptr && file_.access() == Access::read_write && known->parent == nullptr &&
        known != &file_.root()) {
      known->parent = parent;
      known->name = name;
    }
  }
  if (known != nullptr) {
    recall(*known);
    return *known;
  }
  // Another thread may read the object at the same time: the first node is kept.
  Arena& arena = later_ ? later_->arena : file_.arena();
  ObjectHeader header = file_.store().read_soundly(
      [&] { return read_object_header(file_.structures(), address, arena.memory()); });
  const ObjectKind kind = kind_of(header);
  const std::scoped_lock lock(mutex_);
  if (Node* other = table().find(address)) return *other;
  Node& made = add(parent, name, std::move(header), address, kind);
  table().enter(made);
  return made;
}

Node* KnownNodes::known(Address address) {
  Node* known = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    note_reader();
    register_addresses();
    known = later_ ? find_before(address, Where::anywhere) : nullptr;
    if (known == nullptr) known = table().find(address);
  }
  if (known != nullptr) recall(*known);
  return known;
}

/// Returns a node that is not in the present generation, or null.
Node* KnownNodes::find_before(Address address, Where where) {
  if (where == Where::anywhere)
    for (const std::weak_ptr<Generation>& former : former_)
      if (std::shared_ptr<Generation> there = former.lock())
        if (Node* node = there->nodes.find(address)) {
          // Another thread may drop the last handle to it meanwhile.
          if (std::ranges::find(kept_, there) == kept_.end()) kept_.push_back(std::move(there));
          return node;
        }
  return nodes_.find(address);
}

Node& KnownNodes::present(Node& node) {
  if (node.generation() == nullptr) return node;
  {
    const std::scoped_lock lock(mutex_);
    note_reader();
  }
  const auto stays = [this](const Node& each) {
    return each.generation() == nullptr || each.generation() == later_.get();
  };
  // Groups may be nested more deeply than function calls may.
  std::vector<const Node*> missing;
  Node* at = &node;
  for (; at != nullptr && !stays(*at); at = at->parent) missing.push_back(at);
  for (; !missing.empty(); missing.pop_back()) {
    const Node& next = *missing.back();
    at = &look_up(next.address, at, next.name, Where::present);
  }
  return *at;
}

/// Once several threads look up objects, none is freed any more: a thread may use nodes to which no
/// handle leads yet.
void KnownNodes::note_reader() {
  const void* me = this_thread();
  if (reader_ == me || has_several_readers_) return;
  if (reader_ == nullptr) {
    reader_ = me;
    return;
  }
  has_several_readers_ = true;
  for (const std::weak_ptr<Generation>& former : former_)
    if (std::shared_ptr<Generation> there = former.lock()) kept_.push_back(std::move(there));
}

bool KnownNodes::is_large() const {
  const std::uint64_t budget = file_.options().metadata_budget;
  const Parts parts = parts_of(file_.comm().size());
  return later_ ? later_->bytes() >= budget / parts.later
                : nodes_.bytes() + file_.arena().used() >= budget / parts.first;
}

std::size_t KnownNodes::most_expected() const {
  // Each of several ranks may change only a few of very many objects in a file.
  if (file_.access() == Access::read_write && file_.comm().is_self()) return SIZE_MAX;
  const std::uint64_t part = parts_of(file_.comm().size()).first;
  return static_cast<std::size_t>(file_.options().metadata_budget / part / sizeof(Node));
}

void KnownNodes::consider_new_generation() {
  std::vector<std::shared_ptr<Generation>> freed;  // without the lock
  const std::scoped_lock lock(mutex_);
  made_until_ = made_ + kStep;
  if (file_.forgets() || has_several_readers_ || reader_ != this_thread() || all_known_ ||
      file_.structures().has_kept() || !file_.comm().progress().is_idle())
    return;
  freed.swap(kept_);
  if (!is_large()) return;
  std::erase_if(former_, [](const auto& former) { return former.expired(); });
  if (later_) {
    former_.push_back(later_);
    freed.push_back(std::move(later_));
  }
  later_ = std::make_shared<Generation>();
  file_.decode_again();
}

Node& KnownNodes::of(const NodeId& id) {
  // The path is unknown until a call reaches the object through links.
  if (!id.is_new) return at(Address{id.identity}, nullptr, {});
  for (; nodes_in_new_nodes_ < nodes_.size(); ++nodes_in_new_nodes_)
    if (Node& node = nodes_[nodes_in_new_nodes_]; node.is_new())
      new_nodes_.emplace(node.creation_digest, &node);
  const auto found = new_nodes_.find(id.identity);
  if (found == new_nodes_.end())
    throw Error(ErrorCode::diverged,
                fmt::format("{}: another rank wrote to an object that this rank does not have",
                            file_.path()));
  return *found->second;
}

void KnownNodes::recall(Node& node) {
  if (!node.is_forgotten()) return;
  const std::scoped_lock lock(recalling_);
  if (!node.is_forgotten() || node.gone || !file_.is_open()) return;
  node.recall(file_.store().read_soundly([&] {
    return read_object_header(file_.structures(), node.address, file_.arena().memory());
  }));
}

bool KnownNodes::is_of_its_kind(Node& node) {
  recall(node);
  return kind_of(node.header) == node.kind;
}

void KnownNodes::end(Node& node) {
  node.be_gone();
  register_addresses();
  nodes_.forget_address(node);
}

void KnownNodes::look_at_datasets() {
  for (; nodes_looked_at_ < nodes_.size(); ++nodes_looked_at_)
    nodes_[nodes_looked_at_].look_ahead();
  if (!later_) return;
  for (std::size_t i = 0; i < later_->nodes.size(); ++i) later_->nodes[i].look_ahead();
}

Node& KnownNodes::add_new(Node* parent, std::string_view name, ObjectKind kind) {
  return add(parent, name, ObjectHeader(file_.arena().memory()), Address{}, kind);
}

void KnownNodes::enter(Node& node) {
  // An object at this address may have been removed; register pending addresses first.
  register_addresses();
  nodes_.enter(node);
}

void KnownNodes::forget_identities() {
  new_nodes_.clear();
  nodes_in_new_nodes_ = nodes_in_file_;
}

void KnownNodes::note_dirty(Node& node) {
  if (!node.dirty) dirty_nodes_.push_back(&node);
  node.dirty = true;
}

std::vector<Node*> KnownNodes::dirty_stored() {
  std::vector<Node*> found;
  for (Node* node : dirty_nodes_)
    if (node->dirty && !node->is_new() && !node->removed) found.push_back(node);
  std::sort(found.begin(), found.end(),
            [](const Node* a, const Node* b) { return a->address < b->address; });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void KnownNodes::forget_changes() {
  dirty_nodes_.clear();
  nodes_in_file_ = nodes_.size();
  forget_identities();
}

std::vector<Node*> KnownNodes::held(const std::vector<Node*>& others) {
  const std::uint32_t mark = next_walk();
  std::vector<Node*> held;
  const auto hold = [&](Node* node) {
    for (; node != nullptr && node->walk_mark != mark; node = node->parent) {
      node->walk_mark = mark;
      held.push_back(node);
    }
  };
  hold(&file_.root());
  for (Node* node : others) hold(node);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].handles.load(std::memory_order_acquire) != 0) hold(&nodes_[i]);
  return held;
}

void KnownNodes::keep_only(const std::vector<Node*>& held) {
  register_addresses();
  const std::uint32_t mark = walks_;
  nodes_.keep([mark](const Node& node) { return node.walk_mark == mark; });
  for (Node* node : held) {
    node->forget();
    if (!node->is_new() && !node->removed && !node->gone) nodes_.enter(*node);
  }
  nodes_in_file_ = nodes_in_new_nodes_ = nodes_looked_at_ = nodes_.size();
  new_nodes_.clear();
  dirty_nodes_.clear();
  all_known_ = false;
}

void KnownNodes::reserve(std::size_t count) { nodes_.reserve(std::min(count, most_expected())); }

void KnownNodes::expect(std::size_t more) {
  const std::scoped_lock lock(mutex_);
  table().expect(std::min(more, most_expected()));
}

std::size_t KnownNodes::size() const { return nodes_.size() + (later_ ? later_->nodes.size() : 0); }

std::uint64_t KnownNodes::bytes() const { return nodes_.bytes() + (later_ ? later_->bytes() : 0); }

void KnownNodes::register_addresses() {
  for (Node* node : unregistered_) nodes_.enter(*node);
  unregistered_.clear();
}

Node& KnownNodes::add(Node* parent, std::string_view name, ObjectHeader&& header, Address address,
                      ObjectKind kind) {
  made_.fetch_add(1, std::memory_order_relaxed);
  return table().add(file_, later_.get(), parent, name, std::move(header), address, kind);
}

}  // namespace onecast::nodes
