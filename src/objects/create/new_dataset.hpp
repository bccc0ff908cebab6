#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/create/prepared_dataset.hpp"
#include "objects/nodes/call_log.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::format {
struct DataLayoutMessage;
}  // namespace onecast::format

namespace onecast::create {

/// Returns the text with which errors begin; called only for an error.
using ErrorPrefix = std::function<std::string()>;

/// A dataset to be created. The constructor checks everything that can be wrong, and changes
/// nothing.
class NewDataset {
 public:
  /// @param model for a copy, whose value the caller writes
  NewDataset(FileState& file, ErrorPrefix where, const Datatype& type, const Dataspace& space,
             std::span<const std::byte> data, const DatasetOptions& options,
             const Model* model = nullptr);

  /// Adds the messages to a new node.
  void add_messages(Node& node) const;
  void write_value(Node& node) const;
  /// Returns the bytes of data that need space in this file; the dataset needs no other space.
  [[nodiscard]] std::uint64_t bytes_to_write() const;

  [[nodiscard]] bool is_chunked() const { return layout_ == Layout::chunked; }
  [[nodiscard]] bool is_external() const { return !options_.external.empty(); }
  [[nodiscard]] CallArguments arguments() const;

 private:
  [[noreturn]] void reject(const std::string& what) const;
  void check_size();
  [[nodiscard]] Layout default_layout() const;

  /// Returns true if there is room for another compact dataset. For a local one the flush decides.
  [[nodiscard]] bool has_room() const;

  void check_layout() const;
  void check_external() const;
  void check_virtual() const;
  void check_chunk() const;
  void fill_new(Node& node) const;
  [[nodiscard]] bool has_fill_value() const;

  void encode_fill_value();
  void encode_filters();
  void encode_pipeline(const std::vector<FilterSpec>& specs);

  /// Returns one element; empty: zeros.
  [[nodiscard]] ByteView fill_element() const;
  /// Gives the node's data its place. @param beside set for a virtual dataset: its mappings
  [[nodiscard]] ByteView encode_layout(Node& node, ByteView& beside) const;

  void choose_index(DataLayoutMessage& layout) const;

  FileState& file_;
  const FileContext& context_;
  ErrorPrefix where_;
  const Dataspace& space_;
  std::span<const std::byte> data_;
  const Datatype type_;
  const DatasetOptions& options_;
  const Model* model_;
  std::uint64_t element_size_;
  std::uint64_t size_ = 0;
  Layout layout_;
  ByteView type_bytes_, space_bytes_, fill_bytes_, filter_bytes_;
  Node* committed_type_ = nullptr;
};

}  // namespace onecast::create
