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

/// What the rooms above this one do for an open file. This room calls it, and knows no more of
/// them. One for all files: see flush/engine.cpp.
class RoomsAbove {
 public:
  RoomsAbove() = default;
  RoomsAbove(const RoomsAbove&) = delete;
  RoomsAbove& operator=(const RoomsAbove&) = delete;
  virtual ~RoomsAbove() = default;

  [[nodiscard]] virtual std::shared_ptr<values::HeapWriter> make_heap(FileState& file) const = 0;
  /// What a dataset's header says of it.
  [[nodiscard]] virtual Kept<DatasetInfo> read_dataset(Node& dataset) const = 0;
  /// The space of the chunks that only this rank wrote is free, and what waits in memory is gone.
  virtual void drop_chunks(Node& dataset) const = 0;
  /// Before the header of any collective call on the file's communicator.
  virtual void finish_heap(FileState& file) const = 0;
  /// Has this rank written what others do not know of?
  [[nodiscard]] virtual bool has_unsettled_writes(const FileState& file) const = 0;
  /// Ranks made different structural calls: throws the Error (diverged) that tells which.
  /// @collective
  [[noreturn]] virtual void throw_difference(const FileState& file,
                                             CommunicatorBackend& comm) const = 0;
  /// @collective
  virtual void flush(FileState& file, CallKind kind) const = 0;
};

}  // namespace onecast::tree
