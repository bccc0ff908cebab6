#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grammar/failure.hpp"
#include "onecast/comm/communicator.hpp"
#include "rules/checking.hpp"
#include "tree/tree.hpp"

namespace onecast::cgns {

/// A part of a node's value and its elements in memory, in the type of the node.
struct Slice {
  Node* node;
  std::span<std::byte> elements;
  /// The first index in the slowest dimension, and the number of indices; absent: the whole value.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> rows;
};

/// An open CGNS file. Throws Failure and Error.
class CgnsFile {
 public:
  /// @param mode 0: read, 1: write a new file, 2: modify @param communicator null: this process
  CgnsFile(const std::string& path, int mode, const Communicator* communicator);

  Node& root() { return tree_->root(); }
  /// @collective for files open for writing
  void close() { tree_->file().close(); }
  void abandon(const std::string& reason) { tree_->file().abandon(reason); }

  /// Reads parts of equal nodes on all ranks in one call. @collective
  void read(const std::vector<Slice>& slices);
  /// @independent
  void read_alone(const std::vector<Slice>& slices);
  /// Writes the rows of each rank to nodes that were created without elements. @collective
  void write(const std::vector<Slice>& slices);

  std::vector<Violation> check() { return cgns::check(*tree_); }
  /// Copies all nodes into a new file; links stay links.
  void copy_to(CgnsFile& to);
  /// Makes the file fast to open. Returns the number of small values that were moved to headers,
  /// and true if a page list was added.
  std::pair<std::size_t, bool> adopt();

 private:
  std::unique_ptr<Tree> tree_;
};

/// Creates a node of that name, label and value; without elements, ranks write parts of it later.
/// Throws Failure for a name or a value that CGNS does not allow.
Node& create_checked(Node& parent, const char* name, const std::string& label, const Value& value);
void create_checked_link(Node& parent, const char* name, const LinkTarget& target);

}  // namespace onecast::cgns
