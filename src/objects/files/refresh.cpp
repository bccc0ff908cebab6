#include "objects/codec/message_codec.hpp"
#include "objects/files/external_files.hpp"
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
  if (!options_.follow) return;
  external_files()->refresh(*this);
  refresh_alone(object);
}

void FileState::refresh_alone(Node* object) {
  require_open();
  if (!options_.follow) return;
  opener_.require_place();
  own_files_->forget_growing();
  const bool is_new = opener_.followed()->look_again();
  try {
    is_new ? take_over_state(object) : forget_unheld();
  } catch (...) {
    // What is in memory may be of two states: nothing of it is looked up any more.
    opener_.followed()->note_lost();
    const auto before = forget_decoded_metadata();
    nodes_.keep_only(nodes_.held());
    store_->forget(changes_.file_end);
    throw;
  }
}

void FileState::take_over_state(Node* object) {
  transfers_.heard_heaps.forget();
  if (!store_->is_for_readers() || !opener_.followed()->is_for_readers()) return load_again();
  store_->look_again();
  note_end_of_followed();
  memory_.note_flushed(memory_bytes());
  if (object == nullptr || memory_.is_time_to_forget(options_.metadata_budget)) {
    const std::vector<Node*> held = nodes_.held();
    store_->read_soundly([&] { decode_anew(held); });
    store_->forget(changes_.file_end);
    memory_.note_forgotten(memory_bytes(), true);
    if (object == nullptr)
      for (Node* node : held) look_at_properties(*node);
  } else {
    object->forget();
    nodes_.recall(*object);
  }
  if (object != nullptr) look_at_properties(*object);
}

void FileState::forget_unheld() {
  memory_.note_flushed(memory_bytes());
  if (!memory_.is_time_to_forget(options_.metadata_budget)) return;
  decode_anew(nodes_.held());
  store_->forget_read_on_demand(changes_.file_end);
  memory_.note_forgotten(memory_bytes(), false);
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
      load.for_readers = is_written_for_readers();
      store_->load_again(load);
      note_end_of_followed();
      decode_anew(held);
      store_->forget_earlier();
      for (Node* node : held) {
        end_if_gone(*node);
        look_at_properties(*node);
      }
      memory_.note_forgotten(memory_bytes(), false);
      return;
    } catch (const Error& error) {
      if (!may_read_again(error, attempt)) throw;
    }
    opener_.followed()->look_again();
  }
}

/// Ends an object to which the links by which it was reached lead no more, and those below it on
/// the way. An object without such links may have given its place to any other.
void FileState::end_if_gone(Node& node) {
  std::vector<Node*> way;
  Node* top = &node;
  for (; top->parent != nullptr; top = top->parent) way.push_back(top);
  bool is_there = top == root_;
  if (!is_there && !top->gone) nodes_.end(*top);
  const auto is_linked = [&](Node& at) {
    nodes_.recall(*at.parent);
    const LinkEntry* link = at.parent->find_link(at.name);
    return link != nullptr && link->type() == LinkType::hard && link->object_header() == at.address;
  };
  for (; !way.empty(); way.pop_back()) {
    Node& at = *way.back();
    is_there = is_there && !at.gone && is_linked(at) && nodes_.is_of_its_kind(at);
    if (!is_there && !at.gone) nodes_.end(at);
  }
}

/// Reads the shape and the type of a dataset again if anybody has asked for them.
void FileState::look_at_properties(Node& dataset) {
  look_at_shape(dataset);
  if (dataset.known_datatype() == nullptr || dataset.gone) return;
  nodes_.recall(dataset);
  if (const HeaderMessage* message = dataset.header.find(MessageType::datatype))
    dataset.change_type(datatype(*message));
}

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
