// Which process and which pretended node has which ranks.
#pragma once

#include <algorithm>
#include <vector>

namespace scale {

/// Nodes have `of_node` ranks each, the last one perhaps fewer. Process 0 has node 0, whose first
/// rank works for all; the other processes share the other nodes evenly.
class Layout {
 public:
  Layout(int ranks, int of_node, int processes) : ranks_(ranks), of_node_(of_node) {
    const int nodes = this->nodes();
    const int others = std::min(processes - 1, nodes - 1);
    first_.push_back(0);
    for (int p = 0; p < others; ++p)
      first_.push_back(std::min(ranks, (1 + (nodes - 1) * p / others) * of_node));
    first_.push_back(ranks);
  }

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int nodes() const { return (ranks_ + of_node_ - 1) / of_node_; }
  [[nodiscard]] int processes() const { return static_cast<int>(first_.size()) - 1; }
  [[nodiscard]] int node_of(int rank) const { return rank / of_node_; }
  /// The first rank of a process; for the number of processes, the number of ranks.
  [[nodiscard]] int first(int process) const { return first_[static_cast<std::size_t>(process)]; }
  [[nodiscard]] int process_of(int rank) const {
    return static_cast<int>(std::upper_bound(first_.begin(), first_.end() - 1, rank) -
                            first_.begin()) -
           1;
  }
  [[nodiscard]] int nodes_of(int process) const {
    return node_of(first(process + 1) - 1) - node_of(first(process)) + 1;
  }

 private:
  int ranks_;
  int of_node_;
  std::vector<int> first_;
};

}  // namespace scale
