#pragma once

#include "base/namespaces.hpp"
#include "comm/file_calls.hpp"
#include "objects/memory/arena.hpp"

namespace onecast::nodes {

class Node;
class OpenFile;
struct DatasetInfo;

/// The functions of the rooms above that an open file calls, with one implementation for all files
/// in flush/engine.cpp.
class RoomsAbove {
 public:
  RoomsAbove() = default;
  RoomsAbove(const RoomsAbove&) = delete;
  RoomsAbove& operator=(const RoomsAbove&) = delete;
  virtual ~RoomsAbove() = default;

  /// Decodes a dataset's header.
  [[nodiscard]] virtual Kept<DatasetInfo> read_dataset(Node& dataset) const = 0;
  /// Throws the Error (diverged) that says which structural calls of the ranks differ. @collective
  [[noreturn]] virtual void throw_difference(const OpenFile& file,
                                             CommunicatorBackend& comm) const = 0;
  /// @collective
  virtual void flush(OpenFile& file, CallKind kind) const = 0;
};

}  // namespace onecast::nodes
