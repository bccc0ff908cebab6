// Messages between ranks that are threads of several processes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "layout.hpp"

namespace scale {

/// The connections between each two processes; made before the processes are.
class Sockets {
 public:
  explicit Sockets(int processes);

  /// Keeps the connections of one process, in that process, and returns them by process.
  std::vector<int> keep(int process);
  void close_all();

 private:
  std::vector<std::vector<int>> ends_;  ///< by process, and by the process at the other end
};

/// The messages of one process. Messages with one sender, receiver and tag keep their order.
class Mail {
 public:
  Mail(const Layout& layout, int process, std::vector<int> sockets);
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;
  ~Mail();

  [[nodiscard]] const Layout& layout() const { return layout_; }
  void send(int from, int to, int tag, std::span<const std::byte> bytes);
  void receive(int from, int to, int tag, std::span<std::byte> bytes);

 private:
  struct Letter {
    int from = 0;
    int tag = 0;
    std::vector<std::byte> bytes;
  };
  struct Box {
    std::mutex mutex;
    std::condition_variable changed;
    std::list<Letter> letters;
  };
  struct Line {
    int socket = -1;
    std::mutex mutex;
    std::thread reader;
  };

  Box& box_of(int rank) { return boxes_[static_cast<std::size_t>(rank - first_)]; }
  void deliver(int to, Letter letter);
  void read_from(int socket);

  const Layout& layout_;
  int process_;
  int first_;  ///< the first rank of this process
  std::vector<Box> boxes_;
  std::vector<Line> lines_;  ///< by process
};

}  // namespace scale
