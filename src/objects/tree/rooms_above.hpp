#pragma once

#include <exception>
#include <memory>

#include "base/namespaces.hpp"
#include "comm/file_calls.hpp"
#include "objects/memory/arena.hpp"

namespace onecast::values {
class HeapWriter;
}  // namespace onecast::values

namespace onecast::tree {

class FileState;
class Node;
struct DatasetInfo;

/// The functions of the rooms above that an open file calls, with one implementation for all files
/// in flush/engine.cpp.
class RoomsAbove {
 public:
  RoomsAbove() = default;
  RoomsAbove(const RoomsAbove&) = delete;
  RoomsAbove& operator=(const RoomsAbove&) = delete;
  virtual ~RoomsAbove() = default;

  [[nodiscard]] virtual std::shared_ptr<values::HeapWriter> make_heap(FileState& file) const = 0;
  /// Decodes a dataset's header.
  [[nodiscard]] virtual Kept<DatasetInfo> read_dataset(Node& dataset) const = 0;
  /// Frees the space of the chunks that only this rank wrote, and drops those that wait in memory.
  virtual void drop_chunks(Node& dataset) const = 0;
  /// Called before the header of any collective call on the file's communicator.
  virtual void finish_heap(FileState& file) const = 0;
  /// Returns true if this rank has written raw data that other ranks do not know.
  [[nodiscard]] virtual bool has_unsettled_writes(const FileState& file) const = 0;
  /// Throws the Error (diverged) that says which structural calls of the ranks differ. @collective
  [[noreturn]] virtual void throw_difference(const FileState& file,
                                             CommunicatorBackend& comm) const = 0;
  /// @collective
  virtual void flush(FileState& file, CallKind kind) const = 0;
};

}  // namespace onecast::tree
