#pragma once

#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::nodes {

/// The part of a dataset's storage that depends on its layout and that only the rooms above
/// interpret: where its chunks, its external files or the sources of a virtual dataset are.
class LayoutStorage {
 public:
  LayoutStorage(const LayoutStorage&) = delete;
  LayoutStorage& operator=(const LayoutStorage&) = delete;

 protected:
  LayoutStorage() = default;
  ~LayoutStorage() = default;
};

/// The writes of this rank to a dataset, which the rooms above keep: the chunks of a chunked
/// dataset, or the written part of contiguous data that is new.
class WrittenStorage {
 public:
  enum class Kind : std::uint8_t { chunks, contiguous };

  WrittenStorage(const WrittenStorage&) = delete;
  WrittenStorage& operator=(const WrittenStorage&) = delete;
  virtual ~WrittenStorage() = default;

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Returns true if there are writes that the flush must make known to all ranks.
  [[nodiscard]] virtual bool needs_settling() const = 0;
  /// Forgets the writes of a removed dataset, and frees the space that only this rank knows.
  virtual void drop() = 0;

 protected:
  explicit WrittenStorage(Kind kind) : kind_(kind) {}

 private:
  Kind kind_;
};

}  // namespace onecast::nodes
