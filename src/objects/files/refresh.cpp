#include "objects/codec/message_codec.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"

/// Follows the writer of a file. What was decoded is forgotten, and is decoded again from the bytes
/// that the file has now. Handles stay valid, as in a file that is written (metadata_budget.cpp).
///
/// A file that is written for readers (SWMR) may be read at any time, each part when it is looked
/// up: MetadataStore::look_again. Any other file is read as the last flush left it: see
/// FollowedTransport.
namespace onecast::files {

bool FileState::is_written_for_readers() {
  static_cast<void>(transport_->size());  // opens it
  return opener_.followed()->is_for_readers();
}

bool FileState::may_read_again(const Error& error, unsigned attempt) const {
  constexpr unsigned kMostTries = 20;
  return opener_.followed() != nullptr && attempt < kMostTries && is_of_flush_meanwhile(error);
}

void FileState::refresh(Node* object) {
  require_open();
  if (!options_.follow || !opener_.followed()->look_again()) return;
  transfers_.heard_heaps.forget();
  if (!store_->follows() || !opener_.followed()->is_for_readers()) return load_again();
  store_->look_again();
  note_end_of_followed();
  memory_.note_flushed(memory_bytes());
  if (object == nullptr || memory_.is_time_to_forget(options_.metadata_budget)) {
    const std::vector<Node*> held = nodes_.held();
    store_->read_soundly([&] { decode_anew(held); });
    store_->forget(changes_.file_end);
    memory_.note_forgotten(memory_bytes(), true);
    if (object == nullptr)
      for (Node* node : held) look_at_shape(*node);
  } else {
    object->forget();
    nodes_.recall(*object);
  }
  if (object != nullptr) look_at_shape(*object);
}

void FileState::note_end_of_followed() {
  transport_->know_end(store_->file_size_at_open());
  changes_.file_end = store_->file_size_at_open() - store_->base();
  decode_again();
}

void FileState::load_again() {
  LoadOptions load;
  load.policy = static_cast<LoadOptions::Policy>(options_.load_policy);
  load.budget = options_.metadata_budget;
  const std::vector<Node*> held = nodes_.held();
  for (unsigned attempt = 0;; ++attempt) {
    try {
      load.follows = is_written_for_readers();
      store_->load_again(load);
      note_end_of_followed();
      decode_anew(held);
      for (Node* node : held)
        if (is_still_there(*node)) look_at_shape(*node);
      return;
    } catch (const Error& error) {
      if (!may_read_again(error, attempt)) throw;
    }
    opener_.followed()->look_again();
  }
}

/// Looks whether the links by which the object was reached still lead to it; if not, it is gone.
bool FileState::is_still_there(Node& node) {
  std::vector<Node*> way;
  for (Node* at = &node; at->parent != nullptr; at = at->parent) way.push_back(at);
  for (; !way.empty(); way.pop_back()) {
    Node& at = *way.back();
    if (at.gone) return false;
    nodes_.recall(*at.parent);
    const LinkEntry* link = at.parent->find_link(at.name);
    if (link != nullptr && link->message.type == LinkType::hard &&
        link->message.object_header == at.address)
      continue;
    at.be_gone();
    return false;
  }
  return !node.gone;
}

/// Reads the shape of a dataset again if anybody has asked for it.
void FileState::look_at_shape(Node& dataset) {
  const Dataspace* const before = dataset.known_dataspace();
  if (before == nullptr || dataset.gone) return;
  nodes_.recall(dataset);
  const HeaderMessage* message = dataset.header.find(MessageType::dataspace);
  if (message == nullptr || dataset.layout() == Layout::virtual_dataset) return;
  Dataspace now = read_dataspace(shared().resolve(*message), store_->file());
  // It is not decoded as other messages are, which stay in memory: a dataset that grows has very
  // many shapes.
  if (now != *before) dataset.change_space(std::move(now));
}

}  // namespace onecast::files
