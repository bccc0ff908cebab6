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
  /// First index in the slowest dimension, and number of indices; absent: all of the value.
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

  /// One call of all ranks, with equal nodes. @collective
  void read(const std::vector<Slice>& slices);
  /// @independent
  void read_alone(const std::vector<Slice>& slices);
  /// Each rank its own rows, of nodes that were created without elements. @collective
  void write(const std::vector<Slice>& slices);

  std::vector<Violation> check() { return cgns::check(*tree_); }
  /// Copies all nodes into a new file; links stay links.
  void copy_to(CgnsFile& to);
  /// Makes the file quick to open; returns the number of small values that now lie in headers, and
  /// whether a list of the metadata was added.
  std::pair<std::size_t, bool> adopt();

 private:
  std::unique_ptr<Tree> tree_;
};

/// A node of that name, label and value; without elements, ranks write parts of it later. Throws
/// Failure for a name or a value that is none of CGNS.
Node& create_checked(Node& parent, const char* name, const std::string& label, const Value& value);
void create_checked_link(Node& parent, const char* name, const LinkTarget& target);

}  // namespace onecast::cgns
